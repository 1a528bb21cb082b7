import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { rutCheckCharacter } from '../../src/domain/identifiers.ts'
import { answer, env, form, lines, rowsOf, service, write } from '../kit/bulk-kit.ts'
import { rut } from '../kit/customer-rows.ts'
import { type Machine, machine, type RunOptions } from '../kit/harness.ts'
import { loan } from '../kit/loan.ts'

/** What a run does with each column of its file: read, compared with the loan, or named as not used. */

const transport = service(() => undefined).transport
const run = (m: Machine, line: string, options: RunOptions = {}) => m.run(line, { env, transport, ...options })

/** Names of columns, with a value that contradicts the loan of the tests: 1000 in 3 installments of 400, at 0.02, ACTIVE, on 2026-03-01. */
const CONTRADICTIONS: readonly [kind: string, value: string, names: readonly string[]][] = [
  ['state', 'CLOSED', ['estado', 'Estado del préstamo', 'state', 'status', 'expectedState', 'ESTADO', 'loan-state']],
  [
    'amount',
    '999',
    ['loanAmount', 'Monto Total', 'monto_total', 'amount', 'total', 'importe', 'expectedAmount', 'monto'],
  ],
  ['periods', '6', ['cuotas', 'nro cuotas', 'N° de cuotas', 'periods', 'installments', 'plazo', 'expectedPeriods']],
  ['installmentAmount', '399', ['installmentAmount', 'valor cuota', 'Monto de la cuota', 'monthlyPayment']],
  ['lastInstallmentAmount', '401', ['lastInstallmentAmount', 'Última cuota', 'valor ultima cuota']],
  ['interestRate', '0,03', ['interestRate', 'tasa', 'Tasa de interés']],
  ['transferDate', '2026-03-02', ['transferDate', 'Fecha de transferencia']],
]

test.each(CONTRADICTIONS.flatMap(([kind, value, names]) => names.map((name) => [name, kind, value])))(
  'a loan that contradicts the column %s fails its row (%s), in CSV and NDJSON',
  async (name, kind, value) => {
    using m = machine()
    write(m, 'in.csv', `externalTrxId;${name}\nt-1;${value}\n`)
    write(m, 'in.ndjson', `${JSON.stringify({ externalTrxId: 't-1', [name]: value })}\n`)
    for (const file of ['in.csv', 'in.ndjson']) {
      const ran = await run(m, `verify --from ${file} -o ndjson`)
      expect(ran.code).toBe(10)
      expect(rowsOf(ran.stdout)).toMatchObject([{ outcome: 'different', differences: [kind] }])
      expect(ran.stderr).toContain(`Compared with the loan: ${name}`)
    }
  },
)

test('the results as CSV have a column for each field of the loan that is neither a list nor an object', async () => {
  using m = machine()
  write(m, 'in.csv', 'externalTrxId\nt-1\n')
  const [head = ''] = lines((await run(m, 'verify --from in.csv -o csv')).stdout)
  const columns = head.split(',')
  expect(columns.slice(0, 6)).toEqual(['line', 'externalTrxId', 'outcome', 'differences', 'state', 'loanAmount'])
  const plain = Object.entries(loan('t-1')).filter(([, value]) => typeof value !== 'object')
  expect(plain.filter(([name]) => columns.filter((each) => each === name).length !== 1)).toEqual([])
})

test('a column that agrees with the loan passes, and a rate may be in percent', async () => {
  using m = machine()
  write(m, 'in.csv', 'orden;Estado;Monto Total;Cuotas;Tasa;Valor cuota;tienda\nt-1;ACTIVE;1000;3;2%;400;T\nt-2;;;;;;\n')
  const ran = await run(m, 'verify --from in.csv -o ndjson')
  expect(ran.code).toBe(0)
  expect(rowsOf(ran.stdout)[0]).toMatchObject({ outcome: 'ok', Estado: 'ACTIVE', 'Monto Total': '1000', tienda: 'T' })
  expect(lines(ran.stderr)).toEqual([
    'Columns read: orden (externalTrxId). Compared with the loan: Monto Total (loanAmount, in 1 of 2 rows), Estado (state, in 1 of 2 rows), Cuotas (periods, in 1 of 2 rows), Valor cuota (installmentAmount, in 1 of 2 rows), Tasa (interestRate, in 1 of 2 rows). Not compared: tienda.',
    '2 of 2 rows: 2 ok; compared: amount, state, number of installments, installment amount, interest rate',
  ])
})

