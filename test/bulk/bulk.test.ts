import { execFileSync } from 'node:child_process'
import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Transport, WireFailure } from '../../src/contract/wire.ts'
import { Interrupted } from '../../src/errors.ts'
import { answer, env, form, lines, options, rowsOf, service, write } from '../kit/bulk-kit.ts'
import { customers, rut } from '../kit/customer-rows.ts'
import { fakeClock, machine, type RunOptions } from '../kit/harness.ts'
import { loan } from '../kit/loan.ts'
import { needsProgram, needsSystem } from '../kit/needs.ts'

test('evaluates every row and writes the results in the order of the file, without national ids', async () => {
  using m = machine()
  write(m, 'in.csv', customers(40))
  const { transport, asked } = service(async (trx) => {
    // Later rows are answered first.
    for (let i = 0; i < 40 - Number(trx.slice(2)); i++) await null
    return answer(200, { data: { preApproveId: `P-${trx}`, installmentOptions: options } })
  })
  const ran = await m.run('evaluate --from in.csv -o ndjson', { env, transport })
  expect(ran.stderr).toBe('Columns read: rut, amount, externalTrxId.\n40 of 40 rows: 40 ok\n')
  expect(ran.code).toBe(0)
  expect(rowsOf(ran.stdout).map((row) => row.externalTrxId)).toEqual(Array.from({ length: 40 }, (_, i) => `t-${i + 1}`))
  expect(rowsOf(ran.stdout)[4]).toEqual({
    line: 6,
    externalTrxId: 't-5',
    outcome: 'ok',
    amount: 1004,
    entityId: 'E1',
    preApproveId: 'P-t-5',
    installmentOptions: options,
    idNumber: '••••••04-0',
  })
  expect(asked).toHaveLength(40)
  expect(ran.stdout).not.toContain(rut(4))
})

test('columns are found by name in any spelling, other columns pass through, and BOM, CRLF, semicolons and quotes are accepted [row 95]', async () => {
  using m = machine()
  const text =
    '\ufeffID Number;amount;External Trx Id;state;note\r\n11.222.333-9;1000;a-1;mine;"two\r\nlines; and ""quotes"""\r\n\r\n'
  write(m, 'in.csv', text)
  const seen: Record<string, string>[] = []
  const { transport } = service(() => undefined)
  const ran = await m.run('evaluate --from in.csv --json', {
    env,
    transport: (request) => {
      seen.push(form(request))
      return transport(request)
    },
  })
  expect(seen).toEqual([{ idNumber: '11222333-9', amount: '1000', entityId: 'E1', externalTrxId: 'a-1' }])
  expect(ran.json()).toMatchObject([{ line: 2, state: 'mine', note: 'two\r\nlines; and "quotes"' }])
})

test('rows with only empty cells, as spreadsheets write them, are skipped [row 95]', async () => {
  using m = machine()
  write(m, 'in.csv', 'rut,amount,trx\n11222333-9,1000,a-1\n , \t,\n,,\n   \n"", ,""\n11222333-9,1000,a-2\n,,\n')
  const { transport } = service(() => undefined)
  const ran = await m.run('evaluate --from in.csv -o ndjson', { env, transport })
  expect(rowsOf(ran.stdout).map((row) => [row.line, row.externalTrxId])).toEqual([
    [2, 'a-1'],
    [7, 'a-2'],
  ])
})

test('every problem of a file is found before the first call, with its line [row 95]', async () => {
  using m = machine()
  write(
    m,
    'in.csv',
    [
      'rut,amount,externalTrxId,note',
      '11222333-9,1000,a-1,"a',
      'b"',
      '11111111-2,1000,a-2,',
      'nonsense,1.5,a-1,',
      ',1000,a-3,',
      '11222333-9,1000,..,',
      '11222333-9,1000',
    ].join('\n'),
  )
  const { transport, asked } = service(() => undefined)
  const ran = await m.run('evaluate --from in.csv', { env, transport })
  expect(ran.code).toBe(2)
  expect(asked).toEqual([])
  expect(ran.stdout).toBe('')
  expect(lines(ran.stderr).slice(1, -1)).toEqual([
    '  line 4: rut “•••••••1-2”: the check digit is wrong: for this number it is 1',
    '  line 5: rut: it is not a RUT such as 12345678-5',
    '  line 5: amount “1.5”: it must be a whole number, digits only',
    '  line 5: externalTrxId is the same as in line 2',
    '  line 6: rut is empty',
    '  line 7: externalTrxId “..”: it cannot be sent: ".." would change the address of the call',
    '  line 8: it has 2 cells, but the first line has 4',
  ])
  expect(ran.stderr).not.toContain('11111111')
})

test.each([
  ['', 'in.csv has no rows'],
  ['rut,amount\n', 'has no column externalTrxId'],
  [
    'rut,amount,externalTrxId,trx\n11222333-9,1,a,b\n',
    'has two columns with the same meaning, and they differ in line 2',
  ],
  ['rut,amount,trx,note,note\n', 'has the column note more than once'],
  ['rut,amount,externalTrxId\n', 'in.csv has no rows'],
  ['[{"rut":"1"}]', 'is a JSON array'],
  ['{"rut":"11222333-9","amount":1000,"trx":"a"}\n{broken}\n', 'line 2: it is not JSON'],
  ['{"rut":"11222333-9","amount":true,"trx":"a"}', 'line 1: amount must be text or a number'],
  ['rut,amount,trx\n11222333-9,1000,"a\n11222333-9,1000,b\n', 'line 2: a quoted cell is not closed'],
  ['rut,amount,trx\n11222333-9,1000,a"b"\n11222333-9,1000,"b"x\n', 'line 3: a quoted cell'],
  [Buffer.from([0xff, 0xfe, 0x72, 0]), 'line 1: the file is UTF-16'],
  [Buffer.from('rut,amount,trx\n', 'utf16le'), 'line 1: the file is UTF-16'],
  [
    Buffer.from('rut,amount,trx\n11222333-9,1000,a\n11222333-9,1000,Mar\xeda\n', 'latin1'),
    'line 3: this line is not UTF-8',
  ],
])('a file without valid rows is refused before anything is sent: %j', async (text, problem) => {
  using m = machine()
  write(m, 'in.csv', text)
  const { transport, asked } = service(() => undefined)
  const ran = await m.run('evaluate --from in.csv', { env, transport })
  expect(ran.stderr).toContain(problem)
  expect(ran.code).toBe(2)
  expect(asked).toEqual([])
})

