import { expect, test } from 'vitest'
import { answer, env, lines, options, rowsOf, service, write } from '../kit/bulk-kit.ts'
import { customers } from '../kit/customer-rows.ts'
import { machine } from '../kit/harness.ts'
import { loan } from '../kit/loan.ts'

/** The fields that a service adds to its answers. A run must not take any of them for its own. */

const FIELDS = [
  { outcome: 'unknown' },
  { outcome: 'failed', error: 'x' },
  { outcome: { a: 1 }, line: 99 },
  { outcome: '__proto__', differences: 'y' },
  { error: null, answeredExternalTrxId: 'other', expectedAmount: 1, expectedState: 'X', expectedPeriods: 1 },
]

const service5 = (data: (trx: string) => object) =>
  service((trx) => answer(200, { data: { ...data(trx), ...FIELDS[Number(trx.slice(2)) - 1] } }))

const renamed = (fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`answer.${name}`, value]))

test.each([
  ['evaluate', (trx: string) => ({ preApproveId: `P-${trx}`, installmentOptions: options })],
  ['verify', (trx: string) => loan(trx)],
])('no field of an answer changes the outcome of a row: %s', async (command, data) => {
  using m = machine()
  write(m, 'in.csv', command === 'verify' ? 'trx\nt-1\nt-2\nt-3\nt-4\nt-5\n' : customers(5))
  const { transport, asked } = service5(data)
  const ran = await m.run(`${command} --from in.csv --out o.ndjson`, { env, transport })
  expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringMatching(/unknown|failed|fault/)])
  const { code, stdout } = await m.run(`${command} --from in.csv -o ndjson --restart`, { env, transport })
  expect(code).toBe(0)
  expect(lines(stdout)).toHaveLength(5)
  for (const [i, row] of rowsOf(stdout).entries())
    expect(row).toMatchObject({ line: i + 2, externalTrxId: `t-${i + 1}`, outcome: 'ok', ...renamed(FIELDS[i] ?? {}) })
  expect(lines(stdout)[2]).not.toContain('"line":99')
  expect(asked).toHaveLength(10)
})

test('the result of an evaluation shows when the answer names another transaction or another amount', async () => {
  using m = machine()
  write(m, 'in.csv', customers(2))
  const { transport } = service((trx) =>
    answer(200, {
      data: { preApproveId: 'P', installmentOptions: options, externalTrxId: 't-1', amount: trx === 't-1' ? 1000 : 7 },
    }),
  )
  const ran = await m.run('evaluate --from in.csv -o ndjson', { env, transport })
  const [same, other] = rowsOf(ran.stdout)
  expect(Object.keys(same)).not.toContain('answeredExternalTrxId')
  expect(Object.keys(same)).not.toContain('answer.amount')
  expect(other).toMatchObject({ externalTrxId: 't-2', answeredExternalTrxId: 't-1', amount: 1001, 'answer.amount': 7 })
})
