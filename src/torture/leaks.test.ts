import { expect, test } from 'vitest'
import { readOrders } from './facts.ts'
import { findLeaks } from './leaks.ts'

const FORBIDDEN = { keys: ['sk_sandbox_1234567890'], secrets: ['whsec-1'], nationalIds: ['12345678-5', '7654321-K'] }
const leaksIn = (text: string, isLog = true) =>
  findLeaks([{ where: 'x', text, isLog }], FORBIDDEN).map(({ what }) => what)

test.each([
  ['Authorization: Bearer sk_sandbox_1234567890', ['an API key']],
  ['customer 12345678-5 was refused', ['a national id']],
  ['customer 12.345.678-5 was refused', ['a national id']],
  ['rut=123456785&x', ['a national id']],
  ['7.654.321-k', ['a national id']],
  ['secret whsec-1', ['the secret of a destination']],
  ['order 912345678-5', []],
  ['order 12345678-51', []],
  ['•••••678-5, sk_…7890', []],
])('%s', (text, found) => {
  expect(leaksIn(text)).toEqual(found)
})

test('a shop may keep national ids and the secret of its destination in its database, but no key', () => {
  expect(leaksIn('12345678-5 whsec-1', false)).toEqual([])
  expect(leaksIn('sk_sandbox_1234567890', false)).toEqual(['an API key'])
})

test('orders are read one per line, and a line that is not an order is reported with its number', () => {
  const line = '{"externalTrxId":"A","paid":true,"fulfilled":1,"amount":5,"other":[]}'
  expect(readOrders(`${line}\r\n\n`)).toEqual({
    ok: true,
    orders: [{ externalTrxId: 'A', paid: true, fulfilled: 1, amount: 5 }],
  })
  expect(readOrders('')).toEqual({ ok: true, orders: [] })
  const problem = (text: string) => readOrders(text)
  expect(problem(`${line}\n${line}`)).toEqual({ ok: false, problem: 'line 2 lists an order a second time' })
  expect(problem('> npm run orders')).toEqual({ ok: false, problem: 'line 1 is not JSON' })
  expect(problem('[]')).toEqual({ ok: false, problem: 'line 1 is not an object' })
  expect(problem('{"externalTrxId":"A","paid":"yes","fulfilled":1}')).toMatchObject({ ok: false })
  expect(problem('{"externalTrxId":"A","paid":true,"fulfilled":-1}')).toMatchObject({ ok: false })
})