test('verify reads NDJSON from stdin, and leaves no copy of stdin on the disk', async () => {
  using m = machine()
  const { transport } = service(() => undefined)
  const stdin = '{"trx":"a","expectedAmount":1000,"order":{"n":1}}\n\n{"trx":"b"}'
  const ran = await m.run('verify --from -', { env, transport, stdin })
  expect(rowsOf(ran.stdout)).toMatchObject([
    { line: 1, externalTrxId: 'a', outcome: 'ok', order: { n: 1 } },
    { line: 3, externalTrxId: 'b', outcome: 'ok' },
  ])
  expect(ran.code).toBe(0)
  expect(readdirSync(join(m.stateDir, 'bulk')).filter((name) => !name.endsWith('.lock'))).toEqual([])
})

test('the column order is the transaction id, but an ordinary column in a row that also has trx', async () => {
  using m = machine()
  const { transport } = service(() => undefined)
  const stdin = '{"order":"a"}\n{"trx":"b","order":"7"}\n{"Order":8,"orden":"8"}\n{"order":"9","trx":null}'
  const ran = await m.run('verify --from -', { env, transport, stdin })
  expect(rowsOf(ran.stdout)).toMatchObject([
    { externalTrxId: 'a' },
    { externalTrxId: 'b', order: '7' },
    { externalTrxId: '8' },
    { externalTrxId: '9' },
  ])
})

test('verify of a file with differences writes a summary by kind and a JUnit report, and exits with 10', async () => {
  using m = machine()
  write(
    m,
    'in.csv',
    [
      'externalTrxId,expectedAmount,expectedState,expectedPeriods',
      'ok-1,1000,ACTIVE,3',
      'ok-2,,,',
      'wrong,999,CLOSED,6',
      'absent,1000,,',
    ].join('\n'),
  )
  const { transport } = service((trx) =>
    trx === 'absent' ? answer(404, { error: { code: 'ERR_LOAN_NOT_FOUND' } }) : undefined,
  )
  const ran = await m.run('verify --from in.csv --out out.csv --junit report.xml --json', { env, transport })
  expect(ran.code).toBe(10)
  expect(ran.json()).toMatchObject({
    rows: 4,
    ok: 2,
    different: 1,
    missing: 1,
    differences: { amount: 1, state: 1, periods: 1 },
  })
  expect(ran.error()).toMatchObject({ kind: 'check-failed' })
  expect(ran.stderr).toContain(
    '2 of 4 rows are not as expected: 1 missing, 1 with an unexpected amount, 1 in an unexpected state, 1 with an unexpected number of installments',
  )
  expect(lines(readFileSync(join(m.dir, 'out.csv'), 'utf8'))[3]).toMatch(
    /^4,wrong,different,amount state periods,ACTIVE,1000,0.02,3,[^A-Z]*,999,CLOSED,6,,,,$/,
  )
  const failed = readFileSync(join(m.dir, 'out.failed.csv'), 'utf8')
  expect(failed).toBe(
    'externalTrxId,expectedAmount,expectedState,expectedPeriods,failedKind,failedMessage\nwrong,999,CLOSED,6,different,"amount is 1000, expected 999; state is ACTIVE, expected CLOSED; number of installments is 3, expected 6"\nabsent,1000,,,missing,this transaction has no loan\n',
  )
  expect(statSync(join(m.dir, 'out.failed.csv')).mode & 0o077).toBe(0)
  const report = readFileSync(join(m.dir, 'report.xml'), 'utf8')
  expect(report).toContain('tests="4" failures="2"')
  expect(report).toContain('amount is 1000, expected 999; state is ACTIVE, expected CLOSED')
})

test('the JUnit report of a reconciliation has the time that each call took', async () => {
  using m = machine()
  write(m, 'in.csv', 'trx\nslow\nabsent\n')
  const clock = fakeClock()
  const { transport } = service((trx) => {
    clock.advance(trx === 'slow' ? 1500 : 20)
    return trx === 'absent' ? answer(404, { error: { code: 'ERR_LOAN_NOT_FOUND' } }) : undefined
  })
  await m.run('verify --from in.csv --out out.csv --junit report.xml --concurrency 1', { env, transport, clock })
  const report = readFileSync(join(m.dir, 'report.xml'), 'utf8')
  expect(report).toContain('name="slow" time="1.500"')
  expect(report).toContain('name="absent" time="0.020"')
  expect(report).toContain('failures="1" errors="0" time="1.520"')
})