test('what is used and compared is said before the first call, also with --dry-run, and in the summary with --json', async () => {
  using m = machine()
  write(m, 'in.csv', 'trx,Estado,note\nt-1,ACTIVE,x\n')
  const said = 'Columns read: trx (externalTrxId). Compared with the loan: Estado (state). Not compared: note.\n'
  expect((await run(m, 'verify --from in.csv --dry-run')).stderr).toBe(said)
  const ran = await run(m, 'verify --from in.csv --out o.csv --json')
  expect(ran.stderr).toBe(said)
  expect(ran.json()).toMatchObject({
    columns: { used: { externalTrxId: ['trx'], state: ['Estado'] }, notUsed: ['note'] },
    compared: ['state'],
  })
  write(m, 'ids.csv', 'trx,note\nt-1,x\n')
  const alone = await run(m, 'verify --from ids.csv')
  expect(alone.stderr).toContain(
    'Compared with the loan: nothing. The run only checks that a loan exists. Not compared: note.',
  )
  expect(alone.stderr).toContain('1 of 1 rows: 1 ok; compared: only that a loan exists\n')
  write(m, 'e.csv', `rut,monto,orden,tienda\n${rut(1)},1000,t-1,A\n`)
  expect((await run(m, 'evaluate --from e.csv')).stderr).toContain(
    'Columns read: rut, monto (amount), orden (externalTrxId). Not used: tienda.\n',
  )
  write(m, 'd.csv', 'id,tienda\nP-1,A\n')
  expect((await run(m, 'informe download --from d.csv --dry-run')).stderr).toContain(
    'Columns read: id (preApproveId). Not used: tienda.\n',
  )
})

test('a column that is empty in every row is not said to be compared', async () => {
  using m = machine()
  write(m, 'in.csv', 'trx,Estado,Cuotas,note\nt-1,,3,x\n')
  const ran = await run(m, 'verify --from in.csv --out o.csv --json')
  expect(ran.stderr).toContain(
    'Compared with the loan: Cuotas (periods). Not compared, because every cell is empty: Estado. Not compared: note.\n',
  )
  expect(ran.json()).toMatchObject({ compared: ['number of installments'], columns: { notUsed: ['Estado', 'note'] } })
  write(m, 'none.ndjson', '{"trx":"t-1","state":null,"total":""}\n')
  const none = await run(m, 'verify --from none.ndjson')
  expect(none.stderr).toContain(
    'nothing. The run only checks that a loan exists. Not compared, because every cell is empty: total, state.',
  )
  expect(none.stderr).toContain('compared: only that a loan exists\n')
})

test('every one of 40 columns with any names is said to be compared or not', async () => {
  using m = machine()
  const compared = ['estado', 'Monto Total', 'nro cuotas', 'tasa', 'valor cuota', 'última cuota', 'Fecha transferencia']
  const others = Array.from({ length: 32 }, (_, i) => ['Sucursal', 'e-mail ', '12 meses', 'x=1'][i % 4] + String(i))
  const names = ['pedido', ...compared, ...others]
  const cells = ['t-1', 'ACTIVE', '1000', '3', '0.02', '400', '400', '2026-03-01', ...others.map(() => 'v')]
  write(m, 'in.csv', `${names.join(';')}\n${cells.join(';')}\n`)
  const ran = await run(m, 'verify --from in.csv --out o.csv --json')
  expect([ran.code, names.length]).toEqual([0, 40])
  const { columns } = ran.json()
  expect([...Object.values(columns.used).flat(), ...columns.notUsed].sort()).toEqual(
    names.map((name) => name.trim()).sort(),
  )
  for (const name of compared) expect(ran.stderr.split('Not compared')[0]).toContain(name)
  for (const name of others) expect(ran.stderr.split('Not compared')[1]).toContain(name.trim())
})

