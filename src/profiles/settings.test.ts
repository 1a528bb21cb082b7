import { expect, test } from 'vitest'
import { parseProfileFile } from './file.ts'
import { type ProfileSetting, settingProblem } from './settings.ts'

const CASES: [ProfileSetting, accepted: string[], refused: string[]][] = [
  ['environment', ['beta', 'production'], ['Beta', 'sandbox']],
  [
    'baseUrl',
    ['https://api.example.com', 'http://127.0.0.1:4555'],
    ['http://api.example.com', 'api.example.com', 'https://a.example/?x=1', 'https://a.example/#x'],
  ],
  ['publicKey', ['pk_live_1', 'pk-sk_1'], ['sk_live_1', 'SK-1', 'my-secret-key']],
  ['hmacAlgorithm', ['sha256'], ['none', 'SHA-256']],
  ['hmacEncoding', ['hex', 'base64'], ['utf8']],
  ['preApproveIdField', ['preApproveId', 'data.id'], ['a b', 'a/b']],
  ['currency', ['$', 'CLP'], ['123456789']],
  ['database', ['postgres://user@db.example/shop'], ['mysql://db.example/shop', 'postgres://user:pw@db.example/shop']],
  ['paths.leads', ['/partner/leads'], ['partner/leads', '//evil.example', '/a/../b', '/a?b', '/a b']],
  ['paths.lead', ['/partner/leads/{leadId}'], ['/partner/leads']],
  ['bodies.verification', ['form', 'json'], ['xml', 'JSON', 'brackets']],
  ['bodies.eventTypes', ['brackets', 'repeated', 'indexed', 'comma'], ['json', '[]']],
  ['notYet', ['404', '404,422,empty', '404, 409', 'empty'], ['401', '403,404', '429', '200', '5xx', ',', 'never']],
  ['entityId', ['E-1'], ['', ' E-1', 'E\n1', 'E\u009b1']],
]

test.each(CASES)('the setting %s accepts valid values and refuses invalid values', (name, accepted, refused) => {
  for (const value of accepted) expect([value, settingProblem(name, value)]).toEqual([value, undefined])
  for (const value of refused) expect([value, settingProblem(name, value)]).toEqual([value, expect.any(String)])
})

test('the reason for a database address with a password does not repeat the password', () => {
  expect(settingProblem('database', 'postgres://user:hunter2@db.example/shop')).not.toContain('hunter2')
})

const shop = { environment: 'beta', baseUrl: 'https://api.example.com' }
test.each([
  ['', 'it is empty'],
  ['{', expect.stringContaining('it is not JSON')],
  ['[]', 'it is not an object'],
  ['{"version":2,"profiles":{}}', 'it was written by a newer bnpl (version 2)'],
  ['{"profiles":{}}', 'its “version” is not 1'],
  ['{"version":1}', 'it has no “profiles”'],
  ['{"version":1,"default":1,"profiles":{}}', 'its “default” is not a name'],
  [JSON.stringify({ version: 1, profiles: { '../x': shop } }), 'one of its profiles has a name that is not allowed'],
  [JSON.stringify({ version: 1, profiles: { a: 1 } }), 'profile a: it is not an object'],
  [JSON.stringify({ version: 1, profiles: { a: { environment: 'beta' } } }), 'profile a: “baseUrl” is missing'],
  [JSON.stringify({ version: 1, profiles: { a: { ...shop, apiKey: 5 } } }), 'profile a: “apiKey” is not text'],
  [
    JSON.stringify({ version: 1, profiles: { a: { ...shop, webhookSecrets: [''] } } }),
    expect.stringContaining('webhookSecrets'),
  ],
])('the profile file %s is refused with its reason', (text, reason) => {
  expect(parseProfileFile(text)).toMatchObject({ ok: false, reason })
})

test('the reasons for a profile file never contain its secrets', () => {
  const file = {
    version: 1,
    profiles: { a: { ...shop, apiKey: 'canary', baseUrl: 'canary', webhookSecrets: 'canary' } },
  }
  expect(JSON.stringify(parseProfileFile(JSON.stringify(file)))).not.toContain('canary')
})

test('unknown fields of a profile file are kept', () => {
  const file = { version: 1, later: true, profiles: { a: { ...shop, later: [1] } } }
  expect(parseProfileFile(JSON.stringify(file))).toEqual({ ok: true, file })
})
