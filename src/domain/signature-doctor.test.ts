import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { diagnose } from './signature-doctor.ts'

const value = { eventId: 'e1', data: { name: 'Ñandú', url: 'https://x/y', list: [1, 2] } }
const compact = JSON.stringify(value)
const hmac = (
  text: string | Buffer,
  secret: string | Buffer = 's3cret',
  algorithm = 'sha256',
  encoding: 'hex' | 'base64' | 'base64url' = 'hex',
) => createHmac(algorithm, secret).update(text).digest(encoding)
const first = (signature: string, body: string | Buffer, secrets = ['s3cret']) =>
  diagnose(signature, Buffer.from(body as string), secrets)[0]

test.each([
  ['sha512 in hex', hmac(compact, 's3cret', 'sha512'), { algorithm: 'sha512', encoding: 'hex' }],
  ['sha1 in base64', hmac(compact, 's3cret', 'sha1', 'base64'), { algorithm: 'sha1', encoding: 'base64' }],
  ['a prefix', `sha256=${hmac(compact)}`, { signatureForm: 'without its prefix sha256=' }],
  ['a version', `t=1700000000,v1=${hmac(compact)}`, { signatureForm: 'without its prefix v1=' }],
  ['white space', ` ${hmac(compact)}\n`, { signatureForm: 'without the white space around it' }],
  ['sent twice', `${hmac(compact)}, ${hmac(compact)}`, { signatureForm: 'one of several, joined by a comma' }],
])('the diagnosis names the form of the signature: %s', (_, signature, fit) => {
  expect(first(signature, compact)).toMatchObject(fit)
})

test.each([
  ['without the line end at its end', `${compact}\n`, compact],
  ['with a line feed at its end', compact, `${compact}\n`],
  ['with a CRLF at its end', compact, `${compact}\r\n`],
  ['without the byte order mark', `\ufeff${compact}`, compact],
  ['with a byte order mark', compact, `\ufeff${compact}`],
  ['with CRLF line ends turned to LF', '{\r\n"eventId":1}', '{\n"eventId":1}'],
  ['with LF line ends turned to CRLF', '{\n"eventId":1}', '{\r\n"eventId":1}'],
  ['parsed and written again, compact (JSON.stringify)', JSON.stringify(value, null, 2), compact],
  ['parsed and written again, indented by 2', compact, JSON.stringify(value, null, 2)],
  [
    'parsed and written again, as Python does, with \\u escapes',
    compact,
    '{"eventId": "e1", "data": {"name": "\\u00d1and\\u00fa", "url": "https://x/y", "list": [1, 2]}}',
  ],
  [
    'parsed and written again, as PHP does (\\/ and \\u escapes)',
    compact,
    '{"eventId":"e1","data":{"name":"\\u00d1and\\u00fa","url":"https:\\/\\/x\\/y","list":[1,2]}}',
  ],
  ['parsed and written again, keys sorted', '{"eventId":"e1","data":{}}', '{"data":{},"eventId":"e1"}'],
])('the diagnosis names the form of the body: %s', (bodyForm, given, signed) => {
  expect(first(hmac(signed), given)).toMatchObject({ bodyForm, algorithm: 'sha256', secretForm: 'as given' })
})

test.each([
  ['with a line feed at its end', 's3cret', 's3cret\n'],
  ['without the white space around it', 's3cret ', 's3cret'],
  ['without its quotes', '"s3cret"', 's3cret'],
  ['decoded from hex', '736563726574', Buffer.from('secret')],
  ['decoded from base64', 'c2VjcmV0', Buffer.from('secret')],
  ['decoded from base64, without its prefix', 'whsec_c2VjcmV0', Buffer.from('secret')],
])('the diagnosis names the form of the secret: %s', (secretForm, given, signedWith) => {
  expect(first(hmac(compact, signedWith), compact, [given])).toMatchObject({ secretForm, bodyForm: 'as given' })
})

test('the diagnosis names the secret that fits, and is empty when none fits', () => {
  expect(first(hmac(compact, 'old', 'sha512'), compact, ['new', 'old'])).toMatchObject({ secret: 2 })
  expect(diagnose(hmac('other'), Buffer.from(compact), ['s3cret'])).toEqual([])
  expect(diagnose('', Buffer.from(compact), ['s3cret'])).toEqual([])
  expect(diagnose('💥', Buffer.from([0xff, 0xfe]), ['s3cret'])).toEqual([])
})
