import { expect, test } from 'vitest'
import { env, lines, rowsOf, service, write } from './bulk-kit.ts'
import { rut } from './customer-rows.ts'
import { machine } from './harness.ts'

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

test('a row may have the name of a field as a value, and below the outermost level', async () => {
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
