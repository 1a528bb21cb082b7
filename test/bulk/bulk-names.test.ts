import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answer, env, lines, rowsOf, service, write } from '../kit/bulk-kit.ts'
import { rut } from '../kit/customer-rows.ts'
import { machine } from '../kit/harness.ts'

/** The names of the columns of an input, which anybody may choose: no cell is lost, and no name stands for two values. */

const HEADER =
  'rut,amount,externalTrxId,__proto__,constructor,toString,line,input.line,input.input.line,outcome,column13,,'
const CELLS = 'P,C,T,L1,L2,L3,O,a,b,c'

const EXPECTED = [
  ['__proto__', 'P'],
  ['constructor', 'C'],
  ['toString', 'T'],
  ['input.input.input.line', 'L1'],
  ['input.line', 'L2'],
  ['input.input.line', 'L3'],
  ['input.outcome', 'O'],
  ['column13', 'a'],
  ['column12', 'b'],
  ['column13-', 'c'],
]

test.each(['csv', 'ndjson'])(
  'every cell of a row is in the results (%s), whatever the names of the columns',
  async (form) => {
    using m = machine()
    write(m, 'in.csv', `${HEADER}\n${rut(1)},1000,t-1,${CELLS}\n`)
    const ran = await m.run(`evaluate --from in.csv -o ${form}`, { env, transport: service(() => undefined).transport })
    expect(ran.code).toBe(0)
    const [head = '', row = ''] = lines(ran.stdout)
    const ends = (line: string) => line.split(',').slice(-10)
    const found = new Map<string, unknown>(
      form === 'csv' ? ends(head).map((name, i) => [name, ends(row)[i]]) : Object.entries(JSON.parse(head)),
    )
    expect([...found].slice(-10)).toEqual(EXPECTED)
    if (form === 'ndjson') expect([found.get('outcome'), found.get('line')]).toEqual(['ok', 2])
  },
)

test.each([
  '"amount":1000,"amount":9000',
  '"amount":1000,"am\\u006funt":9000',
  '"amount":1000,"note":"x","note":"y"',
  '"amount":1000,"a\\"b":"x","a\\u0022b":"y"',
])(
  'a row of NDJSON in which a field occurs twice is refused, because it is not clear which value is meant: %s',
  async (fields) => {
    using m = machine()
    write(m, 'in.ndjson', `{"rut":"${rut(1)}",${fields},"externalTrxId":"t-1"}\n`)
    const { transport, asked } = service(() => undefined)
    const ran = await m.run('evaluate --from in.ndjson', { env, transport })
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toMatch(/line 1: \S+ occurs twice/)
    expect(asked).toEqual([])
  },
)

test('a row of NDJSON may contain the name of a field as a value or inside a nested object', async () => {
  using m = machine()
  write(
    m,
    'in.ndjson',
    `{"rut":"${rut(1)}","amount":1000,"externalTrxId":"t-1","note":"amount","more":{"amount":1,"note":2}}\n`,
  )
  const ran = await m.run('evaluate --from in.ndjson', { env, transport: service(() => undefined).transport })
  expect(ran.code).toBe(0)
  expect(rowsOf(ran.stdout)).toMatchObject([{ amount: 1000, note: 'amount', more: { amount: 1, note: 2 } }])
})

const MIXED: readonly object[] = [
  { externalTrxId: 't-1', note: 'n, 1', more: { a: [1] }, none: null },
  { constructor: '=1', trx: 't-2', note: true, line: 'L', errorKind: 'E' },
]

test('CSV results of NDJSON have a column for every field that a row has, in the order of the file, also after --resume', async () => {
  using m = machine()
  write(m, 'in.ndjson', MIXED.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const expected = [
    'line,externalTrxId,outcome,amount,entityId,preApproveId,installmentOptions,idNumber,errorKind,errorCode,errorStatus,errorMessage,' +
      'note,more,none,constructor,input.line,input.errorKind',
    '"n, 1","{""a"":[1]}",,,,',
    "true,,,'=1,L,E",
  ]
  const customer = (row: object, i: number) => `${JSON.stringify({ rut: rut(i), amount: 1000, ...row })}\n`
  write(m, 'customers.ndjson', MIXED.map(customer).join(''))
  const { transport } = service((trx, nth) => (trx === 't-2' && nth === 1 ? answer(401, {}) : undefined))
  const first = await m.run('evaluate --from customers.ndjson --out a.csv', { env, transport })
  const again = await m.run('evaluate --from customers.ndjson --resume -o csv', { env, transport })
  expect([first.code, again.code]).toEqual([11, 0])
  for (const text of [readFileSync(join(m.dir, 'a.csv'), 'utf8'), again.stdout]) {
    const [head, ...rows] = lines(text)
    expect([head, ...rows.map((row, i) => row.slice(-String(expected[i + 1]).length))]).toEqual(expected)
  }
  const verified = await m.run('verify --from in.ndjson -o csv', { env, transport })
  expect(lines(verified.stdout)[0]).toMatch(/,note,more,none,constructor,input\.line,input\.errorKind$/)
})

test.each([
  ['1,001 names', (i: number) => `n${i}`, 1001],
  ['long names', (i: number) => `${i}${'x'.repeat(1000)}`, 1000],
])('NDJSON with too many different fields for CSV is refused before anything is sent: %s', async (_, name, count) => {
  using m = machine()
  const row = (_each: unknown, i: number) => `${JSON.stringify({ trx: `t-${i}`, [name(i)]: 1 })}\n`
  write(m, 'in.ndjson', Array.from({ length: count }, row).join(''))
  const { transport, asked } = service(() => undefined)
  const ran = await m.run('verify --from in.ndjson -o csv', { env, transport })
  expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('too many different fields') })
  expect(asked).toEqual([])
  const rows = await m.run('verify --from in.ndjson -o ndjson', { env, transport })
  expect([rows.code, lines(rows.stdout).length]).toEqual([0, count])
})

