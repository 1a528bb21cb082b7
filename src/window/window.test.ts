import { afterEach, beforeEach, expect, test } from 'vitest'
import { BASE, sandboxKit } from '../../test/kit/sandbox-kit.ts'
import type { StreamedResponse } from '../sandbox/server/transport-server.ts'

let kit: Awaited<ReturnType<typeof sandboxKit>>
beforeEach(async () => {
  kit = await sandboxKit()
})
afterEach(() => kit[Symbol.asyncDispose]())

const get = (path: string, headers: Record<string, string> = {}) => kit.send('GET', path, { key: null, headers })

const post = (path: string, headers: Record<string, string>, json: unknown = {}) =>
  kit.send('POST', path, { key: null, headers, json })

const ticketOf = (link: string) => /^http:\/\/127\.0\.0\.1:4555\/#ticket=([\w-]{32})$/.exec(link)?.[1] ?? ''

/** Opens the window with a new link. @returns the header with the key, for further requests */
async function enter(): Promise<Record<string, string>> {
  const { url } = (await kit.control('windowLink')).data
  const { key } = (await post('/_window/enter', {}, { ticket: ticketOf(url) })).data
  expect(key).toMatch(/^[\w-]{32}$/)
  return { 'x-window-key': key }
}

test('every browser gets the same page, which has no sandbox data and names the command that opens the window', async () => {
  const page = await get('/', { 'accept-language': 'es' })
  expect(page.headers).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  })
  expect(page.headers['content-security-policy']).not.toContain('unsafe')
  expect(page.headers['set-cookie']).toBeUndefined()
  expect(page.text).toContain('bnpl sandbox open')
  expect(page.text).toContain('lang="es"')
  expect(page.text).not.toMatch(/<script(?![^>]*src=)|<style| style=| on\w+=/)
  const inside = await get('/', { 'accept-language': 'es', ...(await enter()) })
  expect(inside.text).toBe(page.text)
})

test('a ticket lets one browser in, once, and loading its link alone does not use it up', async () => {
  const { url } = (await kit.control('windowLink')).data
  // Programs do not send the fragment of an address. So a preview of the link requests the page, and does not use the ticket.
  expect(await get(new URL(url).pathname)).toMatchObject({ status: 200 })
  const ticket = ticketOf(url)
  const all = await Promise.all(Array.from({ length: 20 }, () => post('/_window/enter', {}, { ticket })))
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(new Set(all.map(({ code }) => code))).toEqual(new Set([undefined, 'ERR_WINDOW_CLOSED']))
  for (const wrong of ['', 'guess', null, ['a'], ticket]) {
    expect(await post('/_window/enter', {}, { ticket: wrong })).toMatchObject({ status: 401 })
  }
  expect(await get('/_window/enter')).toMatchObject({ status: 405 })
})

