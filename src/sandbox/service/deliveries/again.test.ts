import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { sandboxKit } from '../../../../test/kit/sandbox-kit.ts'
import { verifySignature } from '../../../domain/signature.ts'
import { DEFAULT_SIGNATURE } from '../../../domain/signature-settings.ts'
import type { SandboxOptions } from '../../sandbox.ts'

/** A message that the shop received. `signed` says whether it was signed with the secret of the destination. */
interface Got {
  method: string
  body: string
  signed: boolean
}

/** Makes a sandbox with one destination, which is a shop that answers everything with one status. */
async function shopKit(status = 200, options: Partial<SandboxOptions> = {}) {
  const kit = await sandboxKit({ customer: true, isPrivate: true, ...options })
  const got: Got[] = []
  let secret = ''
  const server = createServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray())
    const signature = String(request.headers['service-signature'] ?? '')
    const signed = verifySignature(signature, bytes, [secret], DEFAULT_SIGNATURE)
    got.push({ method: request.method ?? '', body: bytes.toString(), signed })
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/hook`
  secret = (await kit.send('POST', '/partner/webhook', { form: { url } })).data.secret
  const pay = async (trx: string) => {
    await kit.evaluate(trx)
    await kit.control('pay', { externalTrxId: trx })
  }
  return {
    kit,
    got,
    pay,
    /** Pays a transaction to whose event a fault applies, and waits until nothing is being sent. */
    async payWith(kind: string) {
      await kit.control('faultAdd', { endpoint: 'delivery', kind })
      await pay('t1')
      await kit.sandbox.deliverer.idle(5_000)
      return got
    },
    attempts: async () => (await kit.control('deliveries')).data.toReversed(),
    /** Moves the clock on, and waits until nothing is being sent. */
    async later(ms: number) {
      kit.clock.advance(ms)
      await kit.sandbox.tick()
      await kit.sandbox.deliverer.idle(5_000)
    },
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve))
      await kit[Symbol.asyncDispose]()
    },
  }
}

const dataOf = ({ body }: Got) => JSON.parse(body)
const SENT = { method: 'POST', signed: true, body: expect.stringContaining('"t1"') }

test('the fault “twice” delivers an event twice, byte for byte', async () => {
  await using shop = await shopKit()
  const [first, second, ...more] = await shop.payWith('twice')
  expect(first).toEqual(SENT)
  expect(second).toEqual(first)
  expect(more).toEqual([])
  expect(await shop.attempts()).toMatchObject([
    { state: 'delivered', fault: 'twice', attempts: [{ chaos: null }, { chaos: 'twice' }] },
  ])
  // The fault applies to only one delivery, so not to this one.
  await shop.pay('t2')
  await shop.kit.sandbox.deliverer.idle(5_000)
  expect(shop.got).toHaveLength(3)
})

test('the fault “late” delays an event by 2 s of the sandbox’s time', async () => {
  await using shop = await shopKit()
  expect(await shop.payWith('late')).toEqual([])
  await shop.later(2_001)
  expect(shop.got).toEqual([SENT])
})

test('the fault “early” delivers an event before the payment page redirects to the shop', async () => {
  await using shop = await shopKit()
  const { kit } = shop
  await kit.control('faultAdd', { endpoint: 'delivery', kind: 'early' })
  await kit.evaluate('t1')
  const { widgetToken } = (await kit.startWidget('t1')).data
  const query = new URLSearchParams({
    widgetToken,
    publicKey: kit.bnpl.publicKey,
    successReturnUrl: 'https://shop.example/ok',
    errorReturnUrl: 'https://shop.example/error',
  })
  expect((await kit.send('GET', `/pay/?${query}`, { key: null })).status).toBe(303)
  expect(shop.got).toEqual([SENT])
})

test('the fault “out-of-order” delivers an event after the next event, or 2 s late if there is no next event', async () => {
  await using shop = await shopKit()
  expect(await shop.payWith('out-of-order')).toEqual([])
  await shop.pay('t2')
  await shop.kit.sandbox.deliverer.idle(5_000)
  expect(shop.got.map((each) => dataOf(each).data.externalTrxId)).toEqual(['t2', 't1'])
  await shop.kit.control('faultAdd', { endpoint: 'delivery', kind: 'out-of-order' })
  await shop.pay('t3')
  await shop.later(2_001)
  expect(shop.got).toHaveLength(3)
})

test('the fault “never” prevents the delivery of an event', async () => {
  await using shop = await shopKit()
  expect(await shop.payWith('never')).toEqual([])
  await shop.later(3_600_000)
  expect(shop.got).toEqual([])
  expect(await shop.attempts()).toMatchObject([{ state: 'lost', fault: 'never', attempts: [] }])
})

test('the fault “wrong-signature” sends a copy with a wrong signature before the event', async () => {
  await using shop = await shopKit()
  const [forged, genuine] = await shop.payWith('wrong-signature')
  expect(genuine).toEqual(SENT)
  expect(forged).toEqual({ ...genuine, signed: false })
})

test('the fault “other-body” sends other amounts under the same eventId after the event', async () => {
  await using shop = await shopKit()
  const [genuine, other] = (await shop.payWith('other-body')).map(dataOf)
  expect(genuine.data.loanAmount).toBe(250_000)
  expect(other.eventId).toBe(genuine.eventId)
  expect(other.data).toMatchObject({ externalTrxId: 't1', loanAmount: 249_999 })
  expect(shop.got.every(({ signed }) => signed)).toBe(true)
})

test('the fault “redirected” sends a GET without a body before the event', async () => {
  await using shop = await shopKit()
  expect(await shop.payWith('redirected')).toEqual([{ method: 'GET', signed: false, body: '' }, SENT])
})

test('the fault “of-another” sends an event about a transaction of another shop before the event', async () => {
  await using shop = await shopKit()
  const [other, genuine] = await shop.payWith('of-another')
  expect(genuine).toEqual(SENT)
  expect(other).toMatchObject({ method: 'POST', signed: true })
  expect(dataOf(other as Got).data.externalTrxId).toBe('another-t1')
  expect(dataOf(other as Got).eventId).not.toBe(dataOf(genuine as Got).eventId)
})

test('a fault adds its extra message only to the first attempt of a delivery, not to a retry', async () => {
  await using shop = await shopKit(500)
  await shop.payWith('wrong-signature')
  await shop.later(6_001)
  expect(shop.got.map(({ signed }) => signed)).toEqual([false, true, true])
})

test('a delivery whose answer was lost is sent again, so the shop gets the same event twice', async () => {
  const asked: string[] = []
  const losesAnswer = async (id: string) => asked.push(id) === 1
  await using shop = await shopKit(200, { losesAnswer })
  await shop.pay('t1')
  await shop.kit.sandbox.deliverer.idle(5_000)
  expect(shop.got).toHaveLength(1)
  expect(await shop.attempts()).toMatchObject([
    { state: 'pending', attempts: [{ status: null, answer: '', error: 'ECONNRESET', chaos: null }] },
  ])
  await shop.later(60_000)
  expect(new Set(shop.got.map(({ body }) => body)).size).toBe(1)
  const [delivery] = await shop.attempts()
  expect([shop.got.length, delivery.state, asked]).toEqual([2, 'delivered', [delivery.deliveryId, delivery.deliveryId]])
})
