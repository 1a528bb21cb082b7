import { openServer, type openWindowKit } from '../test/browser/window-kit.ts'

type Kit = Awaited<ReturnType<typeof openWindowKit>>

/**
 * Fills a sandbox with what a small shop has after a morning: payments in every state, and a receiver that fails for every third delivery.
 * Returns the receiver.
 */
export async function busyMorning(kit: Kit) {
  let calls = 0
  const receiver = await openServer((request, response) => {
    request.resume()
    response.writeHead(++calls % 3 === 0 ? 500 : 204).end()
  })
  await kit.call('/partner/webhook', { url: `${receiver.url}/webhooks/bnpl` })
  const orders = [149_990, 89_900, 312_000, 45_500, 250_000, 178_000].map(
    (amount, i) => [`order-${1001 + i}`, amount] as const,
  )
  for (const [trx, amount] of orders) await kit.evaluate(trx, { amount })
  await kit.evaluate('order-1007', { rut: '11111111-1', amount: 64_000 })
  for (const [trx, amount] of orders.slice(1)) await kit.payAddress(trx, `${kit.baseUrl}/`, amount)
  for (const [trx] of orders.slice(2, 5)) {
    await kit.control('pay', { externalTrxId: trx, installments: 6, reject: trx === 'order-1004' })
  }
  await kit.verify('order-1005')
  return receiver
}