test.each([
  ['trx,cuota\nt-1,3\n', 'AMBIGUOUS_COLUMN', "--column 'cuota=periods' or --column 'cuota=installmentAmount'"],
  ['trx,monto,Monto Total\nt-1,1,2\n', 'DUPLICATE_COLUMN', "--column 'Monto Total='"],
  ['pedido,orden\nt-1,t-2\n', 'DUPLICATE_COLUMN', "--column 'orden='"],
  ['{"trx":"t-1","amount":1,"total":2}\n', 'DUPLICATE_COLUMN', "--column 'total='"],
])(
  'columns of unclear meaning are refused before the first call, with the option that chooses: %j',
  async (text, code, hint) => {
    using m = machine()
    write(m, 'in.csv', text)
    const counted = service(() => undefined)
    const ran = await run(m, 'verify --from in.csv -o ndjson', { transport: counted.transport })
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain(hint)
    const asJson = await run(m, 'verify --from in.csv --json', { transport: counted.transport })
    expect(asJson.error().code).toBe(code)
    expect(counted.asked).toEqual([])
  },
)

test('two columns with the same meaning and equal values are read as one, and an expected value comes before what the loan was', async () => {
  using m = machine()
  write(m, 'in.csv', 'trx,monto,Monto Total\nt-1,1000,1000\nt-2,,1000\n')
  expect((await run(m, 'verify --from in.csv')).stderr).toContain(
    'Compared with the loan: monto (loanAmount), Monto Total (loanAmount).',
  )
  write(m, 'own.csv', 'trx,loanAmount,expectedAmount\nt-1,1000,999\n')
  const ran = await run(m, 'verify --from own.csv -o ndjson')
  expect(rowsOf(ran.stdout)).toMatchObject([{ differences: ['amount'], expectedAmount: 999 }])
})

test('--column reads a column of any name, leaves one unread, and refuses a name that is not in the file', async () => {
  using m = machine()
  write(m, 'in.csv', 'Ref,cuota,total\nt-1,6,7\n')
  const line = [
    'verify',
    '--from',
    'in.csv',
    '-o',
    'ndjson',
    '--column',
    'ref=externalTrxId',
    '--column',
    'cuota=periods',
  ]
  const ran = await m.run([...line, '--column', 'total='], { env, transport })
  expect(rowsOf(ran.stdout)).toMatchObject([{ externalTrxId: 't-1', differences: ['periods'], total: '7' }])
  expect(ran.stderr).toContain(
    'Columns read: Ref (externalTrxId). Compared with the loan: cuota (periods). Not compared: total.',
  )
  const absent = await m.run([...line, '--column', 'nope=state'], { env, transport })
  expect(absent).toMatchObject({ code: 2, stdout: '' })
  expect(absent.stderr).toContain('the file has no column nope, which --column names')
  const failed = await m.run(
    [...line, '--column', 'total=', '--out', 'o.csv'].filter((w) => w !== '-o' && w !== 'ndjson'),
    {
      env,
      transport: service(() => answer(401, {})).transport,
    },
  )
  expect(failed.stderr.replace(/\s+/g, ' ')).toMatch(
    /--column ref=externalTrxId --column cuota=periods --column total=/,
  )
})

/** A number that is the RUT of a person with its last digit as the check digit, and of another person with a check digit of its own. */
const twoWays = (() => {
  for (let n = 10_000_000; ; n++) {
    const whole = `${n}${rutCheckCharacter(String(n))}`
    if (/^\d+$/.test(whole) && /^\d$/.test(rutCheckCharacter(whole))) return whole
  }
})()
const body = '12345678'
const person = `${body}-5`