test('formulas in CSV are made harmless, unless --csv-raw [row 83]', async () => {
  using m = machine()
  write(m, 'in.csv', 'trx,note\n=a,"=HYPERLINK(1)"\n')
  const { transport } = service((trx) => answer(200, { data: loan(trx, { state: '@SUM(A1)' }) }))
  const safe = await m.run('verify --from in.csv', { env, transport })
  expect(lines(safe.stdout)[1]).toMatch(/^2,'=a,ok,,'@SUM\(A1\),1000,.*,'=HYPERLINK\(1\)$/)
  const raw = await m.run('verify --from in.csv --csv-raw', { env, transport })
  expect(lines(raw.stdout)[1]).toMatch(/^2,=a,ok,,@SUM\(A1\),1000,.*,=HYPERLINK\(1\)$/)
})

test('failed rows are written to a file that can be run again [row 98]', async () => {
  using m = machine()
  write(m, 'in.csv', customers(6))
  let refusing = true
  const { transport, asked } = service((trx) =>
    refusing && ['t-2', 't-5'].includes(trx) ? answer(422, { error: { code: 'ERR_NO', message: '=no' } }) : undefined,
  )
  const first = await m.run('evaluate --from in.csv --out out.ndjson', { env, transport })
  expect(first.code).toBe(11)
  expect(first.stderr).toContain('2 of 6 rows failed')
  // The service would refuse these rows again, so the message does not suggest to run the file as it is.
  expect(first.stderr).toContain(
    `The service would refuse these rows again. The message of each row says why. Correct the rows in ${join(m.dir, 'out.failed.csv')}, then run: `,
  )
  refusing = false
  asked.length = 0
  const again = await m.run(`evaluate --from ${join(m.dir, 'out.failed.csv')} -o ndjson`, { env, transport })
  expect(again.code).toBe(0)
  expect(asked.sort()).toEqual(['t-2', 't-5'])
  expect(Object.keys(rowsOf(again.stdout)[0])).not.toContain('failedKind')
})

test.each([
  ['sep=|\ntrx|nota\nE422-1|x\nE-2|"a|b"\n', 'sep=|\ntrx|nota|failedKind|failedMessage\nE422-1|x|'],
  [
    '"Monto, en pesos, sin IVA, total";trx\n1;E422-1\n2;E-2\n',
    'Monto, en pesos, sin IVA, total;trx;failedKind;failedMessage\n1;E422-1;',
  ],
  ['trx\tx,y,z\nE422-1\t1\nE-2\t2\n', 'trx\tx,y,z\tfailedKind\tfailedMessage\nE422-1\t1\t'],
])('failed rows and results can be read again whatever separator the file has: %j', async (text, failed) => {
  using m = machine()
  write(m, 'in.csv', text)
  const { transport, asked } = service((trx) =>
    trx === 'E422-1' ? answer(422, { error: { code: 'ERR_NO' } }) : undefined,
  )
  expect((await m.run('verify --from in.csv --out out.csv --failed f.csv', { env, transport })).code).toBe(11)
  expect(readFileSync(join(m.dir, 'f.csv'), 'utf8').startsWith(failed)).toBe(true)
  asked.length = 0
  expect((await m.run('verify --from f.csv', { env, transport })).code).toBe(11)
  expect(asked).toEqual(['E422-1'])
  asked.length = 0
  expect((await m.run('verify --from out.csv', { env, transport })).code).toBe(11)
  expect(asked.sort()).toEqual(['E-2', 'E422-1'])
})

test('results can be read again even if a copied column has many other separators in its name', async () => {
  using m = machine()
  write(m, 'in.csv', `rut,amount,trx,"${'a;b;'.repeat(20)}"\n${rut(1)},1000,t-1,x\n`)
  const { transport, asked } = service(() => undefined)
  expect((await m.run('evaluate --from in.csv --out out.csv', { env, transport })).code).toBe(0)
  expect((await m.run('verify --from out.csv', { env, transport })).code).toBe(0)
  expect(asked).toEqual(['t-1', 't-1'])
})

test('an earlier run is not repeated without an option; --resume prints its results and sends nothing', async () => {
  using m = machine()
  write(m, 'in.csv', customers(3))
  const { transport, asked } = service(() => undefined)
  const first = await m.run('evaluate --from in.csv', { env, transport })
  const second = await m.run('evaluate --from in.csv', { env, transport })
  expect(second).toMatchObject({ code: 2, stdout: '' })
  expect(second.stderr).toContain('already sent by the run')
  const resumed = await m.run('evaluate --from in.csv --resume', { env, transport })
  expect(resumed).toMatchObject({ code: 0, stdout: first.stdout })
  expect(asked).toHaveLength(3)
  const anew = await m.run('evaluate --from in.csv --restart', { env, transport })
  expect(anew.code).toBe(0)
  expect(asked).toHaveLength(6)
})

test.each(['https://api.example.com/', 'HTTPS://API.example.com', 'https://api.example.com:443//'])(
  'a run is found again if the same address of the service is written as %s',
  async (address) => {
    using m = machine()
    write(m, 'in.csv', customers(3))
    const { transport, asked } = service(() => undefined)
    await m.run('evaluate --from in.csv', { env, transport })
    const second = await m.run('evaluate --from in.csv', { env: { ...env, BNPL_BASE_URL: address }, transport })
    expect(second).toMatchObject({ code: 2, stdout: '' })
    expect(second.stderr).toContain('already sent by the run')
    expect(asked).toHaveLength(3)
  },
)

test('--resume notes that every row is sent only if there is no earlier run [database 1]', async () => {
  using m = machine()
  write(m, 'in.csv', customers(3))
  const { transport, asked } = service(() => undefined)
  const said = 'Every row is sent, because no earlier run of this file was found on this machine.'
  const first = await m.run('evaluate --from in.csv --resume', { env, transport })
  expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining(said) })
  const resumed = await m.run('evaluate --from in.csv --resume', { env, transport })
  expect(resumed.code).toBe(0)
  expect(resumed.stderr).not.toContain(said)
  expect(asked).toHaveLength(3)
})

test.each([
  ['999.99999999999999999999', 'digits only'],
  ['0.99999999999999999999', 'digits only'],
  ['4503599627370497.4', 'digits only'],
  ['1e3', 'digits only'],
  ['250.000', 'without separators, as 250000'],
])('in NDJSON, the amount %s is refused as in CSV: it is not rounded, and nothing is sent', async (amount, why) => {
  using m = machine()
  write(m, 'in.ndjson', `{"rut":"${rut(1)}","amount":${amount},"externalTrxId":"t-1"}\n`)
  const { transport, asked } = service(() => undefined)
  const ran = await m.run('evaluate --from in.ndjson', { env, transport })
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(why) })
  expect(asked).toEqual([])
})

test('in NDJSON, an id that is a number is sent as it is written, and 1000.0 is the amount 1000', async () => {
  using m = machine()
  const ids = ['9007199254740993.0', '12345678901234567.5', '1e21', '9007199254740993', '7']
  write(m, 'in.ndjson', ids.map((id, i) => `{"rut":"${rut(i)}","amount":1000.0,"externalTrxId":${id}}\n`).join(''))
  const { transport, asked } = service(() => undefined)
  expect((await m.run('evaluate --from in.ndjson --accept-ids', { env, transport })).code).toBe(0)
  expect([...asked].sort()).toEqual([...ids].sort())
})

/** Overwrites a part of a file, from a byte on. */
function overwrite(path: string, from: number, most: number): void {
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(Math.min(most, statSync(path).size - from), 0x5a), 0, null, from)
  closeSync(file)
}

