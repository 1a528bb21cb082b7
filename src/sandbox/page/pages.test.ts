import { afterEach, beforeEach, expect, test } from 'vitest'
import { BASE, sandboxKit } from '../../../test/kit/sandbox-kit.ts'
import { FORM_TYPE } from '../../contract/form.ts'
import { WIDGET_TOKEN_LIFE_MS } from '../../contract/time-limits.ts'

let kit: Awaited<ReturnType<typeof sandboxKit>>
beforeEach(async () => {
  kit = await sandboxKit()
})
afterEach(() => kit[Symbol.asyncDispose]())

async function send(method: string, path: string, fields: Record<string, string> = {}, headers = {}) {
  const query = new URLSearchParams(fields).toString()
  const isForm = method === 'POST'
  const {
    status,
    headers: got,
    body,
  } = await kit.sandbox.transport({
    method,
    url: `${BASE}${path}${isForm || query === '' ? '' : `?${query}`}`,
    headers: { ...(isForm ? { 'content-type': FORM_TYPE } : {}), ...headers },
    ...(isForm ? { body: Buffer.from(query) } : {}),
    timeoutMs: 1000,
    maxBytes: 1e6,
  })
  return { status, headers: got, text: new TextDecoder().decode(body) }
}

async function visit(over: Record<string, string> = {}): Promise<Record<string, string>> {
  await kit.evaluate('T1')
  const widgetToken: string = (await kit.startWidget('T1')).data.widgetToken
  return {
    widgetToken,
    publicKey: kit.bnpl.publicKey,
    successReturnUrl: 'https://shop.example/ok',
    errorReturnUrl: 'https://shop.example/error?pedido=7',
    ...over,
  }
}

const titleOf = (text: string) => /<title>(.*?) · bnpl<\/title>/.exec(text)?.[1]

test('the page shows the purchase and every plan, and may not be cached, framed or sniffed [row 106]', async () => {
  const { status, headers, text } = await send('GET', '/pay/', await visit())
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  })
  expect(text).toContain('<html lang="es">')
  expect(text.match(/type="radio"/g)).toHaveLength(4)
  expect(text).toContain('250.000')
  expect(text).not.toMatch(/\son\w+=|style=|javascript:|https?:\/\/(?!shop\.example)/i)
})

test('in English amounts are grouped the English way', async () => {
  const { text } = await send('GET', '/pay/', await visit({ lang: 'en' }))
  expect(text).toContain('<html lang="en">')
  expect(text).toContain('250,000')
})

test('if the merchant reported an option, the page offers only that option', async () => {
  const { preApproveId } = (await kit.evaluate('T2')).data
  const form = { preApproveId, installmentOption: '6', externalTrxId: 'T2', amount: '250000' }
  await kit.send('POST', '/partner/pre-loan-request/loan-request', { form })
  const { widgetToken } = (await kit.startWidget('T2')).data
  const { text } = await send('GET', '/pay/', await visit({ widgetToken }))
  expect(text).not.toContain('type="radio"')
  expect(text).toContain('type="hidden" name="installments" value="6"')
})

test('confirming leads back to the page, which shows the result on every visit', async () => {
  const fields = await visit()
  const { status, headers } = await send('POST', '/pay/', { ...fields, action: 'confirm', installments: '6' })
  expect(status).toBe(303)
  const shown = async () => (await send('GET', headers.location!)).text
  // After a HEAD, for example from a preview of the link, the result does not count as shown.
  expect((await send('HEAD', headers.location!)).status).toBe(200)
  kit.clock.advance(60_000)
  expect(titleOf(await shown())).toBe('Pago aprobado')
  expect(await shown()).toContain('data-return-in="10000"')
  kit.clock.advance(4_000)
  expect(await shown()).toContain('data-return-in="6000"')
  kit.clock.advance(60_000)
  const later = await shown()
  expect(titleOf(later)).toBe('Pago aprobado')
  expect(later).not.toMatch(/data-return-in|http-equiv="refresh"/)
  expect((await kit.verify('T1')).data).toMatchObject({ periods: 6 })
})

test('before and after the payment, the page shows the due date of the loan’s first installment', async () => {
  const fields = await visit()
  kit.clock.advance(30 * 86_400_000)
  const { widgetToken } = (await kit.startWidget('T1')).data
  const before = (await send('GET', '/pay/', { ...fields, widgetToken })).text
  const paid = await send('POST', '/pay/', { ...fields, widgetToken, action: 'confirm', installments: '6' })
  const after = (await send('GET', paid.headers.location!)).text
  // A month after 31 March, by the sandbox's clock.
  expect((await kit.verify('T1')).data.installments[0]).toMatchObject({ expirationDate: '2026-04-30' })
  for (const text of [before, after]) expect(text.replaceAll('\u00a0', ' ')).toContain('30 de abril de 2026')
  expect(before.replaceAll('\u00a0', ' ')).toContain('al mes')
})