/** Evaluates a file, and returns the national ids that were sent. */
async function evaluated(text: string, line = 'evaluate --from in.csv -o ndjson') {
  using m = machine()
  write(m, 'in.csv', text)
  const sent: (string | undefined)[] = []
  const ran = await m.run(line, {
    env,
    transport: (request) => {
      sent.push(form(request).idNumber)
      return transport(request)
    },
  })
  return { ...ran, sent }
}

test.each([
  ['rut;dv;monto;orden', `${body};5;1000;t-1`],
  ['RUT;Dígito verificador;monto;orden', `12.345.678;-5;1000;t-1`],
  ['dv;rut;monto;orden', `5;${person};1000;t-1`],
  ['rut;dv;monto;orden', `123456785;5;1000;t-1`],
  ['idNumber;monto;orden;D.V.', `${body};1000;t-1;5`],
  ['rut cliente;check digit;monto;orden', `="${body}";="5";1000;t-1`],
])('a RUT and its check digit in another column are joined: %s', async (head, row) => {
  const { sent, code, stdout } = await evaluated(`${head}\n${row}\n`)
  expect([code, sent]).toEqual([0, [person]])
  expect(rowsOf(stdout)).toMatchObject([{ idNumber: '••••••78-5' }])
})

test.each([
  ['a wrong check digit', 'rut;dv;monto;orden', `${body};4;1000;t-1`, 'the check digit is wrong'],
  ['a contradiction', 'rut;dv;monto;orden', `${person};4;1000;t-1`, 'contradict each other'],
  ['no check digit', 'rut;dv;monto;orden', `${twoWays};;1000;t-1`, 'the check digit of the RUT is empty'],
  ['two readings', 'rut;dv;monto;orden', undefined, 'not certain'],
  [
    'an unknown column beside',
    'rut;x;monto;orden',
    `${twoWays};${rutCheckCharacter(twoWays)};1000;t-1`,
    'may be its check digit',
  ],
  [
    'a column without a name before it',
    ';rut;monto;orden',
    `${rutCheckCharacter(twoWays)};${twoWays};1000;t-1`,
    'may be its check digit',
  ],
  ['something else', 'rut;dv;monto;orden', `${body};12;1000;t-1`, 'something else than a digit'],
])('a row that could name another person is refused before the first call: %s', async (_, head, row, why) => {
  // The number is valid with its last digit, which is also the check digit of the whole number.
  const both = () => {
    for (let n = 10_000_000; ; n++) {
      const check = rutCheckCharacter(String(n))
      if (/^\d$/.test(check) && rutCheckCharacter(`${n}${check}`) === check) return `${n}${check};${check};1000;t-1`
    }
  }
  const { sent, code, stderr } = await evaluated(`${head}\n${row ?? both()}\n`)
  expect([code, sent]).toEqual([2, []])
  expect(stderr).toContain(why)
  expect(stderr.replaceAll(person, '')).not.toMatch(/\d{6}/)
})

test('in NDJSON, a RUT is joined with its check digit too, and a number beside it that cannot be one does not matter', async () => {
  const row = (object: object) => `${JSON.stringify({ ...object, monto: 1000, orden: 't-1' })}\n`
  expect((await evaluated(row({ rut: body, dv: 5 }))).sent).toEqual([person])
  expect((await evaluated(row({ rut: Number(twoWays), extra: rutCheckCharacter(twoWays) }))).code).toBe(2)
  expect((await evaluated(row({ rut: 123456785, cuotas: 3 }))).sent).toEqual([person])
})

test('the first line of an appended file is refused as a row', async () => {
  using m = machine()
  write(m, 'in.csv', 'Pedido;tienda\nt-1;A\nPedido;tienda\nt-2;B\n')
  const ran = await run(m, 'verify --from in.csv')
  expect([ran.code, ran.stderr]).toEqual([
    2,
    expect.stringContaining('line 3: Pedido “Pedido”: this row repeats the first line'),
  ])
})

