import { expect, test } from 'vitest'
import { isLoopback, maskTarget, parseReturnAddress, parseServiceAddress } from './addresses.ts'
import { paymentPageUrl } from './payment-page.ts'

const HERE_ONLY = 'http: is only accepted for this machine (loopback); use https:'
const NO_USER = 'it must not contain a user name or a password'

test.each([
  ['api.example.com', 'it is not an absolute address such as https://api.example.com'],
  ['', 'it is not an absolute address such as https://api.example.com'],
  ['https://user@api.example.com', NO_USER],
  ['https://:pass@api.example.com', NO_USER],
  ['http://api.example.com', HERE_ONLY],
  ['http://10.0.0.1', HERE_ONLY],
  ['ftp://api.example.com', 'it must start with https://, not ftp:'],
  ['file:///etc/passwd', 'it must start with https://, not file:'],
])('%s is not the address of a service: %s', (text, reason) => {
  expect(parseServiceAddress(text)).toEqual({ ok: false, reason })
})

test('the address of a service is https, or http on this machine', () => {
  for (const text of ['https://api.example.com/v1', 'http://localhost:8080/', 'http://127.0.0.1/', 'http://[::1]:1/'])
    expect(parseServiceAddress(text)).toEqual({ ok: true, url: new URL(text) })
})

const NO_SCHEME = 'it must start with https://'
const RETURN_HERE_ONLY = 'http: is only accepted for this machine (localhost, 127.0.0.1, [::1]); use https:'

test.each([
  ['https://x/\u0000', 'it contains a control character'],
  ['https://x/\u001f', 'it contains a control character'],
  ['https://x/\u007f', 'it contains a control character'],
  ['https://x/\ud800', 'it is not valid Unicode'],
  ['//shop.example/ok', NO_SCHEME],
  ['https:///shop.example', NO_SCHEME],
  ['https://\\shop.example', NO_SCHEME],
  [' https://shop.example', NO_SCHEME],
  ['xhttps://shop.example', NO_SCHEME],
  ['javascript:https://shop.example', NO_SCHEME],
  ['data:text/html,x', NO_SCHEME],
  ['https:shop.example', NO_SCHEME],
  ['/ok', NO_SCHEME],
  ['', NO_SCHEME],
  ['https://', NO_SCHEME],
  ['https://a b/', 'it is not an absolute address such as https://api.example.com'],
  ['http://a b/', 'it is not an absolute address such as https://api.example.com'],
  ['http://shop.example', RETURN_HERE_ONLY],
  ['Http://10.0.0.1/', RETURN_HERE_ONLY],
  ['http://127.0.0.1.shop.example/', RETURN_HERE_ONLY],
  ['https://user@shop.example', NO_USER],
  ['https://:pass@shop.example', NO_USER],
  ['http://user@localhost/', NO_USER],
])('%j is not an address to return to: %s [row 104, attack 15]', (text, reason) => {
  expect(parseReturnAddress(text)).toEqual({ ok: false, reason })
})

test('a return address is https, or http on this machine, in any letter case', () => {
  for (const text of [
    'https://shop.example/ok?a=1#b',
    'HTTPS://shop.example/',
    'http://localhost:3000/ok',
    'Http://127.0.0.1/',
    'http://[::1]:3000/',
  ])
    expect(parseReturnAddress(text)).toEqual({ ok: true, url: new URL(text) })
})

test('only localhost, 127.0.0.0/8 and ::1 count as this machine, in any letter case', () => {
  for (const host of ['localhost', 'LocalHost', '127.0.0.1', '127.255.255.255', '::1', '[::1]'])
    expect([host, isLoopback(host)]).toEqual([host, true])
  const others = [
    '',
    '127.0.0.1.evil',
    'x127.0.0.1',
    '127.0.0',
    '127.1234.0.1',
    '127.0.1234.1',
    '127.0.0.1234',
    '127.a.0.1',
  ]
  for (const host of [
    ...others,
    '127.0.a.1',
    '127.0.0.a',
    '128.0.0.1',
    '::2',
    'a::1',
    'local[host',
    'localhost.evil',
    '127x0.0.1',
    '127.0x0.1',
    '127.0.0x1',
  ])
    expect([host, isLoopback(host)]).toEqual([host, false])
})

test('the payment page address has one slash before the query, and encoded parameters in a fixed order', () => {
  const values = {
    widgetToken: 'a&b',
    publicKey: 'c d',
    successReturnUrl: 'https://x/?a=1',
    errorReturnUrl: 'https://x/#b',
  }
  const query =
    '?widgetToken=a%26b&publicKey=c%20d&successReturnUrl=https%3A%2F%2Fx%2F%3Fa%3D1&errorReturnUrl=https%3A%2F%2Fx%2F%23b'
  for (const address of [
    'https://pay.example/to/page',
    'https://pay.example/to/page/',
    'https://pay.example/to/page//?old=1',
  ])
    expect(paymentPageUrl(address, values)).toBe(`https://pay.example/to/page/${query}`)
  expect(paymentPageUrl('https://pay.example', values)).toBe(`https://pay.example/${query}`)
})

const encoded = (text: string, times: number): string =>
  times === 0 ? text : encoded(encodeURIComponent(text).replaceAll('.', '%2E'), times - 1)

const HOST = 'https://api.example.com:8443'

test.each([
  'ana.perez@example.com',
  '12345678-5',
  '12.345.678-5',
  '123456785',
  '+56912345678',
  '912345678',
  '+56 9 1234 5678',
  'lead of ana.perez@example.com',
])('personal data in a part of a path or in a query is masked, however often it was encoded: %s', (person) => {
  for (const times of [0, 1, 2, 3]) {
    const part = encoded(person, times).replaceAll(' ', '%20')
    for (const shown of [`${HOST}/partner/x/${part}/y?page=2`, `/partner/x/${part}`, `/partner/x?q=${part}&page=2`].map(
      maskTarget,
    )) {
      expect(shown).not.toMatch(/ana|perez|1234567|12\.345|12%2E345|1234(?:%20| )567/)
      expect(shown).toContain('/partner/x')
      expect(shown).toContain('•')
    }
  }
})

test.each([
  `${HOST}/partner/pre-approve/lead/L-1?page=2&size=50`,
  '/partner/verify/trx-20260301-abc%20def',
  '/partner/webhook/123456',
  '/a%zz/%E9?b=%zz',
  '/partner/x?since=2026-03-01T12%3A00%3A00Z',
  '',
])('an address without personal data is shown as it was sent: %s', (address) => {
  expect(maskTarget(address)).toBe(address)
})

test('a password in an origin is masked, and so are the parameters that name a secret', () => {
  expect(maskTarget('https://user:pass@host/x?token=c0ffee&page=1')).toBe('https://••••@host/x?token=••••&page=1')
})