test('NDJSON with 1,000 different fields can have CSV results', async () => {
  using m = machine()
  const fields = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`n${i}`, i]))
  write(m, 'in.ndjson', JSON.stringify({ trx: 't-1', ...fields }))
  const ran = await m.run('verify --from in.ndjson -o csv', { env, transport: service(() => undefined).transport })
  expect([ran.code, lines(ran.stdout)[1]?.endsWith(',998,999')]).toEqual([0, true])
})

test('a row of NDJSON that is nested too deep to be written is refused before anything is sent', async () => {
  using m = machine()
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  write(m, 'in.ndjson', `{"trx":"t-1","more":${nested(63)}}\n{"trx":"t-2","more":${nested(64)}}\n`)
  const { transport, asked } = service(() => undefined)
  const ran = await m.run('verify --from in.ndjson', { env, transport })
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain('has a problem; nothing was sent\n  line 2: it is nested deeper than 64 levels\n')
  expect(asked).toEqual([])
})

const ID = rut(7)
const NESTED = { Rut: ID, list: [{ 'id-number': ID, keep: [1, null] }], truth: 'x' }

test.each([
  ['csv', `trx,Rut,shop,ID number,rut_cliente\nt-1,${ID},A,${ID},${ID}\n`, 'Rut, ID number, rut_cliente'],
  [
    'ndjson',
    `${JSON.stringify({ trx: 't-1', customerRut: ID, shop: 'A', customer: NESTED })}\n{"trx":"t-2","RUT":1}\n`,
    'customerRut, customer.Rut, customer.list.id-number, RUT',
  ],
])(
  'results leave out the columns that contain national ids, and a note names them once: %s',
  async (form, text, names) => {
    using m = machine()
    write(m, `in.${form}`, text)
    const { transport } = service(() => answer(422, { code: 'ERR' }))
    const recording = '--record r.ndjson'
    const run = `verify --from in.${form} --out r.csv --junit r.xml ${recording}`
    const ran = await m.run(run, { env, transport })
    expect(ran.code).toBe(11)
    expect(ran.stderr).toContain(
      `The results leave out the columns ${names}, because results never contain national ids.\n`,
    )
    expect(ran.stderr.split('leave out')).toHaveLength(2)
    const found = ['r.csv', 'r.xml', 'r.ndjson'].map((name) => readFileSync(join(m.dir, name), 'utf8'))
    for (const output of ['csv', 'ndjson', 'json'])
      found.push((await m.run(`verify --from in.${form} -o ${output}`, { env, transport })).stdout)
    found.push((await m.run('history --json', { env })).stdout)
    for (const each of found) expect(each).not.toMatch(/10000007|rut(?!h)/i)
    for (const each of [found[0], found[3], found[4], found[5]]) expect(each).toMatch(/\bshop\b/)
    if (form === 'ndjson') expect(found[4]).toContain('"customer":{"list":[{"keep":[1,null]}],"truth":"x"}')
    expect(readFileSync(join(m.dir, `r.failed.${form}`), 'utf8').split(ID)).toHaveLength(4)
    const quiet = await m.run(`verify --from in.${form} -q`, { env, transport })
    expect(quiet.stderr).not.toContain('leave out')
  },
)

test.each([
  ['evaluate', 'The results leave out the column rut_titular, because'],
  ['informe download', 'The results leave out the columns rut, rut_titular, because'],
])('the note names only columns with national ids that the command does not read: %s', async (command, note) => {
  using m = machine()
  write(m, 'in.csv', `rut,amount,externalTrxId,preApproveId,rut_titular,truth\n${rut(1)},1000,t-1,p-1,${ID},T\n`)
  const ran = await m.run(`${command} --from in.csv -o csv`, { env, transport: service(() => undefined).transport })
  expect(ran.stderr).toContain(note)
  expect(ran.stdout).not.toMatch(/1000000\d-/)
  expect(ran.stdout).toContain('truth')
})

test.each([
  `${rut(1)},1000,ana@shop.example`,
  `${rut(1).replace('-', '')},1000,ana@shop.example`,
  'sk_canary_0123456789',
  'BNPL_API_KEY=sk_canary_0123456789',
  'ana@shop.example,ana@shop.example',
])('the first line of a file without a header line is not repeated in the error: %s', async (line) => {
  using m = machine()
  write(m, 'in.csv', `${line}\n${line}\n`)
  const ran = await m.run('evaluate --from in.csv', { env })
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain('•••')
  expect(ran.stderr).not.toMatch(/canary|ana@|1000000/)
})
