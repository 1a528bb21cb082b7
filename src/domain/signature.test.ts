import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FUZZING } from '../../test/kit/seed.ts'
import { unicodeText } from '../../test/kit/unicode-text.ts'
import { sign, verifySignature, verifyToken } from './signature.ts'
import { DEFAULT_SIGNATURE, HMAC_ALGORITHMS, HMAC_ENCODINGS } from './signature-settings.ts'

const body = Buffer.from('{"eventId":"e1","data":{}}')
const good = sign(body, 'secret', DEFAULT_SIGNATURE)

test('a signature is the HMAC of the raw bytes, in every algorithm and encoding', () => {
  for (const algorithm of HMAC_ALGORITHMS)
    for (const encoding of HMAC_ENCODINGS) {
      const expected = createHmac(algorithm, 'secret').update(body).digest(encoding)
      expect(sign(body, 'secret', { algorithm, encoding })).toBe(expected)
      expect(verifySignature(expected, body, ['secret'], { algorithm, encoding })).toBe(true)
      expect(verifySignature(expected, body, ['other'], { algorithm, encoding })).toBe(false)
    }
})

test('only the exact signature is valid, in upper or lower case hex, and no header causes an exception', () => {
  const wrong = [
    undefined,
    '',
    ' ',
    good.slice(1),
    good.slice(0, -1),
    `${good}0`,
    `${good} `,
    ` ${good}`,
    `${good}, ${good}`,
    `v1=${good}`,
    `sha256=${good}`,
    'zz'.repeat(32),
    'ñ'.repeat(32),
    '💥'.repeat(16),
    `${good.slice(0, -1)}\u0000`,
    Buffer.from(good, 'hex').toString('base64'),
  ]
  for (const header of wrong) expect(verifySignature(header, body, ['secret'], DEFAULT_SIGNATURE)).toBe(false)
  // A lossy conversion to bytes would turn these characters into the hex digits of the valid signature.
  const folded = [...good].map((c) => String.fromCharCode(c.charCodeAt(0) + 0x100)).join('')
  expect(verifySignature(folded, body, ['secret'], DEFAULT_SIGNATURE)).toBe(false)
  expect(verifySignature(good.toUpperCase(), body, ['secret'], DEFAULT_SIGNATURE)).toBe(true)
})

test('random headers are refused without an exception [row 46]', () => {
  const header = fc.oneof(fc.string({ maxLength: 80 }), unicodeText({ maxLength: 80 }))
  const property = fc.property(header, (text) => !verifySignature(text, body, ['secret'], DEFAULT_SIGNATURE))
  fc.assert(property, { numRuns: FUZZING ? 100_000 : 3_000 })
})

test('each of 20 secrets verifies its own signatures under two settings, also when asked repeatedly', () => {
  const secrets = Array.from({ length: 20 }, (_, i) => `secret-${i}`)
  const others = { algorithm: 'sha512', encoding: 'base64' } as const
  for (let round = 0; round < 2; round++)
    for (const secret of secrets) {
      for (const settings of [DEFAULT_SIGNATURE, others]) {
        const signature = sign(body, secret, settings)
        expect(verifySignature(signature, body, secrets, settings)).toBe(true)
        expect(verifySignature(signature, body, [secret], settings)).toBe(true)
        expect(verifySignature(signature, body, ['another'], settings)).toBe(false)
      }
    }
  expect(DEFAULT_SIGNATURE).toEqual({ algorithm: 'sha256', encoding: 'hex' })
})

test('a base64 signature is compared exactly, including letter case and padding', () => {
  const settings = { algorithm: 'sha256', encoding: 'base64' } as const
  const base64 = sign(body, 'secret', settings)
  expect(verifySignature(base64, body, ['secret'], settings)).toBe(true)
  expect(verifySignature(base64.toLowerCase(), body, ['secret'], settings)).toBe(false)
  expect(verifySignature(base64.replace(/=+$/, ''), body, ['secret'], settings)).toBe(false)
})

test('a changed byte of the body breaks the signature', () => {
  fc.assert(
    fc.property(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const changed = Buffer.from(body)
      changed[at] = (changed[at] ?? 0) ^ change
      return !verifySignature(good, changed, ['secret'], DEFAULT_SIGNATURE)
    }),
  )
})