test('--column names the column of the check digit, or leaves it unread', async () => {
  const text = `rut;vf;monto;orden\n${body};5;1000;t-1\n`
  expect((await evaluated(text, 'evaluate --from in.csv --column vf=dv')).sent).toEqual([person])
  expect((await evaluated(text)).code).toBe(2)
  const unrelated = `rut;n;monto;orden\n${twoWays};${rutCheckCharacter(twoWays)};1000;t-1\n`
  expect((await evaluated(unrelated, 'evaluate --from in.csv --column n=')).sent).toEqual([
    `${twoWays.slice(0, -1)}-${twoWays.slice(-1)}`,
  ])
  const whole = `rut;dv;monto;orden\n${person};99;1000;t-1\n`
  expect((await evaluated(whole, 'evaluate --from in.csv --column dv=')).sent).toEqual([person])
})

test('one evaluation shows whose RUT was evaluated, masked', async () => {
  using m = machine()
  const line = `evaluate --rut ${person} --amount 1000 --trx t-1`
  expect((await run(m, line)).stdout).toMatch(/Customer +••••••78-5/)
  const json = (await run(m, `${line} --json`)).stdout
  expect([JSON.parse(json).idNumber, json.includes('12345678')]).toEqual(['••••••78-5', false])
})

const DAMAGED = [
  ...[
    '1,23E+15',
    '1.23e15',
    '1E+15',
    '#N/A',
    '#N/D',
    '#REF!',
    '#¡REF!',
    '#VALUE!',
    '#¡VALOR!',
    '#DIV/0!',
    '#NAME?',
    '####',
  ],
  ...[
    'NULL',
    'null',
    'undefined',
    'nan',
    'NaN',
    'None',
    'N/A',
    'n/a',
    '(null)',
    '\\N',
    '[object Object]',
    '-',
    '1001.0',
    'FALSO',
  ],
  ...['a\u200bb', 'a\ufeffb', 'a\u00adb', 'a\u2060b', 'a\u202eb', 'a\ufffdb', '=SUM(A1)', '={{id}}('],
]

test.each(DAMAGED)('an id that no system makes is refused before the first call, in every run: %j', async (id) => {
  using m = machine()
  const counted = service(() => undefined)
  write(m, 'in.csv', `rut;monto;orden;preApproveId\n${rut(1)};1000;${id};${id}\n`)
  write(m, 'in.ndjson', `${JSON.stringify({ rut: rut(1), monto: 1000, orden: id, preApproveId: id })}\n`)
  for (const command of ['evaluate', 'verify', 'informe download'])
    for (const file of ['in.csv', 'in.ndjson']) {
      const ran = await run(m, `${command} --from ${file}`, { transport: counted.transport })
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(ran.stderr).toMatch(command === 'informe download' ? /line \d: preApproveId “/ : /line \d: orden “/)
      expect(ran.stderr).toContain('add --accept-ids')
    }
  expect(counted.asked).toEqual([])
  const meant = await run(m, 'evaluate --from in.csv --accept-ids', { transport: counted.transport })
  expect([meant.code, counted.asked]).toEqual([0, [id]])
})

test.each([
  '#1001',
  '1E5A',
  '12e45678',
  '-B1',
  '+1',
  '@shop',
  '=a',
  "'x",
  'NULL-1',
  'Totalmente',
  '00012345',
  'ñandú 7',
  'nantes',
])('an unusual id is not refused: %j', async (id) => {
  using m = machine()
  const { asked, transport } = service(() => undefined)
  write(m, 'in.csv', `trx\n${id}\n`)
  expect([(await m.run('verify --from in.csv', { env, transport })).code, asked]).toEqual([
    0,
    [encodeURIComponent(id)].map(decodeURIComponent),
  ])
})

test('a JSON number with an exponent is refused as an id, and the sign ="…" of spreadsheets is taken off', async () => {
  using m = machine()
  const { asked, transport } = service(() => undefined)
  write(m, 'in.ndjson', '{"trx":1.23e15}\n')
  expect((await m.run('verify --from in.ndjson', { env, transport })).code).toBe(2)
  write(m, 'in.csv', 'trx,monto\n="00012345",="1000"\n"=""00077""",1000\n')
  expect((await m.run('verify --from in.csv', { env, transport })).code).toBe(0)
  expect(asked).toEqual(['00012345', '00077'])
})

