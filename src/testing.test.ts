import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from './testing.ts'
import { createWebhooks, type WebhookEvent } from './webhooks.ts'

const TRX = 'order-1'
const customer = (sandbox: Sandbox) => ({
  idNumber: '11222333-9',
  amount: 250_000,
  entityId: sandbox.account().entityId,
  externalTrxId: TRX,
})

/** Evaluates a customer of the sandbox and pays the transaction. */
async function paid(sandbox: Sandbox) {
  await sandbox.client().evaluate(customer(sandbox))
  return sandbox.pay(TRX)
}

describe('a sandbox for a test', () => {
  test('is the whole service for a client, even without a port', async () => {
    await using sandbox = await startSandbox({ port: false })
    const client = sandbox.client()
    const { preApproveId } = await client.evaluate(customer(sandbox))
    await expect(client.verifyLoan(TRX)).rejects.toMatchObject({ kind: 'not-found' })
    expect(await sandbox.pay(TRX, { installments: 6 })).toMatchObject({
      outcome: 'paid',
      preApproveId,
      installments: 6,
    })
    expect(await client.verifyLoan(TRX)).toMatchObject({ state: 'ACTIVE', loanAmount: 250_000 })
    await expect(sandbox.pay(TRX)).rejects.toMatchObject({ code: 'ERR_TRANSACTION_ALREADY_PAID' })
    expect((await sandbox.requests()).map(({ status }) => status)).toEqual([200, 404, 200])
  })

  test('answers HTTP requests at its address, and gives the environment variables that a shop needs', async () => {
    await using sandbox = await startSandbox()
    const { BNPL_BASE_URL, BNPL_API_KEY, BNPL_ENTITY_ID, BNPL_PAYMENT_URL, BNPL_PUBLIC_KEY } = sandbox.env
    const answer = await fetch(`${BNPL_BASE_URL}/partner/pre-loan-request/bnpl`, {
      method: 'POST',
      headers: { authorization: `Bearer ${BNPL_API_KEY}` },
      body: new URLSearchParams({
        idNumber: '11222333-9',
        amount: '250000',
        entityId: `${BNPL_ENTITY_ID}`,
        externalTrxId: TRX,
      }),
    })
    expect(answer.status).toBe(200)
    const page = await fetch(`${BNPL_PAYMENT_URL}?publicKey=${BNPL_PUBLIC_KEY}`)
    expect(await page.text()).toContain('<html')
    await sandbox.close()
    await expect(fetch(sandbox.baseUrl)).rejects.toThrow()
  })

  test('sends signed events to the shop, and lists each delivery with its attempts', async () => {
    await using sandbox = await startSandbox()
    const events: WebhookEvent[] = []
    const receive = { secret: '', handler: createWebhooks({ secret: 'x', onEvent: () => {}, onError: () => {} }) }
    const server = createServer((request, response) => receive.handler.node(request, response)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { secret } = await sandbox.client().registerWebhook(`http://127.0.0.1:${port}/hook`)
    receive.handler = createWebhooks({
      secret: String(secret),
      onEvent: (event) => void events.push(event),
      onError: () => {},
    })
    await paid(sandbox)
    await sandbox.delivered()
    expect(events).toMatchObject([{ event: 'loan_approved', data: { externalTrxId: TRX } }])
    expect(await sandbox.deliveries()).toMatchObject([{ type: 'loan_approved', attempts: [{ status: 200 }] }])
    server.close()
  })

  test('has leads of its real-estate account', async () => {
    await using sandbox = await startSandbox({ port: false })
    const { leadId, preApproveId } = await sandbox.lead({ outcome: 'approved', evaluateInMs: 0 })
    const client = sandbox.client(sandbox.account('real-estate'))
    expect(await client.evaluationByLead(leadId)).toMatchObject({ idPreAprobacion: preApproveId })
    expect(await client.listLeads()).toHaveLength(1)
  })

  test('has a clock that a test moves', async () => {
    await using sandbox = await startSandbox({ port: false })
    const before = await sandbox.clock.now()
    const after = await sandbox.clock.advance('11m')
    expect(after.getTime() - before.getTime()).toBeGreaterThanOrEqual(660_000)
    await sandbox.clock.advance(1000)
    for (const wrong of ['soon', -1, 1.5])
      await expect(sandbox.clock.advance(wrong)).rejects.toMatchObject({ kind: 'config' })
  })

  test('fails with the fault that a test arms, and works again after the fault is cleared', async () => {
    await using sandbox = await startSandbox({ port: false })
    const clear = await sandbox.fault('verifyLoan', { status: 503, times: null })
    await expect(sandbox.client().verifyLoan(TRX)).rejects.toMatchObject({ kind: 'service' })
    await clear()
    await clear()
    await expect(sandbox.client().verifyLoan(TRX)).rejects.toMatchObject({ kind: 'not-found' })
    await sandbox.fault('evaluate', { cut: true })
    await expect(sandbox.client().evaluate(customer(sandbox))).rejects.toMatchObject({ kind: 'outcome-unknown' })
    await expect(sandbox.fault('verifyLoan', {})).rejects.toThrow('this fault has no effect')
  })

  test('confirms payments at its page automatically, and accepts kinds of fault for calls, deliveries and the page', async () => {
    await using sandbox = await startSandbox({ customer: true })
    const client = sandbox.client()
    const payUrl = async (trx: string) => {
      await client.evaluate({ ...customer(sandbox), externalTrxId: trx })
      const { idNumber: _, ...order } = { ...customer(sandbox), externalTrxId: trx }
      const { widgetToken } = await client.startWidget({ ...order, email: 'ana@example.com' })
      const back = { successReturnUrl: 'http://127.0.0.1:9/ok', errorReturnUrl: 'http://127.0.0.1:9/error' }
      const query = new URLSearchParams({
        widgetToken: String(widgetToken),
        publicKey: sandbox.account().publicKey,
        ...back,
      })
      return `${sandbox.paymentUrl}/?${query}`
    }
    const leadsTo = async (address: string) => (await fetch(address, { redirect: 'manual' })).headers.get('location')
    expect(await leadsTo(await payUrl(TRX))).toContain('/ok?')
    await sandbox.fault('page', { kind: 'cancelled' })
    expect(await leadsTo(await payUrl('other'))).toContain('/error?')
    await sandbox.fault('verifyLoan', { kind: 'other-state' })
    expect((await client.verifyLoan(TRX)).state).toBe('CANCELLED')
    await sandbox.fault('delivery', { kind: 'never' })
    expect(sandbox.env.BNPL_WEBHOOK_SECRET).toBe((await client.registerWebhook('http://127.0.0.1:9/hook')).secret)
  })

  test('can be put back to a snapshot several times', async () => {
    await using sandbox = await startSandbox({ port: false })
    await sandbox.client().evaluate(customer(sandbox))
    const back = await sandbox.snapshot()
    for (let i = 0; i < 2; i++) {
      expect(await sandbox.pay(TRX)).toMatchObject({ outcome: 'paid' })
      await back()
    }
  })

  test('carries out no call whose signal was aborted before, and ends a call whose signal is aborted later', async () => {
    await using sandbox = await startSandbox({ port: false })
    const client = sandbox.client()
    const reason = new Error('the customer has left')
    const early = client.evaluate(customer(sandbox), { signal: AbortSignal.abort(reason) })
    await expect(early).rejects.toBe(reason)
    expect(await sandbox.requests()).toEqual([])
    const aborting = new AbortController()
    const { signal } = aborting
    const calls = [client.evaluate(customer(sandbox), { signal }), client.listWebhooks({ signal })]
    aborting.abort(reason)
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes).toMatchObject([{ reason: { kind: 'outcome-unknown' } }, { reason }])
    await expect.poll(async () => (await sandbox.requests()).map(({ status }) => status)).toEqual([200, 200])
  })

  test('rejects unanswered and later calls with the code SANDBOX_CLOSED after being closed', async () => {
    const sandbox = await startSandbox({ port: false })
    const client = sandbox.client()
    await sandbox.fault('listWebhooks', { delayMs: 10_000 })
    const unanswered = client.listWebhooks().catch((error: unknown) => error)
    await sandbox.close()
    const closed = { kind: 'usage', code: 'SANDBOX_CLOSED', message: 'the sandbox is closed' }
    expect(await unanswered).toMatchObject(closed)
    for (const call of [
      () => client.verifyLoan(TRX),
      () => sandbox.client().evaluate(customer(sandbox)),
      () => sandbox.pay(TRX),
      () => sandbox.lead(),
      () => sandbox.clock.now(),
      () => sandbox.fault('verifyLoan', { cut: true }),
      () => sandbox.requests(),
      () => sandbox.delivered(),
      () => sandbox.snapshot(),
    ])
      await expect(call()).rejects.toMatchObject(closed)
    await sandbox.close()
  })

  test('shares no data and no API key with another sandbox', async () => {
    const sandboxes = await Promise.all(Array.from({ length: 20 }, () => startSandbox()))
    await paid(sandboxes[0] as Sandbox)
    for (const other of sandboxes.slice(1))
      await expect(other.client().verifyLoan(TRX)).rejects.toMatchObject({ kind: 'not-found' })
    expect(new Set(sandboxes.map(({ env }) => env.BNPL_API_KEY)).size).toBe(20)
    await Promise.all(sandboxes.map((each) => each.close()))
  })

  test('reports a taken port as a config error', async () => {
    await using one = await startSandbox()
    const port = Number(new URL(one.baseUrl).port)
    await expect(startSandbox({ port })).rejects.toMatchObject({ kind: 'config' })
  })
})