test('fifty clicks at once create one loan, and all lead to the same result [row 107]', async () => {
  const fields = await visit()
  const click = () => send('POST', '/pay/', { ...fields, action: 'confirm', installments: '3' })
  const answers = await Promise.all(Array.from({ length: 50 }, click))
  expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.location}`)).size).toBe(1)
  expect(titleOf((await send('GET', answers[0]!.headers.location!)).text)).toBe('Pago aprobado')
  expect(kit.store.db.all<any>('select * from loans')).toHaveLength(1)
  const cancelled = await send('POST', '/pay/', { ...fields, action: 'cancel' })
  expect(titleOf((await send('GET', cancelled.headers.location!)).text)).toBe('Pago aprobado')
})

test('a plan that is not offered is refused with 422, and no loan is created [page 1.11]', async () => {
  const fields = await visit()
  for (const installments of ['5', '', 'NaN', '3e0x', '-3', '3.0', '0x3', ' 3']) {
    const { status, text } = await send('POST', '/pay/', { ...fields, action: 'confirm', installments })
    expect(status).toBe(422)
    expect(text).toContain('Ese plan no está disponible')
  }
  expect(await kit.verify('T1')).toMatchObject({ status: 404 })
})

test.each([
  ['missing', 400, 'Aquí no hay ningún pago'],
  ['forged', 400, 'No reconocemos este pago'],
  ['wrong-key', 403, 'La tienda no coincide'],
  ['used', 409, 'Este pago ya terminó'],
  ['expired', 410, 'Este pago venció'],
])('a token that is %s has its own page with the status %i [row 107]', async (problem, status, title) => {
  const fields = await visit()
  if (problem === 'missing') delete fields.widgetToken
  if (problem === 'forged') fields.widgetToken = `${fields.widgetToken?.slice(0, -4)}AAAA`
  if (problem === 'wrong-key') fields.publicKey = kit.estate.publicKey
  if (problem === 'used') await kit.control('pay', { externalTrxId: 'T1' })
  if (problem === 'expired') kit.clock.advance(WIDGET_TOKEN_LIFE_MS + 1)
  const answer = await send('GET', '/pay/', fields)
  expect([answer.status, titleOf(answer.text)]).toEqual([status, title])
  const isGenuine = problem === 'used' || problem === 'expired'
  const preApproveId = isGenuine ? '[0-9a-f-]{36}' : 'undefined'
  const link = new RegExp(`href="https://shop\\.example/error\\?pedido=7&amp;preApproveId=${preApproveId}`)
  // A person who forged a token may also have chosen the return address.
  expect(link.test(answer.text)).toBe(problem !== 'forged')
  expect(answer.text.includes('externalTrxId=T1')).toBe(isGenuine)
  expect(answer.text.includes('http-equiv="refresh"')).toBe(problem === 'expired')
  const posted = await send('POST', '/pay/', { ...fields, action: 'confirm', installments: '3' })
  expect((await send('GET', posted.headers.location!)).status).toBe(status)
})

test.each([
  ['es', 'Este pago venció', 'Te llevaremos a shop.example en'],
  ['en', 'This payment expired', 'Taking you to shop.example in'],
])(
  'a payment that expires on the open page redirects automatically once, with its ids (%s) [specification F7]',
  async (lang, title, words) => {
    const fields = await visit({ lang })
    const [{ id: preApproveId } = {}] = kit.store.db.all<any>('select * from preApprovals')
    expect((await send('GET', '/pay/', fields)).status).toBe(200)
    kit.clock.advance(WIDGET_TOKEN_LIFE_MS + 1)
    const { headers } = await send('POST', '/pay/', { ...fields, action: 'confirm', installments: '3' })
    const shown = async () => (await send('GET', headers.location!)).text
    const back = `https://shop.example/error?pedido=7&amp;preApproveId=${preApproveId}&amp;externalTrxId=T1`
    const first = await shown()
    expect(titleOf(first)).toBe(title)
    expect(first.replace(/<\/?bdi.*?>/g, '')).toContain(words)
    expect(first).toContain(`<noscript><meta http-equiv="refresh" content="10;url=${back}"></noscript>`)
    expect(first).toContain(`href="${back}" data-return`)
    kit.clock.advance(4_000)
    expect(await shown()).toContain('data-return-in="6000"')
    kit.clock.advance(6_000)
    const later = await shown()
    expect(later).toContain(`href="${back}"`)
    expect(later).not.toMatch(/data-return-in|http-equiv="refresh"/)
  },
)