test('a ledger that was emptied is refused (3) as damaged, and no row is sent again [database 1]', async () => {
  using m = machine()
  write(m, 'in.csv', customers(3))
  const { transport, asked } = service(() => undefined)
  await m.run('evaluate --from in.csv', { env, transport })
  const folder = join(m.stateDir, 'bulk')
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '')
  for (const line of ['evaluate --from in.csv --resume', 'evaluate --from in.csv']) {
    const ran = await m.run(line, { env, transport })
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('is damaged and was not changed') })
  }
  write(m, 'in.csv', customers(4))
  expect((await m.run('evaluate --from in.csv', { env, transport })).code).toBe(3)
  expect(asked).toHaveLength(3)
  expect((await m.run('evaluate --from in.csv --restart', { env, transport })).code).toBe(0)
})

test.each<[string, (path: string) => void]>([
  ['overwritten with text', (path) => writeFileSync(path, 'x'.repeat(9000))],
  ['overwritten at its beginning', (path) => overwrite(path, 0, 100)],
  ['overwritten on its pages of rows', (path) => overwrite(path, 8192, Number.MAX_SAFE_INTEGER)],
])('a ledger that was %s is refused (3) when the file has new rows, until --restart', async (_, damage) => {
  using m = machine()
  write(m, 'in.csv', customers(300))
  const { transport, asked } = service(() => undefined)
  await m.run('evaluate --from in.csv', { env, transport })
  const folder = join(m.stateDir, 'bulk')
  for (const name of readdirSync(folder)) damage(join(folder, name))
  write(m, 'in.csv', customers(301))
  const ran = await m.run('evaluate --from in.csv', { env, transport })
  expect(ran).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('it is unknown which rows were sent'),
  })
  expect(ran.stderr).toContain('add --restart')
  expect(asked).toHaveLength(300)
  expect((await m.run('evaluate --from in.csv --restart', { env, transport })).code).toBe(0)
  // The damaged ledger is gone, so that it refuses no later run of this file.
  expect(readdirSync(folder).filter((name) => name.endsWith('.db'))).toHaveLength(1)
  expect((await m.run('evaluate --from in.csv', { env, transport })).stderr).toContain('were already sent by the run')
})

test('a row without an answer is unknown: it is named, is not among the failed rows, and is sent again only with --retry-unknown [row 94]', async () => {
  using m = machine()
  write(m, 'in.csv', customers(5))
  const { transport, asked } = service((trx, nth) =>
    trx === 't-3' && nth === 1 ? new WireFailure('reset', true, 'ECONNRESET') : undefined,
  )
  const first = await m.run('evaluate --from in.csv --out out.csv --json', { env, transport })
  expect(first.code).toBe(12)
  expect(first.stderr).toContain('1 of 5 rows were sent, but their outcome is unknown: line 4')
  expect(readdirSync(m.dir)).not.toContain('out.failed.csv')
  const resumed = await m.run('evaluate --from in.csv --out out.csv --resume', { env, transport })
  expect(resumed.code).toBe(12)
  expect(asked).toHaveLength(5)
  const retried = await m.run('evaluate --from in.csv --out out.csv --resume --retry-unknown', { env, transport })
  expect(retried.code).toBe(0)
  expect(asked.slice(5)).toEqual(['t-3'])
  expect(lines(readFileSync(join(m.dir, 'out.csv'), 'utf8')).map((line) => line.split(',')[2])).toEqual([
    'outcome',
    ...Array(5).fill('ok'),
  ])
})

test('the ledger contains no national id, e-mail address or key [row 84]', async () => {
  using m = machine()
  write(m, 'in.csv', customers(3))
  const { transport } = service((trx) =>
    answer(200, {
      data: {
        preApproveId: `P-${trx}`,
        installmentOptions: options,
        rut: rut(0),
        owner: { email: 'canary@example.com' },
      },
    }),
  )
  const ran = await m.run('evaluate --from in.csv -o ndjson', { env, transport })
  expect(ran.code).toBe(0)
  expect(rowsOf(ran.stdout)[0].owner.email).toBe('c•••@example.com')
  for (const name of readdirSync(join(m.stateDir, 'bulk'))) {
    const path = join(m.stateDir, 'bulk', name)
    expect(statSync(path).mode & 0o077).toBe(0)
    const bytes = readFileSync(path, 'latin1')
    for (const canary of [rut(0), '10000000', 'canary@', 'sk_canary']) expect(bytes).not.toContain(canary)
  }
})

test('five consecutive refusals of the key end the run with exit 4, and --resume sends the rest [row 96]', async () => {
  using m = machine()
  write(m, 'in.csv', customers(100))
  let bad = true
  const { transport, asked } = service((trx) => (bad && Number(trx.slice(2)) > 10 ? answer(401, {}) : undefined))
  const ran = await m.run('evaluate --from in.csv --out out.csv --concurrency 2', { env, transport })
  expect(ran.code).toBe(4)
  expect(asked.length).toBeLessThanOrEqual(10 + 5 + 1)
  expect(ran.stderr).toContain('The run was stopped: ')
  bad = false
  const resumed = await m.run('evaluate --from in.csv --out out.csv --resume', { env, transport })
  expect(resumed.code).toBe(0)
  expect(new Set(asked).size).toBe(100)
  expect(lines(readFileSync(join(m.dir, 'out.csv'), 'utf8'))).toHaveLength(101)
})

test('a run of a changed file cannot be resumed [row 95]', async () => {
  using m = machine()
  write(m, 'in.csv', customers(10))
  const { transport, asked } = service(() => answer(403, {}))
  expect((await m.run('evaluate --from in.csv', { env, transport })).code).toBe(4)
  write(m, 'in.csv', customers(11))
  asked.length = 0
  for (const line of ['evaluate --from in.csv --resume', 'evaluate --from in.csv']) {
    const ran = await m.run(line, { env, transport })
    expect(ran.code).toBe(2)
    expect(ran.stderr).toContain('the file was changed after its run of')
  }
  expect(asked).toEqual([])
})

