import { expect, test } from 'vitest'
import { isExcepted, proxyFor } from './network.ts'

const excepted = (address: string, list: string) => isExcepted(new URL(address), list)

test.each([
  ['shop.test', true],
  ['SHOP.test', true],
  ['.shop.test', true],
  ['shop.test.', true],
  ['test', true],
  ['*', true],
  [' * ', true],
  ['other.test, shop.test', true],
  ['other.test shop.test', true],
  ['shop.test:443', true],
  ['*:443', true],
  ['[::1]', false],
  ['shop.test:8443', false],
  ['*:8443', false],
  ['*.shop.test', false],
  ['op.test', false],
  ['pay.shop.test', false],
  ['.', false],
  ['', false],
  [',,', false],
])('NO_PROXY=%j excepts shop.test: %j', (list, expected) => {
  expect(excepted('https://shop.test/a', list)).toBe(expected)
  expect(excepted('https://SHOP.test./a', list)).toBe(expected)
})

test('NO_PROXY excepts subdomains of a name, and IP addresses', () => {
  for (const list of ['shop.test', '.shop.test', '*.shop.test', 'pay.shop.test:443'])
    expect([list, excepted('https://pay.shop.test', list)]).toEqual([list, true])
  expect(excepted('https://hop.test', 'shop.test')).toBe(false)
  for (const list of ['2001:db8::1', '[2001:db8::1]', '[2001:db8::1]:443', 'a.test,2001:db8::1'])
    expect([list, excepted('https://[2001:db8::1]/', list)]).toEqual([list, true])
  expect(excepted('https://[2001:db8::1]/', '[2001:db8::1]:8443')).toBe(false)
  expect(excepted('https://192.0.2.7/', '192.0.2.7')).toBe(true)
  expect(excepted('https://192.0.2.7/', '2.0.2.7')).toBe(false)
  for (const list of ['x[2001:db8::1]', '[2001:db8::1]x', '[2001:db8::1]:443x'])
    expect([list, excepted('https://[2001:db8::1]/', list)]).toEqual([list, false])
})

test('the variables are read as by curl: lower case first, even if it is empty; ALL_PROXY is not read [database 8]', () => {
  const at = (env: Record<string, string>) => proxyFor(new URL('https://shop.test'), env)?.name
  const both = { https_proxy: 'http://lower.test:1', HTTPS_PROXY: 'http://upper.test:2' }
  expect(at(both)).toBe('lower.test:1')
  expect(at({ HTTPS_PROXY: 'upper.test:2' })).toBe('upper.test:2')
  expect(at({ HTTPS_PROXY: 'https://upper.test' })).toBe('upper.test:443')
  expect(at({ ...both, https_proxy: '' })).toBeUndefined()
  expect(at({ ...both, no_proxy: 'shop.test' })).toBeUndefined()
  expect(at({ ...both, NO_PROXY: 'shop.test' })).toBeUndefined()
  expect(at({ ...both, no_proxy: 'other.test', NO_PROXY: 'shop.test' })).toBe('lower.test:1')
  expect(at({ ...both, no_proxy: '', NO_PROXY: 'shop.test' })).toBe('lower.test:1')
  expect(at({ ALL_PROXY: 'http://all.test:3', all_proxy: 'http://all.test:3' })).toBeUndefined()
})

test('a proxy may have a user, a password or both, percent-encoded; its path is ignored', () => {
  const at = (HTTPS_PROXY: string) => proxyFor(new URL('https://shop.test'), { HTTPS_PROXY })
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  expect(at('http://ana:s%40crt@proxy.test')).toMatchObject({
    name: 'proxy.test:80',
    authorization: basic('ana:s@crt'),
  })
  expect(at('http://ana@proxy.test')?.authorization).toBe(basic('ana:'))
  expect(at('http://:s%25@proxy.test')?.authorization).toBe(basic(':s%'))
  expect(at('proxy.test:3128/http://')).toMatchObject({ name: 'proxy.test:3128', authorization: undefined })
})

test('a bare percent sign in the user or password is refused, and the error does not contain the user or password', () => {
  for (const user of ['canary%@', ':canary%zz@'])
    expect(() => proxyFor(new URL('https://shop.test'), { HTTPS_PROXY: `http://${user}proxy.test` })).toThrow(
      expect.objectContaining({
        kind: 'config',
        code: 'BAD_PROXY',
        message: 'the percent-encoding of the user or password in HTTPS_PROXY is wrong',
        hint: 'Write a percent sign as %25, and other special characters in the same way. Nothing was sent.',
      }),
    )
})