test('the page of an expired payment in a frame does not redirect [specification F7]', async () => {
  const { widgetToken = '', publicKey = '' } = await visit()
  kit.clock.advance(WIDGET_TOKEN_LIFE_MS + 1)
  const fields = { widgetToken, publicKey, parentOrigin: 'https://shop.example' }
  const { status, text } = await send('GET', '/pay/embed', fields)
  expect(status).toBe(410)
  expect(text).not.toMatch(/data-return|http-equiv="refresh"/)
})

test('a token is valid to its last millisecond [row 107]', async () => {
  const fields = await visit()
  kit.clock.advance(WIDGET_TOKEN_LIFE_MS)
  expect((await send('GET', '/pay/', fields)).status).toBe(200)
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  '//evil.example',
  'https:/\\evil.example',
  'https:evil.example',
  'https://shop.example/\r\nSet-Cookie: a=1',
  'https://user:secret@shop.example/',
  '/relative',
  'ftp://shop.example/',
  'http://evil.example/ok',
  'http://192.168.1.9/',
  '',
])('a return address %j opens no payment [row 104, attack 15, page 1.10]', async (address) => {
  for (const name of ['successReturnUrl', 'errorReturnUrl']) {
    const fields = await visit({ [name]: address })
    for (const { status, headers, text } of [
      await send('GET', '/pay/', fields),
      await send('POST', '/pay/', { ...fields, action: 'cancel' }),
    ]) {
      expect([status, titleOf(text), headers.location]).toEqual([400, 'No podemos abrir este pago', undefined])
      expect(text).toContain(`<code>${name}</code>`)
      expect(
        [...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!).filter((href) => !href.startsWith('/pay/')),
      ).toEqual(name === 'errorReturnUrl' ? [] : [expect.stringMatching(/^https:\/\/shop\.example\/error/)])
    }
  }
  expect(await kit.verify('T1')).toMatchObject({ status: 404 })
})

test('a form without an action, or with another content type, is refused and changes nothing', async () => {
  const fields = await visit()
  expect((await send('POST', '/pay/', fields)).status).toBe(400)
  expect((await send('POST', '/pay/', { ...fields, action: 'cancel' }, { 'content-type': 'text/plain' })).status).toBe(
    400,
  )
  expect((await send('GET', '/pay/', fields)).status).toBe(200)
})

test('only its own parent may frame the embedded page, even when it shows a problem [row 109]', async () => {
  const { widgetToken = '', publicKey = '' } = await visit()
  const fields = { widgetToken, publicKey, parentOrigin: 'https://shop.example' }
  const framedBy = async (given: Record<string, string>) => {
    const { headers } = await send('GET', '/pay/embed', given)
    return /frame-ancestors (.*)$/.exec(headers['content-security-policy'] ?? '')?.[1]
  }
  expect(await framedBy(fields)).toBe('https://shop.example')
  expect(await framedBy({ ...fields, widgetToken: 'x' })).toBe('https://shop.example')
  expect(await framedBy({ ...fields, parentOrigin: 'https://a;script-src' })).toBe("'none'")
  expect(await framedBy({ widgetToken, publicKey })).toBe("'none'")
})

test('unknown paths are answered with 404, wrong methods with 405, and /pay redirects to /pay/', async () => {
  expect(await send('GET', '/pay', { a: '1' })).toMatchObject({ status: 308, headers: { location: '/pay/?a=1' } })
  expect(await send('DELETE', '/pay/')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, POST' } })
  expect(await send('POST', '/widget.js')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
  expect((await send('GET', '/pay/nothing')).status).toBe(404)
  expect((await send('GET', '/pay/..%2fpage.js')).status).toBe(404)
  expect((await send('GET', '/pay/widget.js')).status).toBe(404)
  expect((await send('GET', '/pays')).text).toContain('ERR_NOT_FOUND')
})

test("browsers may cache the page's files until they change", async () => {
  const { text } = await send('GET', '/pay/', await visit())
  const files = [...text.matchAll(/(?:src|href)="(\/pay\/[\w.]+\?v=\w+)"/g)].map(([, path]) => path!)
  expect(files.map((path) => /\.\w+/.exec(path)?.[0]).sort()).toEqual(['.css', '.js', '.svg', '.svg'])
  for (const path of files) {
    expect(await send('GET', path)).toMatchObject({
      status: 200,
      headers: { 'cache-control': expect.stringContaining('immutable') },
    })
    expect((await send('GET', path.split('?')[0]!)).headers['cache-control']).toBe('no-cache')
  }
  const { headers } = await send('GET', '/widget.js')
  expect(headers).toMatchObject({ 'cross-origin-resource-policy': 'cross-origin', 'cache-control': 'no-cache' })
})