test.each([
  ['csv', 'trx,monto\nt-1,1000\nTOTAL,1000\n', 'line 3'],
  ['csv', 'monto,trx\n1000,t-1\n1000,Total:\n', 'line 3'],
  ['csv', 'tienda,monto,trx\nA,1000,t-1\nTotal general,1000,\n', 'line 3'],
  ['csv', 'tienda,monto,trx\nA,1000,t-1\nTOTAL,1000\n', 'line 3'],
  ['ndjson', '{"trx":"t-1","monto":1000}\n{"trx":"Subtotal","monto":1000}\n', 'line 2'],
  ['ndjson', '{"trx":"t-1","monto":1000}\n{"what":"SUMA","monto":1000}\n', 'line 2'],
])('a row of totals is refused with its line, and left out with --skip-total (%s): %j', async (form, text, line) => {
  using m = machine()
  const { asked, transport } = service(() => undefined)
  write(m, `in.${form}`, text)
  const ran = await m.run(`verify --from in.${form}`, { env, transport })
  expect([ran.code, asked]).toEqual([2, []])
  expect(ran.stderr).toContain(`${line}: this row has the totals of the other rows`)
  expect(ran.stderr).toContain('Add --skip-total')
  const without = await m.run(`verify --from in.${form} --skip-total -o ndjson`, { env, transport })
  expect([without.code, rowsOf(without.stdout).map(({ externalTrxId }) => externalTrxId), asked]).toEqual([
    0,
    ['t-1'],
    ['t-1'],
  ])
  expect(without.stderr).toContain(`Left out as a row of totals: ${line}.\n`)
})

test.each([
  ['Ａ１', 'A1'],
  ['Ma\u0301laga', 'M\u00e1laga'],
  ['a b', 'a\u00a0b'],
  ['a\u00adb', 'ab', '--accept-ids'],
])('two ids that look alike are named with both lines: %j and %j', async (one, other, more = '') => {
  using m = machine()
  write(m, 'in.csv', `trx\n${one}\nx\n${other}\n`)
  const ran = await run(m, `verify --from in.csv ${more}`)
  expect(ran.code).toBe(0)
  expect(ran.stderr).toContain('The ids in lines 2 and 4 look alike')
})

test.each(['verify', 'evaluate'])(
  'an option and a cell of a file remove the same blanks from an id: %s',
  async (command) => {
    using m = machine()
    for (const id of ['x ', ' x', 'x\u00a0', '\u200bx', '\ufeffx', 'x\u2060', '\tx\u3000']) {
      const { asked, transport } = service(() => undefined)
      const customer = ['evaluate', '--rut', rut(1), '--amount', '1000', '--trx', id, '--entity-id', ' E1 ']
      await m.run(command === 'verify' ? ['verify', id] : customer, { env, transport })
      write(m, 'in.csv', `rut,amount,trx\n${rut(1)},1000,"${id}"\n`)
      await m.run(`${command} --from in.csv --restart`, { env, transport })
      expect(asked).toEqual(['x', 'x'])
    }
  },
)

