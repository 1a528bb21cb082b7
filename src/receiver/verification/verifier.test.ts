import { expect, test } from 'vitest'
import { sign, signWithTime } from '../../domain/signature.ts'
import type { SignatureSettings } from '../../domain/signature-settings.ts'
import { explainVerificationFailure, type VerifierOptions, verifyDelivery, verifyDeliveryAgain } from './verifier.ts'

const SIGNATURE = { algorithm: 'sha256', encoding: 'hex' } as const
const BODY = Buffer.from('{"eventId":"e1","data":{}}')
const SECRET = 'a-secret-that-is-long-enough'

const options = (scheme: VerifierOptions['scheme'], secrets: readonly string[] = [SECRET]): VerifierOptions => ({
  scheme,
  signature: SIGNATURE,
  secrets: { current: () => secrets, refresh: async () => false },
})
const signed = (secret = SECRET) => ({ 'service-signature': sign(BODY, secret, SIGNATURE) })
const token = (secret = SECRET) => ({ 'service-webhook-secret': secret })

test('a delivery with the header and the secret of its scheme is verified', () => {
  expect(verifyDelivery(signed(), BODY, options('hmac'))).toBeUndefined()
  expect(verifyDelivery(token(), BODY, options('token'))).toBeUndefined()
  expect(verifyDelivery(signed('the old one'), BODY, options('hmac', [SECRET, 'the old one']))).toBeUndefined()
})

test('a delivery with another secret, or another body, is wrong', () => {
  expect(verifyDelivery(signed('another'), BODY, options('hmac'))).toBe('wrong')
  expect(verifyDelivery(token('another'), BODY, options('token'))).toBe('wrong')
  expect(verifyDelivery(signed(), Buffer.from('{}'), options('hmac'))).toBe('wrong')
  // A token is not a valid HMAC, and an HMAC is not a valid token.
  expect(verifyDelivery({ 'service-signature': SECRET }, BODY, options('hmac'))).toBe('wrong')
  expect(verifyDelivery({ 'service-webhook-secret': sign(BODY, SECRET, SIGNATURE) }, BODY, options('token'))).toBe(
    'wrong',
  )
})

test('a delivery without the header of its scheme, or with an empty header, has no proof', () => {
  for (const scheme of ['hmac', 'token'] as const) {
    expect(verifyDelivery({}, BODY, options(scheme))).toBe('missing')
    // An empty secret must never make an empty header valid.
    const empty = { 'service-signature': '', 'service-webhook-secret': undefined }
    expect(
      verifyDelivery(scheme === 'hmac' ? empty : { 'service-webhook-secret': '' }, BODY, options(scheme, [''])),
    ).toBe('missing')
  }
})

test('a delivery with the header of the other scheme, alone or additionally, is reported as other-scheme', () => {
  expect(verifyDelivery(token(), BODY, options('hmac'))).toBe('other-scheme')
  expect(verifyDelivery({ ...signed(), ...token() }, BODY, options('hmac'))).toBe('other-scheme')
  expect(verifyDelivery(signed(), BODY, options('token'))).toBe('other-scheme')
})

test('after secrets changed a delivery is verified again; without a change it stays wrong', async () => {
  let current: readonly string[] = ['old']
  const rotating = (changes: boolean): VerifierOptions => ({
    ...options('hmac'),
    secrets: {
      current: () => current,
      async refresh() {
        current = [SECRET]
        return changes
      },
    },
  })
  expect(verifyDelivery(signed(), BODY, rotating(true))).toBe('wrong')
  expect(await verifyDeliveryAgain(signed(), BODY, rotating(true))).toBeUndefined()
  expect(await verifyDeliveryAgain(signed('another'), BODY, rotating(true))).toBe('wrong')
  expect(await verifyDeliveryAgain(signed(), BODY, rotating(false))).toBe('wrong')
})

test('the explanation says why a delivery was not verified, and which scheme the delivery needs', () => {
  const CHECK = 'bnpl webhooks verify-signature -p shop'
  expect(explainVerificationFailure('missing', 'hmac', CHECK)).toBe('it has no service-signature header')
  expect(explainVerificationFailure('missing', 'token', CHECK)).toBe('it has no service-webhook-secret header')
  expect(explainVerificationFailure('other-scheme', 'hmac', CHECK)).toBe(
    'it has a service-webhook-secret header, but this listener verifies hmac. To receive such deliveries, use --scheme token',
  )
  expect(explainVerificationFailure('other-scheme', 'token', CHECK)).toBe(
    'it has a service-signature header, but this listener verifies token. To receive such deliveries, use --scheme hmac',
  )
  expect(explainVerificationFailure('wrong', 'hmac', CHECK)).toBe(
    'its signature does not match the secret (run bnpl webhooks verify-signature -p shop with the raw body to see why)',
  )
  expect(explainVerificationFailure('wrong', 'token', CHECK)).toBe('its token is not the token of this listener')
})

const timed = signWithTime(BODY, SECRET, SIGNATURE, 1_700_000_000)

test.each<[what: string, headers: Record<string, string>, more: Partial<SignatureSettings>, result: unknown]>([
  ['the published name', { 'bancame-signature': timed }, {}, undefined],
  ['the specified name', { 'service-signature': timed }, {}, undefined],
  ['a bare digest under the published name', { 'bancame-signature': sign(BODY, SECRET, SIGNATURE) }, {}, undefined],
  ['both names, equal', { 'service-signature': timed, 'bancame-signature': timed }, {}, undefined],
  ['both names, different', { ...signed(), 'bancame-signature': timed }, {}, 'wrong'],
  ['both names, one empty', { 'service-signature': '', 'bancame-signature': timed }, {}, 'wrong'],
  ['another form than the setting', { 'bancame-signature': timed }, { form: 'body' }, 'wrong'],
  ['another name than the setting', { 'bancame-signature': timed }, { headers: { hmac: 'x-signature' } }, 'missing'],
  ['the name of the setting', { 'x-signature': timed }, { headers: { hmac: 'x-signature' } }, undefined],
  ['an old timestamp', { 'bancame-signature': timed }, { toleranceMs: 1000 }, 'wrong'],
  ['a published token beside it', { 'bancame-signature': timed, 'bancame-webhook-secret': SECRET }, {}, 'other-scheme'],
])('a signature is looked for under either name, unless a setting names the header: %s', (_, headers, more, result) => {
  expect(verifyDelivery(headers, BODY, { ...options('hmac'), signature: { ...SIGNATURE, ...more } })).toBe(result)
})

test('a token is accepted under either name, and two different tokens are refused', () => {
  expect(verifyDelivery({ 'bancame-webhook-secret': SECRET }, BODY, options('token'))).toBeUndefined()
  expect(verifyDelivery({ ...token(), 'bancame-webhook-secret': 'x' }, BODY, options('token'))).toBe('wrong')
})