test('429 pauses every worker: no call is sent during the pause [row 20]', async () => {
  using m = machine()
  write(m, 'in.csv', customers(60))
  const times: number[] = []
  let limitedAt = 0
  const { transport, asked } = service(async (trx, nth) => {
    times.push(performance.now())
    await new Promise((resolve) => setImmediate(resolve))
    if (trx !== 't-20' || nth > 1) return answer(200, { data: { installmentOptions: options } })
    limitedAt = performance.now()
    return answer(429, {}, { 'retry-after': '1' })
  })
  const ran = await m.run('evaluate --from in.csv --concurrency 8', { env, transport })
  expect(ran.code).toBe(0)
  expect(ran.stderr).toContain('status 429 (too many requests): all calls wait 1 s')
  expect(asked).toHaveLength(61)
  // Each other worker may have sent one call before the answer was read.
  const inside = times.filter((time) => time > limitedAt && time < limitedAt + 990)
  expect(inside.length).toBeLessThan(8)
  expect(times.filter((time) => time >= limitedAt + 990).length).toBeGreaterThan(20)
})

test('during a long run, the waits after 429 are reported about once a minute [row 20]', async () => {
  using m = machine()
  write(m, 'in.csv', customers(200))
  const { transport } = service((_, nth) => {
    if (nth > 1) return answer(200, { data: { installmentOptions: options } })
    return answer(429, {}, { 'retry-after': '1' })
  })
  const ran = await m.run('evaluate --from in.csv --concurrency 1', { env, transport, clock: fakeClock() })
  expect(ran.code).toBe(0)
  const notes = ran.stderr.split('\n').filter((line) => line.includes('429'))
  expect(notes[0]).toBe('status 429 (too many requests): all calls wait 1 s')
  expect(notes[1]).toMatch(
    /all calls wait 1 s\. Further waits since the last note: \d\d\. Use --rate to send fewer calls a second$/,
  )
  expect(notes.length).toBeGreaterThan(2)
  expect(notes.length).toBeLessThanOrEqual(1 + Math.ceil(200 / 59))
})

test('--rate spaces the calls of all workers', async () => {
  using m = machine()
  write(m, 'in.csv', customers(50))
  const clock = fakeClock()
  const { transport } = service(() => undefined)
  const ran = await m.run('evaluate --from in.csv --rate 10/s -q', { env, transport, clock })
  expect(ran.code).toBe(0)
  expect(clock.monotonic()).toBeGreaterThanOrEqual(4900)
  expect(clock.monotonic()).toBeLessThan(5100)
})

test('after Ctrl-C no row is begun, the calls in flight end, and the error says how to resume [row 100]', async () => {
  using m = machine()
  write(m, 'in.csv', customers(30))
  const interrupt = new AbortController()
  const { transport, asked } = service(async (trx) => {
    if (trx === 't-10') interrupt.abort(new Interrupted())
    await new Promise((resolve) => setTimeout(resolve, 5))
    return answer(200, { data: { preApproveId: `P-${trx}`, installmentOptions: options } })
  })
  const given: RunOptions = { env, transport, signal: interrupt.signal }
  const ran = await m.run('evaluate --from in.csv --out out.csv --concurrency 4', given)
  expect(ran.code).toBe(130)
  expect(asked.length).toBeLessThanOrEqual(14)
  expect(ran.stderr).toMatch(
    /Interrupted: (\d+) of 30 rows are done, \d+ were not sent. Continue with the same command and --resume./,
  )
  expect(lines(readFileSync(join(m.dir, 'out.csv'), 'utf8'))).toHaveLength(asked.length + 1)
  const resumed = await m.run('evaluate --from in.csv --out out.csv --resume', { env, transport })
  expect(resumed.code).toBe(0)
  expect(asked).toHaveLength(30)
})

test('after Ctrl-C a call that does not end is cut after ten seconds, and its row is unknown [row 100]', async () => {
  using m = machine()
  write(m, 'in.csv', customers(3))
  const interrupt = new AbortController()
  const transport: Transport = (request) =>
    new Promise((_, reject) => {
      request.signal?.addEventListener('abort', () => reject(new WireFailure('aborted', true, 'interrupted')))
      interrupt.abort(new Interrupted())
    })
  const ran = await m.run('evaluate --from in.csv --concurrency 1 -o ndjson', {
    env,
    transport,
    signal: interrupt.signal,
    clock: fakeClock(),
  })
  expect(ran.code).toBe(130)
  const hint = expect.stringMatching(/^Do not run the command again yet\. Find out what happened: bnpl evaluations get/)
  expect(rowsOf(ran.stdout)).toMatchObject([{ externalTrxId: 't-1', outcome: 'unknown', error: { hint } }])
  expect(ran.stderr).toMatch(
    /\n {2}Find out whether the service carried out the rows that were sent but not answered \(line 2\)\. If it carried out none of them, send all of them again with: bnpl evaluate --from in.csv --concurrency 1 --resume --retry-unknown -o ndjson\n/,
  )
})

test('a file of 11,000 rows that is interrupted twice and resumed sends every row once, and ends with exit 0 and a summary [database 1]', async () => {
  using m = machine()
  // More rows than a JUnit report may have test cases.
  const rows = 11_000
  const ids = Array.from({ length: rows }, (_, i) => `T${i}`)
  write(m, 'in.csv', `externalTrxId\n${ids.join('\n')}\n`)
  let [interruptAt, interrupt] = [8_005, new AbortController()]
  const { transport, asked } = service(() => {
    if (asked.length === interruptAt) interrupt.abort(new Interrupted())
    return undefined
  })
  const run = () =>
    m.run('verify --from in.csv --out out.csv --resume --json -q --junit r.xml', {
      env,
      transport,
      signal: interrupt.signal,
    })
  for (const at of [8_005, 10_884]) {
    ;[interruptAt, interrupt] = [at, new AbortController()]
    expect(await run()).toMatchObject({ code: 130, stdout: '' })
  }
  interrupt = new AbortController()
  const { code, json } = await run()
  expect([code, json()]).toMatchObject([0, { rows, ok: rows }])
  expect(json().sent + json().earlier).toBe(rows)
  // Rows with an answer are not asked for again.
  expect([asked.length, new Set(asked).size]).toEqual([rows, rows])
  const [, ...results] = lines(readFileSync(join(m.dir, 'out.csv'), 'utf8'))
  expect(results.map((line) => line.split(',')[1])).toEqual(ids)
  expect(readFileSync(join(m.dir, 'r.xml'), 'utf8')).toContain('tests="10001"')
})