test('during a rotation both secrets are accepted [row 53]', () => {
  expect(verifySignature(good, body, ['new', 'secret'], DEFAULT_SIGNATURE)).toBe(true)
  expect(verifySignature(good, body, ['new'], DEFAULT_SIGNATURE)).toBe(false)
  expect(verifySignature(good, body, [], DEFAULT_SIGNATURE)).toBe(false)
})

test('a token is compared whole: a prefix, joined copies and an empty token are refused', () => {
  expect(verifyToken('token-1', ['token-0', 'token-1'])).toBe(true)
  for (const header of [undefined, '', 'token-', 'token-1 ', 'token-1, token-1', 'TOKEN-1'])
    expect(verifyToken(header, ['token-1'])).toBe(false)
  expect(verifyToken('', [''])).toBe(false)
})

test('the time to refuse a token reveals neither how much of it is right nor how long it is [row 52]', () => {
  // The token is so long that a comparison of single characters would take measurably longer.
  const token = 'k'.repeat(1_000_000)
  const wrong = {
    early: `x${token.slice(1)}`,
    late: `${token.slice(0, -1)}x`,
    longer: `${token}x`,
  }
  const times: Record<keyof typeof wrong, number[]> = { early: [], late: [], longer: [] }
  const names = Object.keys(wrong) as (keyof typeof wrong)[]
  // The cases take turns, and only the fastest time of each counts, because a busy machine can only make a call slower.
  for (let i = 0; i < 60; i++) {
    for (const name of i % 2 ? names : names.toReversed()) {
      const started = performance.now()
      expect(verifyToken(wrong[name], [token])).toBe(false)
      times[name].push(performance.now() - started)
    }
  }
  const fastest = names.map((name) => Math.min(...times[name]))
  expect(Math.max(...fastest) / Math.min(...fastest)).toBeLessThan(2)
})

/** An implementation of its own, from the published description. */
const timedBy = (body: Uint8Array, secret: string, time: string, encoding: 'hex' | 'base64') =>
  `t=${time},signature=${createHmac('sha256', secret).update(`${time}.`).update(body).digest(encoding)}`

test('a signature with a timestamp is valid for its body, time and secret only, in hex and base64, and is never read as a bare digest', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 64 }),
      fc.string({ minLength: 16, maxLength: 40, unit: 'grapheme-ascii' }),
      fc.integer({ min: 1, max: 9_999_999_999_999 }).map(String),
      fc.constantFrom('hex' as const, 'base64' as const),
      (body, secret, time, encoding) => {
        const header = timedBy(body, secret, time, encoding)
        const is = (value: string, settings = {}, bytes = body, key = secret) =>
          verifySignature(value, bytes, [key], { ...DEFAULT_SIGNATURE, ...settings })
        expect(is(header)).toBe(true)
        expect(is(header, { form: 'timestamp' })).toBe(true)
        expect(is(header, { form: 'body' })).toBe(false)
        expect(is(header, {}, Buffer.concat([body, Buffer.of(1)]))).toBe(false)
        expect(is(header, {}, body, `${secret}x`)).toBe(false)
        expect(is(header.replace('t=', 't=1'))).toBe(false)
        const [, digest = ''] = header.split('signature=')
        expect(is(digest)).toBe(false)
        const bare = createHmac('sha256', secret).update(body).digest('hex')
        expect(is(bare)).toBe(true)
        expect(is(bare, { form: 'timestamp' })).toBe(false)
        expect(is(`t=${time},signature=${bare}`)).toBe(false)
        expect(is(`${header}, ${header}`)).toBe(false)
      },
    ),
    { seed: 7, numRuns: 60 },
  )
})

test.each([
  ['seconds', '1700000000'],
  ['milliseconds', '1700000000000'],
])('a tolerance refuses an old and a future timestamp in %s, and without one no age is refused', (_, time) => {
  const header = timedBy(Buffer.from('{}'), 'a-secret-of-a-test', time, 'hex')
  const at = (now: number, toleranceMs?: number) =>
    verifySignature(header, Buffer.from('{}'), ['a-secret-of-a-test'], { ...DEFAULT_SIGNATURE, toleranceMs }, now)
  const sent = 1_700_000_000_000
  expect([at(sent, 300_000), at(sent + 299_000, 300_000), at(sent - 299_000, 300_000)]).toEqual([true, true, true])
  expect([at(sent + 301_000, 300_000), at(sent - 301_000, 300_000), at(sent + 1e12)]).toEqual([false, false, true])
})
