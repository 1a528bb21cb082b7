import { expect, test } from 'vitest'
import type { PaymentEnd, PaymentSession, Payments } from '../service/payments.ts'
import { createCheckout } from './checkout.ts'

const session: PaymentSession = {
  externalTrxId: 'T1',
  merchantName: 'Tienda',
  amount: 1000,
  options: [{ installments: 3, amount: 350, total: 1050 }],
  selected: undefined,
  asks: 'option',
  chosen: undefined,
  leaves: false,
  isDirect: false,
  preApproveId: 'p1',
  firstDueDate: '2026-04-01',
  expiresAt: '2026-03-01T12:10:00.000Z',
  remainingMs: 600_000,
}
const paid: PaymentEnd = { ok: true, outcome: 'paid', externalTrxId: 'T1', preApproveId: 'p1' }

/** Payments whose confirmation takes as long as the test says. */
function slowPayments(confirm: () => Promise<PaymentEnd>) {
  const confirmed: number[] = []
  const used = new Set<string>()
  const payments: Payments = {
    session: async (token) => (used.has(token) ? { ok: false, problem: 'used' } : { ok: true, session }),
    confirm: async (token, _key, installments) => {
      confirmed.push(installments)
      const end = await confirm()
      used.add(token)
      return end
    },
    identify: async () => paid,
    answer: async () => paid,
    cancel: async () => ({ ...paid, outcome: 'cancelled' }),
    expire: async () => {},
    takeFault: async () => undefined,
    another: async () => ({ externalTrxId: 'T2', preApproveId: 'p2' }),
  }
  return { confirmed, used, checkout: createCheckout(payments, () => 0) }
}

test('a second click waits for the first one and asks the service nothing', async () => {
  const answer = Promise.withResolvers<PaymentEnd>()
  const { confirmed, checkout } = slowPayments(() => answer.promise)
  const clicks = [
    checkout.act('t', 'k', { kind: 'confirm', installments: 3 }),
    checkout.act('t', 'k', { kind: 'confirm', installments: 3 }),
    checkout.act('t', 'k', { kind: 'cancel' }),
  ]
  answer.resolve(paid)
  expect(await Promise.all(clicks)).toEqual([{ kind: 'done' }, { kind: 'done' }, { kind: 'done' }])
  expect(confirmed).toEqual([3])
  expect(await checkout.open('t', 'k')).toMatchObject({ kind: 'ended', ended: { end: { outcome: 'paid' } } })
})

test('a result is shown only for its token and its key', async () => {
  const { checkout } = slowPayments(async () => paid)
  await checkout.act('t', 'k', { kind: 'confirm', installments: 3 })
  expect((await checkout.open('t', 'k')).kind).toBe('ended')
  expect((await checkout.open('t', 'other')).kind).toBe('problem')
  expect((await checkout.open('other', 'k')).kind).toBe('payment')
})

test('after a reset of the state the payment is open again', async () => {
  const { confirmed, used, checkout } = slowPayments(async () => paid)
  await checkout.act('t', 'k', { kind: 'confirm', installments: 3 })
  used.clear()
  expect((await checkout.open('t', 'k')).kind).toBe('payment')
  await checkout.act('t', 'k', { kind: 'confirm', installments: 3 })
  expect((await checkout.open('t', 'k')).kind).toBe('ended')
  expect(confirmed).toEqual([3, 3])
})

test('a confirmation that failed can be sent again', async () => {
  let calls = 0
  const { confirmed, checkout } = slowPayments(async () => {
    if (calls++ === 0) throw new Error('disk full')
    return paid
  })
  await expect(checkout.act('t', 'k', { kind: 'confirm', installments: 3 })).rejects.toThrow('disk full')
  expect((await checkout.open('t', 'k')).kind).toBe('payment')
  expect(await checkout.act('t', 'k', { kind: 'confirm', installments: 3 })).toEqual({ kind: 'done' })
  expect(confirmed).toEqual([3, 3])
})

test('only a limited number of results is remembered', async () => {
  const { checkout } = slowPayments(async () => paid)
  for (let token = 0; token <= 1000; token++)
    await checkout.act(String(token), 'k', { kind: 'confirm', installments: 3 })
  expect((await checkout.open('0', 'k')).kind).toBe('problem')
  expect((await checkout.open('1', 'k')).kind).toBe('ended')
})