test('after an interrupted --resume, the summary also counts rows of unknown outcome that were not reached', async () => {
  using m = machine()
  write(m, 'in.csv', customers(12))
  // Two rows fail, seven rows are sent without an answer, and three rows are done.
  const first = service((trx) => {
    const number = Number(trx.slice(2))
    if (number <= 2) return answer(401, {})
    if (number <= 9) throw new WireFailure('reset', true, 'the connection was closed')
    return answer(200, { data: { preApproveId: `P-${trx}`, installmentOptions: options } })
  })
  const line = 'evaluate --from in.csv --out out.csv --force --concurrency 1'
  expect((await m.run(line, { env, transport: first.transport, clock: fakeClock() })).code).toBe(12)
  const interrupt = new AbortController()
  const again = service(() => {
    interrupt.abort(new Interrupted())
    return answer(200, { data: { preApproveId: 'P', installmentOptions: options } })
  })
  const given = { env, transport: again.transport, signal: interrupt.signal, clock: fakeClock() }
  const { code, stderr } = await m.run(`${line} --resume`, given)
  expect([code, again.asked.length]).toEqual([130, 1])
  expect(stderr).toContain('Interrupted: 4 of 12 rows are done, 1 failed, 7 without a known outcome.')
  expect(stderr.replace(/\s+/g, ' ')).toContain('the rows that were sent but not answered. If it carried out none')
})

test('a production profile asks once for the whole file, before anything is sent', async () => {
  using m = machine()
  write(m, 'in.csv', customers(20))
  mkdirSync(m.configDir, { recursive: true, mode: 0o700 })
  const shop = { environment: 'production', baseUrl: env.BNPL_BASE_URL, apiKey: env.BNPL_API_KEY, entityId: 'E1' }
  writeFileSync(join(m.configDir, 'profiles.json'), JSON.stringify({ version: 1, profiles: { shop } }), { mode: 0o600 })
  const { transport, asked } = service(() => undefined)
  const refused = await m.run('evaluate --from in.csv --out out.csv -p shop', { transport })
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toContain('this would send 20 evaluations on the production profile shop')
  expect(asked).toEqual([])
  expect(readdirSync(m.dir).filter((name) => name.startsWith('out'))).toEqual([])
  // The refused run has sent nothing, so the next run is accepted.
  expect((await m.run('evaluate --from in.csv --out out.csv -p shop --yes', { transport })).code).toBe(0)
  expect(asked).toHaveLength(20)
})

test('results that cannot be written are reported before anything is sent, and the next run can begin', async () => {
  using m = machine()
  write(m, 'in.csv', customers(5))
  mkdirSync(join(m.dir, 'folder.csv'))
  symlinkSync('victim', join(m.dir, 'link.csv'))
  const { transport, asked } = service(() => undefined)
  for (const [out, code] of [
    ['nowhere/out.csv', 13],
    ['folder.csv', 2],
    ['link.csv', 2],
    ['/dev/full', 2],
  ] as const) {
    const ran = await m.run(`evaluate --from in.csv --out ${out} --force -o csv`, { env, transport })
    expect(ran).toMatchObject({ code, stdout: '' })
  }
  expect(asked).toEqual([])
  expect(statSync('/dev/full').isCharacterDevice()).toBe(true)
  expect((await m.run('evaluate --from in.csv --out out.csv', { env, transport })).code).toBe(0)
})

test('a file that is changed during the run ends it with exit 3, and the results so far are kept', async () => {
  using m = machine()
  const rows = Array.from({ length: 3000 }, (_, i) => `t-${i},${'x'.repeat(500)}`)
  const path = write(m, 'in.csv', `trx,note\n${rows.join('\n')}\n`)
  const { transport, asked } = service(() => {
    if (asked.length === 1) writeFileSync(path, `${readFileSync(path, 'utf8').slice(0, -10_000)}\n"never closed`)
    return undefined
  })
  const ran = await m.run('verify --from in.csv --out out.csv', { env, transport })
  expect(ran.code).toBe(3)
  expect(ran.stderr).toContain('in.csv was changed during the run, so the run stopped before it sent a changed row')
  expect(lines(readFileSync(join(m.dir, 'out.csv'), 'utf8'))).toHaveLength(asked.length + 1)
})

test('a signal while the last row is sent has no effect: all rows are done, and the exit code is 0', async () => {
  using m = machine()
  write(m, 'in.csv', customers(3))
  const interrupt = new AbortController()
  const { transport } = service((trx) => {
    if (trx === 't-3') interrupt.abort(new Interrupted())
    return undefined
  })
  const ran = await m.run('evaluate --from in.csv --concurrency 1 -q', { env, transport, signal: interrupt.signal })
  expect(ran.code).toBe(0)
  expect(lines(ran.stdout)).toHaveLength(4)
})

test('a service that always answers 429 ends the run early with exit 7, and --resume sends the rest', async () => {
  using m = machine()
  write(m, 'in.csv', customers(50))
  let closed = true
  const { transport, asked } = service(() => (closed ? answer(429, {}, { 'retry-after': '3600' }) : undefined))
  const ran = await m.run('evaluate --from in.csv --out out.csv --concurrency 2', { env, transport })
  expect(ran.code).toBe(7)
  expect(asked.length).toBeLessThanOrEqual(6)
  closed = false
  expect((await m.run('evaluate --from in.csv --out out.csv --resume', { env, transport })).code).toBe(0)
})

test('for rows that failed with 401, the error prints the command that runs the failed rows again', async () => {
  using m = machine()
  write(m, 'my rows.csv', customers(3))
  const { transport } = service((trx) => (trx === 't-2' ? answer(401, {}) : undefined))
  const ran = await m.run(['evaluate', '--from', 'my rows.csv', '--out', 'my out.csv'], { env, transport })
  expect(ran.stderr).toContain(
    `Run the failed rows again with: bnpl evaluate --from '${join(m.dir, 'my out.failed.csv')}'`,
  )
})

test('verify keeps the state of loans only for transactions that are in the history', async () => {
  using m = machine()
  write(m, 'in.csv', 'trx\nt-1\nt-9\n')
  const { transport } = service(() => undefined)
  await m.run(`evaluate --rut ${rut(1)} --amount 1000 --trx t-1`, { env, transport })
  await m.run(`evaluate --rut ${rut(2)} --amount 1000 --trx t-2`, { env, transport })
  expect((await m.run('verify --from in.csv', { env, transport })).code).toBe(0)
  const kept = (await m.run('history list --json', { env, transport })).json()
  expect(Object.fromEntries(kept.map(({ externalTrxId, loanState }: any) => [externalTrxId, loanState]))).toEqual({
    't-1': 'ACTIVE',
    't-2': null,
  })
})