test('the page’s requests need the key and JSON, which a form of another site cannot send [page 1.1]', async () => {
  const own = await enter()
  const guess = { 'x-window-key': 'guess' }
  const cookie = { cookie: `bnpl-window-4555=${own['x-window-key']}; bnpl-window-key=${own['x-window-key']}` }
  for (const headers of [{}, guess, cookie]) {
    for (const path of ['show/controls', 'show/payments', 'do/windowLink', 'do/reset']) {
      expect(await post(`/_window/${path}`, headers)).toMatchObject({ status: 401, code: 'ERR_WINDOW_CLOSED' })
    }
    expect(await get('/_window/changes', headers)).toMatchObject({ status: 401 })
  }
  const { data } = await post('/_window/show/controls', own)
  expect(data.partners[0]).toMatchObject({ name: 'Tienda Demo', profile: 'sandbox', apiKey: kit.bnpl.apiKey })
  for (const site of ['same-site', 'cross-site', 'none']) {
    const from = { ...own, 'sec-fetch-site': site }
    expect(await post('/_window/show/controls', from)).toMatchObject({ status: 403, code: 'ERR_FOREIGN_ORIGIN' })
  }
  expect(await post('/_window/show/controls', { ...own, 'sec-fetch-site': 'same-origin' })).toMatchObject({
    status: 200,
  })
  expect(await post('/_window/do/reset', { ...own, 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
  expect(await post('/_window/do/nothing', own)).toMatchObject({ status: 404, code: 'ERR_NO_SUCH_ACTION' })
  expect(await post('/_window/show/nothing', own)).toMatchObject({ status: 404 })
  expect(await get('/_window/do/reset', own)).toMatchObject({ status: 405 })
})

test('the picture of a report loads only from the sealed address [page 1.1]', async () => {
  const { leadId } = (await kit.control('lead', { now: true })).data
  const { report } = (await post('/_window/show/lead', await enter(), { leadId })).data
  const [first = '', second = ''] = report.pages
  for (const page of [first, second]) {
    expect(await get(page)).toMatchObject({ status: 200, headers: { 'content-type': 'image/svg+xml' } })
  }
  const sealOf = (address: string) => new URLSearchParams(address.split('?')[1]).get('seal') ?? ''
  const without = first.replace(/&seal=.*/, '')
  for (const address of [
    without,
    `${without}&seal=`,
    first.replace(sealOf(first), sealOf(second)),
    first.replace('/1?', '/2?'),
    '/_window/report/%zz/1',
  ]) {
    expect([address, await get(address)]).toMatchObject([address, { status: 401, code: 'ERR_WINDOW_CLOSED' }])
  }
})

test('a call is shown with masked data, with its problem in the contract’s words, and as bnpl and curl commands', async () => {
  await kit.evaluate('order-1', { rut: '11111111-1' })
  await kit.send('GET', '/partner/pre-approve/0b0e0d9c/informe')
  const session = await enter()
  const ask = async (view: string, json: unknown) =>
    (await kit.send('POST', `/_window/show/${view}`, { key: null, headers: session, json })).data
  const { rows, total } = await ask('requests', { failed: true })
  expect(total).toBe(2)
  expect(await ask('request', { id: rows[1].id })).toMatchObject({
    sent: { idNumber: '••••••11-1', amount: '250000' },
    problem: { code: 'ERR_CUSTOMER_NOT_APPROVED', documented: false },
    asBnpl: 'bnpl evaluate --rut "$ID_NUMBER" --amount 250000 --trx order-1 -p sandbox',
    asCurl: expect.stringMatching(
      /^curl -sS -X POST -H "Authorization: Bearer \$BNPL_API_KEY" --data-urlencode idNumber="\$ID_NUMBER"/,
    ),
  })
  expect(await ask('request', { id: rows[0].id })).toMatchObject({
    problem: { meaning: 'no pre-approval with this id', documented: true },
    asBnpl: 'bnpl informe get 0b0e0d9c -p sandbox',
  })
  expect(await ask('request', { id: rows[0].id, language: 'es' })).toMatchObject({
    summary: 'obtener un enlace nuevo a un informe de evaluación',
    problem: { meaning: 'no hay una pre-aprobación con este id', hint: expect.stringContaining('aquí no sirve') },
  })
})

test('a call that met a fault shows it in the list, in its details and in the terminal', async () => {
  await kit.control('faultAdd', { endpoint: 'evaluate', status: 503 })
  await kit.evaluate('order-1')
  await kit.evaluate('order-1')
  const session = await enter()
  const ask = async (view: string, json: unknown) =>
    (await kit.send('POST', `/_window/show/${view}`, { key: null, headers: session, json })).data
  const met = { status: 503, cut: false, delayMs: 0 }
  const { rows } = await ask('requests', {})
  expect(rows).toMatchObject([
    { status: 200, fault: null },
    { status: 503, fault: met },
  ])
  expect(await ask('request', { id: rows[1].id })).toMatchObject({ fault: met })
  expect((await kit.control('requests')).data).toMatchObject([{ fault: null }, { fault: met }])
})

test('a verified payment stays verified after its call was deleted; a verification with a cut answer does not count', async () => {
  await kit.evaluate('order-1')
  await kit.control('pay', { externalTrxId: 'order-1' })
  const session = await enter()
  const input = { key: null, headers: session, json: { partner: 'Tienda Demo', externalTrxId: 'order-1' } }
  const verified = async () => (await kit.send('POST', '/_window/show/payment', input)).data.verified
  const verify = () => kit.send('POST', '/partner/pre-approve/order-1/loan', { form: {} })
  await kit.control('faultAdd', { endpoint: 'verifyLoan', cut: true })
  await expect(verify()).rejects.toMatchObject({ kind: 'reset' })
  expect(await verified()).toBeNull()
  expect(await verify()).toMatchObject({ status: 200 })
  kit.store.db.run('delete from requests')
  expect(await verified()).toEqual({ at: expect.stringMatching(/^\d{4}-/) })
})

test('the stream names the tables that were written, not those that were read', async () => {
  const session = await enter()
  const gone = new AbortController()
  const request = { method: 'GET', url: `${BASE}/_window/changes`, headers: session, timeoutMs: 1000, maxBytes: 1e6 }
  const answer = await kit.sandbox.transport(request)
  const messages = (answer as StreamedResponse).stream(gone.signal)[Symbol.asyncIterator]()
  const next = async () => new TextDecoder().decode((await messages.next()).value)
  expect(await next()).toContain('event: ready')
  await kit.control('status')
  await kit.evaluate('order-1')
  const told: string[] = []
  while (!told.includes('requests')) told.push(...JSON.parse(/data: (.*)/.exec(await next())?.[1] ?? ''))
  expect(told).toEqual(['preApprovals', 'requests'])
  const end = messages.next()
  gone.abort()
  expect((await end).done).toBe(true)
})

test('a search finds payments by a part of the id, ignores case, and takes no character as a wildcard', async () => {
  const seen = await enter()
  for (const trx of ['order_1', 'Order-2', 'other']) await kit.evaluate(trx)
  const found = async (input: object) => {
    const { rows, total } = (await post('/_window/show/payments', seen, input)).data
    expect(total).toBe(rows.length)
    return rows.map((row: { externalTrxId: string }) => row.externalTrxId).sort()
  }
  expect(await found({ search: 'ORDER' })).toEqual(['Order-2', 'order_1'])
  expect(await found({ search: 'r_1' })).toEqual(['order_1'])
  expect(await found({ search: '%' })).toEqual([])
  expect(await found({})).toHaveLength(3)
})