/** Ids that a shop may choose, with the signs that spreadsheets and our guard give a meaning to. */
const shopId = fc
  .string({
    unit: fc.constantFrom(
      "'",
      '-',
      '+',
      '@',
      '=',
      '|',
      '%',
      '\uff1d',
      '\uff0b',
      '\uff0d',
      '\uff20',
      'A',
      '7',
      ' ',
      '"',
      ',',
      ';',
      'ñ',
    ),
    minLength: 1,
    maxLength: 6,
  })
  .map((text) => `${text.trim()}B1`.trim())
  .filter((id) => !/^=.*["(]/.test(id) && !/\s\s/.test(id))

test('property: results of every run are read back with the same ids and amounts, from CSV and NDJSON', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(shopId, { minLength: 1, maxLength: 16 }),
      fc.constantFrom('csv', 'ndjson', 'excel'),
      async (ids, how) => {
        using m = machine()
        const form = how === 'excel' ? 'csv' : how
        const excel = how === 'excel' ? ' --csv-excel' : ''
        const { asked, transport } = service(() => undefined)
        const file = ids.map((id, i) => `${JSON.stringify({ rut: rut(i), amount: 1000, trx: id })}\n`).join('')
        write(m, 'in.ndjson', file)
        const first = await m.run(`evaluate --from in.ndjson --out a.${form}${excel}`, { env, transport })
        const second = await m.run(`verify --from a.${form} --out b.${form}${excel}`, { env, transport })
        const third = await m.run(`verify --from b.${form} --out c.${form}${excel}`, { env, transport })
        expect([first.stderr, first.code, second.code, third.code]).toEqual([first.stderr, 0, 0, 0])
        expect(second.stderr).toContain('Compared with the loan: amount (loanAmount)')
        const sorted = (some: readonly string[]) => [...some].sort()
        for (const from of [0, 1, 2])
          expect(sorted(asked.slice(from * ids.length, (from + 1) * ids.length))).toEqual(sorted(ids))
      },
    ),
    { numRuns: 12, seed: 7 },
  )
})

test('the results of downloads are read back with the same ids, and results of a loan that changed are found different', async () => {
  using m = machine()
  const asked: string[] = []
  const pdf = async ({ url }: { url: string }) => {
    asked.push(decodeURIComponent(url.split('/').at(-2) ?? ''))
    return answer(404, {})
  }
  write(m, 'ids.csv', "preApproveId\n'-P1\n'=P2\n\uff1dP3\n")
  await m.run('informe download --from ids.csv --out a.csv', { env, transport: pdf })
  await m.run('informe download --from a.csv --out b.csv', { env, transport: pdf })
  expect(asked.slice(0, 3).sort()).toEqual(asked.slice(3).sort())
  write(m, 'in.csv', 'trx\nt-1\n')
  await run(m, 'verify --from in.csv --out r.csv')
  const changed = service((trx) => answer(200, { data: loan(trx, { state: 'CLOSED', loanAmount: 7 }) })).transport
  const again = await run(m, 'verify --from r.csv -o ndjson', { transport: changed })
  expect(rowsOf(again.stdout)).toMatchObject([{ outcome: 'different', differences: ['amount', 'state'] }])
})

test('--csv-excel writes a byte order mark, semicolons and decimal commas, and is refused for other formats', async () => {
  using m = machine()
  write(m, 'in.csv', 'trx\nt-1\n')
  await run(m, 'verify --from in.csv --out o.csv --csv-excel')
  const text = readFileSync(join(m.dir, 'o.csv'), 'utf8')
  expect(text).toMatch(/^\ufeffline;externalTrxId;outcome;/)
  expect(text).toContain(';1000;0,02;3;')
  write(m, 'in.ndjson', '{"trx":"t-1"}\n')
  expect((await run(m, 'verify --from in.ndjson --csv-excel')).stdout).toMatch(/^\ufeffline;/)
  const refused = await run(m, 'verify --from in.ndjson --out o.ndjson --csv-excel')
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--csv-excel is only for CSV results') })
})