test('whole numbers that no double can hold keep their digits: in ids, in other columns, and in a resumed run', async () => {
  using m = machine()
  const big = '90071992547409931'
  write(m, 'in.ndjson', `{"trx":${big},"note":${big}}\n{"trx":"bad"}\n`)
  let failing = true
  const { transport, asked } = service((trx) => {
    if (trx === 'bad') return failing ? answer(401, {}) : undefined
    return {
      ...answer(200, {}),
      body: Buffer.from(JSON.stringify({ data: loan(trx, { serial: 7 }) }).replace('"serial":7', `"serial":${big}`)),
    }
  })
  const stopped = await m.run('verify --from in.ndjson --out a.ndjson', { env, transport })
  expect(stopped.code).toBe(11)
  expect(readFileSync(join(m.dir, 'a.ndjson'), 'utf8')).toContain(`"externalTrxId":"${big}"`)
  expect(readFileSync(join(m.dir, 'a.ndjson'), 'utf8')).toContain(`"note":${big}`)
  expect(asked).toContain(big)

  write(m, 'in.csv', customers(2))
  const evaluated = service((trx) =>
    trx === 't-2' && failing
      ? answer(401, {})
      : {
          ...answer(200, {}),
          body: Buffer.from(
            `{"data":{"preApproveId":"P","serial":${big},"installmentOptions":[{"installments":3,"amount":400,"total":1200,"serial":${big}}]}}`,
          ),
        },
  )
  await m.run('evaluate --from in.csv --out b.csv', { env, transport: evaluated.transport })
  failing = false
  await m.run('evaluate --from in.csv --out b.csv --resume', { env, transport: evaluated.transport })
  const [, first = '', second = ''] = lines(readFileSync(join(m.dir, 'b.csv'), 'utf8'))
  expect(first).toContain(big)
  expect(second).toContain(big)
})

test.each([
  ['/dev/zero', /line 1: this line is longer than 10 MB/],
  // Random bytes sometimes begin like UTF-16.
  ['/dev/urandom', /this line is not UTF-8 text|the file is UTF-16/],
])('an endless device is refused as the input file: %s', async (device, words) => {
  needsSystem('linux')
  using m = machine()
  const { transport, asked } = service(() => undefined)
  const ran = await m.run(`verify --from ${device}`, { env, transport })
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toMatch(words)
  expect(asked).toEqual([])
})

test('a byte that is not UTF-8 is reported with its line, in a line of any length', async () => {
  using m = machine()
  const { transport } = service(() => undefined)
  const long = 'x'.repeat(3_000_000)
  const row = (end: string) => Buffer.concat([Buffer.from(`a,${long}`), Buffer.from(end, 'latin1'), Buffer.from('\n')])
  write(m, 'in.csv', Buffer.concat([Buffer.from('trx,ñ\n'), row(''), row('\xe9'), row('')]))
  const ran = await m.run('verify --from in.csv', { env, transport })
  expect(ran.stderr).toContain('line 3: this line is not UTF-8 text')
})

test('--dry-run with several ids prints one curl line for each id', async () => {
  using m = machine()
  const { transport, asked } = service(() => undefined)
  for (const [line, path] of [
    ['verify t-1 t-2', '/pre-approve/t-2/loan'],
    ['webhooks rm w-1 w-2', 'w-2'],
    ['informe download p-1 p-2', 'p-2'],
  ] as const) {
    const ran = await m.run(`${line} --dry-run`, { env, transport })
    expect(ran.code).toBe(0)
    expect(lines(ran.stdout)).toHaveLength(2)
    expect(lines(ran.stdout)[1]).toContain(path)
    // With --json, stdout is JSON for --dry-run too: the same lines, one object each.
    const curls = lines(ran.stdout).map((curl) => ({ curl }))
    expect((await m.run(`${line} --dry-run --json`, { env, transport })).json()).toEqual(curls)
    const rows = lines((await m.run(`${line} --dry-run -o ndjson`, { env, transport })).stdout)
    expect(rows.map((row) => JSON.parse(row))).toEqual(curls)
  }
  const one = await m.run('verify t-1 --dry-run --json', { env, transport })
  expect(one.json()).toEqual({ curl: expect.stringMatching(/^curl -sS .*"Authorization: Bearer \$BNPL_API_KEY"/) })
  expect(asked).toEqual([])
})

test('for a transaction without a loan the error names the command that waits for it, with the profile', async () => {
  using m = machine()
  await m.run('profiles add acme --base-url https://api.example.com --api-key-stdin', { stdin: 'sk_0123456789' })
  const { transport } = service(() => answer(404, {}))
  const ran = await m.run(['verify', "o'1", '-p', 'acme'], { transport })
  expect(ran.code).toBe(6)
  expect(ran.stderr).toContain("has not paid yet: bnpl verify 'o'\\''1' --wait -p acme")
})

test('--dry-run prints a curl line for every row, and sends nothing', async () => {
  using m = machine()
  write(m, 'in.csv', customers(3))
  const { transport, asked } = service(() => undefined)
  const ran = await m.run('evaluate --from in.csv --dry-run', { env, transport })
  expect(ran.code).toBe(0)
  expect(lines(ran.stdout)).toHaveLength(3)
  expect(ran.stdout).not.toContain('\n\n')
  expect(lines(ran.stdout)[1]).toContain('externalTrxId=t-2')
  const curls = lines(ran.stdout).map((curl) => ({ curl }))
  expect((await m.run('evaluate --from in.csv --dry-run --json', { env, transport })).json()).toEqual(curls)
  expect(ran.stdout).toContain('$BNPL_API_KEY')
  expect(asked).toEqual([])
})

