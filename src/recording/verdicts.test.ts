import { expect, test } from 'vitest'
import { sign } from '../domain/signature.ts'
import { DEFAULT_SIGNATURE } from '../domain/signature-settings.ts'
import { headersOf, signatureVerdict } from './verdicts.ts'

const SECRET = 'whsec-of-a-destination-4711'
const BODY = Buffer.from('{"eventId": "e1", "data": {}}')
const hmac = { scheme: 'hmac', settings: DEFAULT_SIGNATURE, secrets: ['the-old-secret-1234', SECRET] } as const
const verdict = (headers: [string, string][], body = BODY, budget = { misfits: 0 }) =>
  signatureVerdict(headers, body, hmac, budget)

test('a valid signature is reported as valid, with the settings that match', () => {
  const signature = sign(BODY, SECRET, DEFAULT_SIGNATURE)
  expect(verdict([['Service-Signature', signature]])).toEqual({
    scheme: 'hmac',
    header: 'service-signature',
    valid: true,
    ...DEFAULT_SIGNATURE,
    bodyForm: 'as given',
  })
})

test('a signature over a body that was parsed and serialised again is reported with the form of that body', () => {
  const signature = sign(Buffer.from('{"eventId":"e1","data":{}}'), SECRET, { algorithm: 'sha1', encoding: 'base64' })
  expect(verdict([['x-hub-signature', `sha1=${signature}`]])).toMatchObject({
    header: 'x-hub-signature',
    valid: false,
    algorithm: 'sha1',
    encoding: 'base64',
    bodyForm: 'parsed and written again without spaces, as JSON.stringify does',
    signatureForm: 'without its prefix sha1=',
  })
})

test('a static token is found in any header, and is valid only under the token scheme', () => {
  expect(verdict([['authorization', `Bearer ${SECRET}`]])).toEqual({
    scheme: 'token',
    header: 'authorization',
    valid: false,
  })
  const token = { ...hmac, scheme: 'token' } as const
  const own = signatureVerdict([['service-webhook-secret', SECRET]], BODY, token, { misfits: 0 })
  expect(own).toEqual({ scheme: 'token', header: 'service-webhook-secret', valid: true })
})

test('no other signature settings are tried after 100 misfits, or for a large body', () => {
  const signature = sign(BODY, SECRET, { algorithm: 'md5', encoding: 'hex' })
  const budget = { misfits: 0 }
  for (let i = 0; i < 100; i++) verdict([['service-signature', 'c0ffee'.repeat(4)]], Buffer.from(`{"n":${i}}`), budget)
  expect(verdict([['service-signature', signature]], BODY, budget)).not.toHaveProperty('algorithm')
  expect(verdict([['service-signature', signature]])).toHaveProperty('algorithm', 'md5')
  const large = Buffer.alloc(65_537, 0x20)
  const ofLarge = sign(large, SECRET, { algorithm: 'md5', encoding: 'hex' })
  expect(verdict([['service-signature', ofLarge]], large)).toMatchObject({ valid: false })
})

test('headers keep their original case and order, and repeated headers are kept', () => {
  expect(headersOf({ rawHeaders: ['A', '1', 'a', '2'] })).toEqual([
    ['A', '1'],
    ['a', '2'],
  ])
})
