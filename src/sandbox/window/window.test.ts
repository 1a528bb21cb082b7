import { afterEach, beforeEach, expect, test } from 'vitest'
import { BASE, sandboxKit } from '../../../test/sandbox-kit.ts'
import { isStreamed } from '../served.ts'

let kit: Awaited<ReturnType<typeof sandboxKit>>
beforeEach(async () => {
  kit = await sandboxKit()
})
afterEach(() => kit[Symbol.asyncDispose]())

const get = (path: string, headers: Record<string, string> = {}) => kit.send('GET', path, { key: null, headers })

/** A browser that came with a fresh link. */
async function enter(): Promise<Record<string, string>> {
  const { url } = (await kit.control('windowLink')).data
  const entered = await get(url)
  expect(entered).toMatchObject({ status: 303, headers: { location: '/' } })
  return { cookie: String(entered.headers['set-cookie']?.split(';')[0]) }
}

test('a link lets one browser in, once; without it the page says how to get in and shows nothing', async () => {
  const closed = await get('/', { 'accept-language': 'es' })
  expect(closed.status).toBe(401)
  expect(closed.text).toContain('bnpl sandbox open')
  expect(closed.text).toContain('lang="es"')
  const { url } = (await kit.control('windowLink')).data
  expect((await get(url)).headers['set-cookie']).toMatch(
    /^bnpl-window-4555=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict$/,
  )
  const again = await get(url)
  expect(again.status).toBe(401)
  expect(again.headers['set-cookie']).toBeUndefined()
  const inside = await get('/', await enter())
  expect(inside.status).toBe(200)
  expect(inside.headers).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  })
  expect(inside.headers['content-security-policy']).not.toContain('unsafe')
  expect(inside.text).not.toMatch(/<script(?![^>]*src=)|<style| style=| on\w+=/)
})

test('what the page asks takes the session, and JSON: a form of another site cannot speak it', async () => {
  const ask = (path: string, headers: Record<string, string>, json: unknown = {}) =>
    kit.send('POST', path, { key: null, headers, json })
  expect(await ask('/_window/show/controls', {})).toMatchObject({ status: 401, code: 'ERR_WINDOW_CLOSED' })
  expect(await ask('/_window/do/reset', { cookie: 'bnpl-window-4555=guess' })).toMatchObject({ status: 401 })
  expect(await get('/_window/changes')).toMatchObject({ status: 401 })
  const session = await enter()
  const { data } = await ask('/_window/show/controls', session)
  expect(data.partners[0]).toMatchObject({ name: 'Tienda Demo', profile: 'sandbox', apiKey: kit.bnpl.apiKey })
  expect(await ask('/_window/do/reset', { ...session, 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
  expect(await ask('/_window/do/nothing', session)).toMatchObject({ status: 404, code: 'ERR_NO_SUCH_ACTION' })
  expect(await ask('/_window/show/nothing', session)).toMatchObject({ status: 404 })
  expect(await get('/_window/do/reset', session)).toMatchObject({ status: 405 })
  expect(await get('/_window/report/%zz/1', session)).toMatchObject({ status: 404, code: 'ERR_NOT_FOUND' })
})

test('a call is shown masked, with what was wrong in the words of the contract, and as commands', async () => {
  await kit.evaluate('order-1', { rut: '22222222-2' })
  await kit.send('GET', '/partner/pre-approve/0b0e0d9c/informe')
  const session = await enter()
  const ask = async (view: string, json: unknown) =>
    (await kit.send('POST', `/_window/show/${view}`, { key: null, headers: session, json })).data
  const { rows, total } = await ask('requests', { failed: true })
  expect(total).toBe(2)
  expect(await ask('request', { id: rows[1].id })).toMatchObject({
    sent: { idNumber: '••••••22-2', amount: '250000' },
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
    problem: { meaning: 'no hay una preaprobación con este id', hint: expect.stringContaining('aquí no sirve') },
  })
})

test('a call that met an armed fault is marked with it, in the list, in the call and for the terminal', async () => {
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

test('a verified payment stays verified when its call is long forgotten; a verification whose answer was cut is none', async () => {
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
  await kit.store.db.deleteFrom('requests').execute()
  expect(await verified()).toEqual({ at: expect.stringMatching(/^\d{4}-/) })
})

test('the stream tells which tables were written, and says nothing of what was only read', async () => {
  const session = await enter()
  const gone = new AbortController()
  const request = { method: 'GET', url: `${BASE}/_window/changes`, headers: session, timeoutMs: 1000, maxBytes: 1e6 }
  const answer = await kit.sandbox.transport(request)
  if (!isStreamed(answer)) throw new Error('no stream')
  const messages = answer.stream(gone.signal)[Symbol.asyncIterator]()
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