test('--encoding reads a file of another program, from a file and from a pipe, and is refused where it is wrong', async () => {
  using m = machine()
  const text = 'orden;Última cuota;tienda\nñandú;400;Ñuñoa\n'
  const { asked, transport } = service(() => undefined)
  for (const [name, bytes] of [
    ['latin1', Buffer.from(text, 'latin1')],
    ['windows-1252', Buffer.from(text, 'latin1')],
    ['utf-16le', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['utf-8', Buffer.from(text)],
  ] as const) {
    write(m, 'in.csv', bytes)
    const ran = await m.run(`verify --from in.csv --encoding ${name} -o ndjson`, { env, transport })
    expect([ran.code, rowsOf(ran.stdout)[0].tienda]).toEqual([0, 'Ñuñoa'])
    expect((await m.run(`verify --from - --encoding ${name}`, { env, transport, stdin: bytes })).code).toBe(0)
  }
  expect(new Set(asked)).toEqual(new Set(['ñandú']))
  write(m, 'in.csv', Buffer.from(`\ufeff${text}`))
  const marked = await m.run('verify --from in.csv --encoding latin1', { env, transport })
  expect(marked.stderr).toContain('begins with the mark of utf-8, so it is not windows-1252')
  const unknown = await m.run('verify --from in.csv --encoding klingon', { env, transport })
  expect([marked.code, unknown.code, unknown.stderr]).toEqual([
    2,
    2,
    expect.stringContaining('is not a known encoding'),
  ])
})

test('the command for the failed rows does not repeat --encoding, because the file of failed rows is UTF-8', async () => {
  using m = machine()
  write(m, 'in.csv', Buffer.from('Pedido\nñ-1\n', 'latin1'))
  const refusing = service(() => answer(401, {})).transport
  const ran = await run(m, 'verify --from in.csv --encoding latin1 --out o.csv', { transport: refusing })
  const [, next = ''] = /Run the failed rows again with: bnpl (.*)/.exec(ran.stderr) ?? []
  const { asked, transport } = service(() => undefined)
  expect([next.includes('encoding'), (await m.run(next, { env, transport })).code, asked]).toEqual([false, 0, ['ñ-1']])
})

test('a run cannot be resumed with another choice of columns, because its other rows would be sent with other values', async () => {
  using m = machine()
  write(m, 'in.csv', `rut,monto,total,orden\n${rut(1)},1000,2000,t-1\n`)
  expect((await run(m, 'evaluate --from in.csv')).code).toBe(0)
  const other = await run(m, 'evaluate --from in.csv --resume --column total=amount')
  expect(other.code).toBe(2)
  expect(other.stderr).toContain('was started with other settings (entityId E1; now entityId E1, column total=amount)')
})

test('a problem names the column as the file spells it, with the value', async () => {
  using m = machine()
  write(m, 'in.csv', 'Nº Pedido;Monto Total;Tasa;Fecha de transferencia\nt-1;1,5;1.89;1-3-2026\n')
  const ran = await run(m, 'verify --from in.csv')
  expect(lines(ran.stderr).slice(1, 4)).toEqual([
    '  line 2: Monto Total “1,5”: it must be a whole number, digits only',
    '  line 2: Tasa “1.89”: it must be a decimal fraction such as 0.0189, or at most 100%, such as 1.89%',
    '  line 2: Fecha de transferencia “1-3-2026”: it must be a date such as 2026-03-01',
  ])
})

test('a JUnit report has the ids and differences of the rows, but no other column, so its mode is that of the umask', async () => {
  using m = machine()
  const head = 'trx;Estado;rut;Nombre;e-mail;Teléfono;Dirección;Fecha de nacimiento'
  const person = `${rut(1)};Ana Pérez;ana.perez@example.com;+56912345678;Los Canarios 1;1980-01-02`
  write(m, 'in.csv', `${head}\nt-1;CLOSED;${person}\nt-2;ACTIVE;${person}\n`)
  const umask = process.umask(0o022)
  onTestFinished(() => void process.umask(umask))
  expect((await run(m, 'verify --from in.csv --out o.csv --junit r.xml')).code).toBe(10)
  const [report, results] = ['r.xml', 'o.csv'].map((name) => join(m.dir, name)) as [string, string]
  expect(readFileSync(report, 'utf8')).toMatch(/t-1[\s\S]*t-2/)
  expect(readFileSync(report, 'utf8')).not.toMatch(/Ana|Pérez|ana\.|example\.com|5691|Canarios|1980/)
  expect(readFileSync(report, 'utf8')).not.toContain(rut(1).slice(0, 6))
  expect([report, results].map((path) => statSync(path).mode & 0o777)).toEqual([0o644, 0o600])
})