test.each([
  ['verify --from in.csv a-1', 'TRX and --from cannot be used together'],
  ['verify a-1 --resume', '--resume is only for a run over a file'],
  ['verify', 'missing transaction ids'],
  ['verify --from in.csv --resume --restart', '--resume and --restart cannot be used together'],
  ['verify --from nowhere.csv', 'it does not exist'],
  ['verify --from .', 'it is a folder'],
  ['verify --from=', '--from is empty, but it must name a file'],
  ['verify --from in.csv --failed=', '--failed is empty, but it must name a file'],
  ['verify --from in.csv --failed .', 'Name a file with --failed.'],
  ['verify --from in.csv --failed -', '--failed cannot write to stdout'],
  ['verify --from in.csv --junit -', '--junit cannot write to stdout'],
  ['contract export in.csv --har -', '--har cannot write to stdout'],
  ['verify a-1 --record -', '--record cannot write to stdout'],
  ['verify --from in.csv --out . -o csv', 'Name a file with --out.'],
  [
    'verify --from in.csv --wait 1s',
    'Remove --wait, because a run over a file verifies each row once and does not wait.',
  ],
  ['verify --from in.csv --expect-state PAID', 'because its values come from the rows of the file.'],
  ['informe download --dir= P1', '--dir is empty, but it must name a folder'],
  ['informe download --out . P1', 'Use --dir for a directory, --out for a file.'],
  ['contract export in.csv --fixtures=', '--fixtures is empty, but it must name a folder'],
  ['contract export in.csv --har there.csv/x', 'a part of'],
  ['contract export in.csv --har .', 'Name a file with --har.'],
  ['verify --from in.csv --out in.csv', 'are the same file'],
  ['verify --from in.csv --out there.csv', 'already exists'],
  ['verify --from in.csv --out a.csv --failed a.csv', '--out and --failed are the same file'],
  ['verify --from in.csv --junit in.csv', '--from and --junit are the same file'],
  ['verify --from link.csv --out in.csv --force', '--from and --out are the same file'],
  ['verify --from in.csv --junit nowhere/r.xml', 'no report can be written to', 13],
  ['verify --from in.csv --junit .', '--junit . is a folder'],
  ['verify a-1 --junit r.xml', '--junit is only for a run over a file'],
  ['smoke --junit nowhere/r.xml', 'no report can be written to', 13],
  ['verify --from in.csv --failed nowhere/f.csv', 'nowhere/f.csv could not be written', 13],
  ['verify --from in.csv --out results', 'does not end in a known format'],
  ['verify --from in.csv --concurrency 0', '--concurrency “0”'],
  ['verify --from in.csv --rate fast', '--rate “fast”'],
  ['evaluate --from in.csv --rut 1-9', '--rut and --from cannot be used together'],
  ['evaluate --from in.csv --retry-unknown --restart', '--retry-unknown and --restart cannot be used together'],
  ['evaluate --amount 5', 'missing --rut'],
] as [string, string, number?][])('%s is refused before anything is sent', async (line, words, code = 2) => {
  using m = machine()
  write(m, 'in.csv', 'trx\na-1\n')
  symlinkSync(join(m.dir, 'in.csv'), join(m.dir, 'link.csv'))
  write(m, 'there.csv', 'mine')
  const { transport, asked } = service(() => undefined)
  const ran = await m.run(line, { env, transport })
  expect(ran.stderr).toContain(words)
  expect(ran.code).toBe(code)
  expect(asked).toEqual([])
  expect(readFileSync(join(m.dir, 'in.csv'), 'utf8')).toBe('trx\na-1\n')
  expect(readFileSync(join(m.dir, 'there.csv'), 'utf8')).toBe('mine')
})

test('a file that can be opened but not read is refused with the reason', async () => {
  needsSystem('linux')
  using m = machine()
  const { transport, asked } = service(() => undefined)
  const ran = await m.run('verify --from /proc/self/mem', { env, transport })
  expect(ran.stderr).toContain('cannot be read: EIO')
  expect(ran.code).toBe(2)
  expect(asked).toEqual([])
})

test('a .partial file that an older version left beside the results is neither written to nor waited for', async () => {
  using m = machine()
  write(m, 'in.csv', 'trx\na-1\n')
  const mine = write(m, 'mine.txt', 'mine')
  linkSync(mine, join(m.dir, 'out.csv.partial'))
  needsProgram('mkfifo')
  execFileSync('mkfifo', [join(m.dir, 'other.csv.partial')])
  for (const out of ['out.csv', 'other.csv']) {
    const { transport } = service(() => undefined)
    expect((await m.run(`verify --from in.csv --out ${out}`, { env, transport })).code).toBe(0)
    expect(readFileSync(join(m.dir, out), 'utf8')).toContain('a-1')
  }
  expect(readFileSync(mine, 'utf8')).toBe('mine')
})

test('a row that is always answered with 429 is sent 20 times before the row fails', async () => {
  using m = machine()
  write(m, 'in.csv', customers(3))
  const { transport, asked } = service((trx, nth) => {
    if (trx === 't-2') return nth < 20 ? answer(429, {}, { 'retry-after': '1' }) : undefined
    return trx === 't-3' ? answer(429, {}, { 'retry-after': '1' }) : undefined
  })
  const ran = await m.run('evaluate --from in.csv --concurrency 1 -o ndjson', { env, transport, clock: fakeClock() })
  expect(ran.code).toBe(11)
  expect(rowsOf(ran.stdout).map((row) => [row.outcome, row.error?.kind])).toEqual([
    ['ok', undefined],
    ['ok', undefined],
    ['failed', 'rate-limited'],
  ])
  expect(['t-2', 't-3'].map((trx) => asked.filter((each) => each === trx).length)).toEqual([20, 20])
})

test('a run cannot be resumed for another entity, and nothing is sent', async () => {
  using m = machine()
  write(m, 'in.csv', customers(20))
  const stop = new AbortController()
  const { transport, asked } = service((trx) => {
    if (trx === 't-5') stop.abort(new Interrupted())
    return undefined
  })
  const first = 'evaluate --from in.csv --out out.csv --entity-id E1'
  expect((await m.run(first, { env, transport, signal: stop.signal })).code).toBe(130)
  const before = asked.length
  const other = await m.run('evaluate --from in.csv --out out.csv --entity-id E2 --resume --json', { env, transport })
  expect([other.code, asked.length]).toEqual([2, before])
  expect(other.error()).toMatchObject({
    code: 'SETTINGS_CHANGED',
    message: expect.stringContaining('was started with other settings (entityId E1; now entityId E2)'),
  })
  expect((await m.run(`${first} --resume`, { env, transport })).code).toBe(0)
  expect(asked).toHaveLength(20)
})
