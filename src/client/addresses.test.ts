import { expect, test } from 'vitest'
import { addressPrefix } from '../domain/addresses.ts'
import { checkLink } from './fetch-pdf.ts'
import { proxyFor } from './network.ts'
import { callAddress, toCurl } from './request.ts'

/** Tests of the address of a request, and of the request as a curl command. */

test('a base address is its origin and path, without slashes at its end', () => {
  expect(
    [
      'https://x.example',
      'https://x.example/',
      'https://x.example/a//',
      'https://x.example:8443/a/b?c#d',
      'https://x.example//a',
    ].map(addressPrefix),
  ).toEqual([
    'https://x.example',
    'https://x.example',
    'https://x.example/a',
    'https://x.example:8443/a/b',
    'https://x.example//a',
  ])
})

test('each parameter is one segment of the address', () => {
  for (let i = 0; i < 2; i++)
    expect(callAddress('https://x/v1', '/p/{one}/q/{two}', { one: 'a/b?c', two: 'ñ' })).toBe(
      'https://x/v1/p/a%2Fb%3Fc/q/%C3%B1',
    )
  expect(callAddress('https://x', '/plain', {})).toBe('https://x/plain')
})

test.each([
  [undefined, 'it is missing'],
  [7, 'it is not text'],
  [null, 'it is not text'],
  ['', 'it is empty'],
  ['..', '".." would change the address of the call'],
])('the parameter %j is refused: %s', (value, problem) => {
  expect(() => callAddress('https://x', '/p/{one}', { one: value as string })).toThrow(
    expect.objectContaining({ kind: 'usage', code: 'INVALID_IDENTIFIER', message: `one cannot be sent: ${problem}` }),
  )
})

const request = { method: 'GET', url: 'https://x.example/a?b=1', headers: {}, timeoutMs: 1, maxBytes: 1 }

test('a request is shown as a curl command, with variables instead of secrets', () => {
  expect(toCurl(request)).toBe("curl -sS 'https://x.example/a?b=1'")
  expect(toCurl({ ...request, url: 'https://x.example/a', method: 'HEAD' })).toBe('curl -sS --head https://x.example/a')
  expect(toCurl({ ...request, url: 'https://x.example/a', method: 'DELETE' })).toBe(
    'curl -sS -X DELETE https://x.example/a',
  )
  const headers = { authorization: 'Bearer canary', 'service-webhook-secret': 'canary', accept: 'application/json' }
  expect(toCurl({ ...request, url: 'https://x.example/a', method: 'POST', headers, body: Buffer.from("a='b'") })).toBe(
    `curl -sS -X POST -H "Authorization: Bearer $BNPL_API_KEY" -H "service-webhook-secret: $BNPL_WEBHOOK_SECRET" -H 'accept: application/json' --data-raw 'a='\\''b'\\''' https://x.example/a`,
  )
  // Without `--data-raw ''`, curl would send no content-length.
  expect(toCurl({ ...request, url: 'https://x.example/a', method: 'POST' })).toBe(
    "curl -sS -X POST --data-raw '' https://x.example/a",
  )
  expect(toCurl({ ...request, url: 'https://x.example/a', body: Buffer.from('a=1') })).toBe(
    'curl -sS --data-raw a=1 https://x.example/a',
  )
})

test('a link is accepted to https, and to http only from this machine to this machine', () => {
  expect(checkLink('https://storage.example/a?b', 'https://api.example.com/x')).toBe('https://storage.example/a?b')
  expect(checkLink('/r/1', 'https://api.example.com/x')).toBe('https://api.example.com/r/1')
  expect(checkLink('http://127.0.0.1:9/r', 'http://localhost:8/x')).toBe('http://127.0.0.1:9/r')
})

test.each([
  [
    'http://127.0.0.1:9/canary',
    'https://api.example.com',
    'it is an address of this machine, but the service is on another machine',
  ],
  [
    'http://storage.example/canary',
    'http://localhost:8',
    'http: is only accepted for this machine (loopback); use https:',
  ],
  ['https://u:canary@storage.example/', 'https://api.example.com', 'it must not contain a user name or a password'],
  ['file:///canary', 'https://api.example.com', 'it must start with https://, not file:'],
  ['https://[canary', 'https://api.example.com', 'it is not an absolute address such as https://api.example.com'],
])('the link %s of %s is refused, and the error does not contain the link', (link, from, reason) => {
  expect(() => checkLink(link, from)).toThrow(
    expect.objectContaining({
      kind: 'service',
      code: 'BAD_LINK',
      message: `the link that ${new URL(from).host} sent for the report cannot be used: ${reason}; nothing was fetched from the link`,
      hint: 'Check the base address.',
      advice: { id: 'check-base-address' },
    }),
  )
})

const far = new URL('https://api.example.com/x')

test('https to another machine goes through the proxy of the environment', () => {
  for (const name of ['HTTPS_PROXY', 'https_proxy'])
    expect(proxyFor(far, { [name]: ' http://proxy.example:3128 ' })).toEqual({
      url: new URL('http://proxy.example:3128'),
      name: 'proxy.example:3128',
      authorization: undefined,
    })
  expect(proxyFor(far, { HTTPS_PROXY: '', https_proxy: 'http://b:1' })?.url.href).toBe('http://b:1/')
  expect(proxyFor(far, { HTTPS_PROXY: 'proxy.example:3128' })?.url.href).toBe('http://proxy.example:3128/')
  expect(proxyFor(far, { HTTPS_PROXY: 'HTTPS://u:p@proxy.example' })).toMatchObject({
    url: new URL('https://u:p@proxy.example'),
    name: 'proxy.example:443',
    authorization: `Basic ${Buffer.from('u:p').toString('base64')}`,
  })
})

test('no proxy is used without HTTPS_PROXY, for http, or for addresses of this machine', () => {
  expect(proxyFor(far, {})).toBeUndefined()
  expect(proxyFor(far, { HTTPS_PROXY: '  ' })).toBeUndefined()
  expect(proxyFor(far, { HTTP_PROXY: 'http://a:1' })).toBeUndefined()
  for (const near of ['https://localhost/', 'https://127.0.0.1/', 'https://[::1]/', 'http://api.example.com/'])
    expect(proxyFor(new URL(near), { HTTPS_PROXY: 'no proxy at all' })).toBeUndefined()
})

test.each([
  'no proxy at all',
  'socks5://proxy.example:1080',
  'ftp://proxy.example',
  'http://',
  'httpx://a',
  'x-http://a',
])('the proxy “%s” is refused, and no request bypasses it', (text) => {
  expect(() => proxyFor(far, { HTTPS_PROXY: text })).toThrow(
    expect.objectContaining({
      kind: 'config',
      code: 'BAD_PROXY',
      message: 'HTTPS_PROXY is not the address of an http or https proxy',
      hint: 'Write it as http://proxy.example:3128, or unset HTTPS_PROXY. Nothing was sent.',
    }),
  )
})
