import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { BASE, sandboxKit } from '../../../test/kit/sandbox-kit.ts'

type Kit = Awaited<ReturnType<typeof sandboxKit>>

/** The address of the payment page for a transaction, as the shop makes it. */
async function payAddress(
  kit: Kit,
  trx: string,
  { rut = '11222333-9', shop = 'https://shop.example', ok = '/ok?cart=7' } = {},
) {
  const { preApproveId } = (await kit.evaluate(trx, { rut })).data ?? {}
  const { widgetToken } = (await kit.startWidget(trx)).data
  const query = new URLSearchParams({
    widgetToken,
    publicKey: kit.bnpl.publicKey,
    successReturnUrl: `${shop}${ok}`,
    errorReturnUrl: `${shop}/error`,
  })
  return { address: `/pay/?${query}`, preApproveId }
}

/** Opens the page as a plain HTTP client does, without a browser. */
const open = (kit: Kit, address: string) => kit.send('GET', address, { key: null })

/** A shop that records which of its pages a customer opened. */
async function listeningShop() {
  const opened: string[] = []
  const server = createServer((request, response) => {
    opened.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    shop: `http://127.0.0.1:${port}`,
    opened,
    [Symbol.asyncDispose]: async () => void (await new Promise((resolve) => server.close(resolve))),
  }
}

test('with the customer setting, the first GET pays and redirects at once, and creates the loan and its event', async () => {
  await using kit = await sandboxKit({ customer: true, allowHttp: true })
  await kit.send('POST', '/partner/webhook', { form: { url: 'http://127.0.0.1:9/hook' } })
  const { address, preApproveId } = await payAddress(kit, 't1')
  const { status, headers } = await open(kit, address)
  expect(status).toBe(303)
  expect(headers.location).toBe(`https://shop.example/ok?cart=7&preApproveId=${preApproveId}&externalTrxId=t1`)
  expect((await kit.verify('t1')).data).toMatchObject({ state: 'ACTIVE', loanAmount: 250_000 })
  expect((await kit.control('deliveries')).data).toMatchObject([{ type: 'loan_approved', subject: 't1' }])
  // A reload does not pay a second time, and redirects to the same address.
  expect((await open(kit, address)).headers.location).toBe(headers.location)
  expect((await kit.control('status')).data.loans).toBe(1)
})

test.each([
  ['/ok?q=a+b&u=%E1', '/ok?q=a+b&u=%E1&'],
  ['/ok?sig=a%2Fb&flag&q=a%20b', '/ok?sig=a%2Fb&flag&q=a%20b&'],
  ['/ok?a=1;b=2', '/ok?a=1;b=2&'],
  ["/a/./b?x='1'", "/a/./b?x='1'&"],
  ['/año?ñ=1 2', '/a%C3%B1o?%C3%B1=1%202&'],
])('the customer returns to the merchant’s own address %s, with no byte of it changed', async (ok, expected) => {
  await using kit = await sandboxKit({ customer: true })
  const { address, preApproveId } = await payAddress(kit, 't1', { ok })
  const { location } = (await open(kit, address)).headers
  expect(location).toBe(`https://shop.example${expected}preApproveId=${preApproveId}&externalTrxId=t1`)
})

test('HEAD and OPTIONS, as from a link preview or a proxy, make no payment and use up no fault', async () => {
  await using kit = await sandboxKit({ customer: true })
  await kit.control('faultAdd', { endpoint: 'page', kind: 'cancelled' })
  const { address } = await payAddress(kit, 't1')
  const limits = { headers: {}, timeoutMs: 1000, maxBytes: 1e6 }
  const ask = async (method: string) =>
    (await kit.sandbox.transport({ method, url: `${BASE}${address}`, ...limits })).status
  expect([await ask('HEAD'), await ask('OPTIONS'), await ask('HEAD')]).toEqual([200, 405, 200])
  expect((await kit.control('status')).data).toMatchObject({ loans: 0 })
  expect((await open(kit, address)).headers.location).toContain('/error?')
  expect(await ask('HEAD')).toBe(303)
  expect((await kit.control('status')).data.loans).toBe(0)
})

test('the page pays with the option that the merchant reported', async () => {
  await using kit = await sandboxKit({ customer: true })
  const { address, preApproveId } = await payAddress(kit, 't1')
  const form = { preApproveId, externalTrxId: 't1', installmentOption: '12', amount: '250000' }
  await kit.send('POST', '/partner/pre-loan-request/loan-request', { form })
  await open(kit, address)
  expect((await kit.verify('t1')).data.periods).toBe(12)
})

test('a rejected or expired payment redirects to the error address, and an invalid token does not redirect', async () => {
  await using kit = await sandboxKit({ customer: true })
  const { address, preApproveId } = await payAddress(kit, 't1', { rut: '77777777-7' })
  const back = (trx: string, id: string) => `https://shop.example/error?preApproveId=${id}&externalTrxId=${trx}`
  expect((await open(kit, address)).headers.location).toBe(back('t1', preApproveId))
  expect((await kit.verify('t1')).status).toBe(404)
  const late = await payAddress(kit, 't2')
  kit.clock.advance(600_001)
  expect((await open(kit, late.address)).headers.location).toBe(back('t2', late.preApproveId))
  expect((await open(kit, late.address.replace('widgetToken=', 'widgetToken=x'))).status).toBe(400)
})

test('the embedded page also pays, and informs the parent page instead of redirecting', async () => {
  await using kit = await sandboxKit({ customer: true })
  const { address } = await payAddress(kit, 't1')
  const { status, text } = await open(
    kit,
    `${address.replace('/pay/', '/pay/embed')}&parentOrigin=https://shop.example`,
  )
  expect(status).toBe(200)
  expect(text).toContain('data-success')
  expect((await kit.verify('t1')).status).toBe(200)
})

test('without the customer setting, the page waits for a person', async () => {
  await using kit = await sandboxKit()
  expect((await open(kit, (await payAddress(kit, 't1')).address)).status).toBe(200)
  expect((await kit.control('status')).data.loans).toBe(0)
})

test.each([
  ['expired', 'error', 0],
  ['cancelled', 'error', 0],
  ['rejected', 'error', 0],
  ['second-attempt', 'ok', 1],
  ['return-twice', 'ok', 1],
] as const)('with the fault %s the customer comes back to %s, and there are %i loans', async (kind, page, loans) => {
  await using kit = await sandboxKit({ customer: true, allowHttp: true })
  await using shop = await listeningShop()
  await kit.control('faultAdd', { endpoint: 'page', kind })
  const { address } = await payAddress(kit, 't1', shop)
  const { location = '' } = (await open(kit, address)).headers
  expect(location.slice(shop.shop.length)).toMatch(new RegExp(`^/${page}\\?.*externalTrxId=t1$`))
  expect((await kit.control('status')).data.loans).toBe(loans)
  const before = { 'second-attempt': '/error?', 'return-twice': '/ok?' }[String(kind)]
  expect(shop.opened).toEqual(before === undefined ? [] : [expect.stringContaining(before)])
  // The fault changed only the first payment.
  const next = await payAddress(kit, 't2', shop)
  expect((await open(kit, next.address)).headers.location).toContain('/ok?')
})

test('with the fault no-return the payment is made and the page does not redirect', async () => {
  await using kit = await sandboxKit({ customer: true })
  await kit.control('faultAdd', { endpoint: 'page', kind: 'no-return' })
  const { status, text } = await open(kit, (await payAddress(kit, 't1')).address)
  expect(status).toBe(200)
  expect(text).not.toContain('data-return')
  expect((await kit.verify('t1')).status).toBe(200)
})

test('with the fault return-of-another the parameters are those of another transaction, a paid one if there is one', async () => {
  await using kit = await sandboxKit({ customer: true })
  const comeBack = async (trx: string) => {
    await kit.control('faultAdd', { endpoint: 'page', kind: 'return-of-another' })
    const { address } = await payAddress(kit, trx)
    return new URL((await open(kit, address)).headers.location ?? '').searchParams
  }
  expect((await comeBack('t1')).get('externalTrxId')).toBe('another-t1')
  await payAddress(kit, 'unpaid')
  const params = await comeBack('t2')
  expect(params.get('externalTrxId')).toBe('t1')
  expect(params.get('preApproveId')).toMatch(/^\w+/)
})

test('with the fault return-undefined every parameter is the text undefined', async () => {
  await using kit = await sandboxKit({ customer: true })
  await kit.control('faultAdd', { endpoint: 'page', kind: 'return-undefined' })
  const { headers } = await open(kit, (await payAddress(kit, 't1')).address)
  expect(headers.location).toBe('https://shop.example/ok?cart=7&preApproveId=undefined&externalTrxId=undefined')
})

test('a fault of the page applies to a person at the page, too', async () => {
  await using kit = await sandboxKit()
  await kit.control('faultAdd', { endpoint: 'page', kind: 'return-undefined' })
  const { address } = await payAddress(kit, 't1')
  const form = { ...Object.fromEntries(new URL(address, BASE).searchParams), action: 'confirm', installments: '6' }
  const { headers } = await kit.send('POST', '/pay/', { form, key: null })
  const { text } = await open(kit, headers.location ?? '')
  expect(text).toContain('externalTrxId=undefined')
})

/** The address of the page for a transaction that was never evaluated. */
async function unknownAddress(kit: Kit, trx: string) {
  const { widgetToken } = (await kit.startWidget(trx)).data
  const query = {
    publicKey: kit.bnpl.publicKey,
    successReturnUrl: 'https://shop.example/ok',
    errorReturnUrl: 'https://shop.example/error',
  }
  return `/pay/?${new URLSearchParams({ widgetToken, ...query })}`
}

test('without an evaluation the customer types the national id of the approved test customer', async () => {
  await using kit = await sandboxKit({ customer: true })
  const { headers } = await open(kit, await unknownAddress(kit, 't1'))
  expect(headers.location).toMatch(/^https:\/\/shop\.example\/ok\?preApproveId=[0-9a-f-]{36}&externalTrxId=t1$/)
  expect((await kit.verify('t1')).data).toMatchObject({ state: 'ACTIVE' })
})

test.each([
  ['22222222-2', 'SIGNATURE_FAILED'],
  ['44444444-4', 'USER_HAS_ACTIVE_LOAN'],
  ['77777777-7', 'RISK_REJECTED'],
])('the test customer %s is sent to the error address, with the reason %s', async (rut, reason) => {
  await using kit = await sandboxKit({ customer: true })
  const { address } = await payAddress(kit, 't1', { rut })
  expect((await open(kit, address)).headers.location).toContain('/error?')
  expect((await kit.control('payment', { externalTrxId: 't1' })).data).toMatchObject({ step: 'ARCHIVED_FAIL', reason })
})

test('the test customer 33333333-3 types a right code, and pays', async () => {
  await using kit = await sandboxKit({ customer: true })
  const { address } = await payAddress(kit, 't1', { rut: '33333333-3' })
  expect((await open(kit, address)).headers.location).toContain('/ok?')
})

test.each([
  ['12121212-9', 'READY_FOR_LOAN'],
  ['13131313-6', 'PAYMENT_SUBSCRIPTION'],
  ['14141414-3', 'AUTHORIZATION'],
])('the test customer %s leaves the page at %s, and a reload changes nothing', async (rut, step) => {
  await using kit = await sandboxKit({ customer: true })
  const { address } = await payAddress(kit, 't1', { rut })
  for (let visit = 0; visit < 2; visit++) {
    expect((await open(kit, address)).status).toBe(200)
    expect((await kit.control('payment', { externalTrxId: 't1' })).data).toMatchObject({ state: 'open', step })
  }
  kit.clock.advance(600_001)
  expect((await open(kit, address)).headers.location).toContain('/error?')
})

test('a fault of the page applies to the end of a payment that goes through a later step, and only once', async () => {
  await using kit = await sandboxKit()
  await kit.control('faultAdd', { endpoint: 'page', kind: 'no-return' })
  const { address } = await payAddress(kit, 't1', { rut: '13131313-6' })
  const fields = new URL(address, BASE).searchParams
  const send = (action: string, extra = {}) =>
    kit.send('POST', '/pay/', { form: { ...Object.fromEntries(fields), action, ...extra }, key: null })
  await send('confirm', { installments: '3' })
  await send('subscribe')
  const { text } = await open(kit, address)
  expect(text).toContain('class="card result paid"')
  expect(text).not.toContain('data-return')
  expect((await kit.control('faults')).data).toEqual([])
})
