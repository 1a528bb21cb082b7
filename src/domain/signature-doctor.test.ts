import { createHmac } from 'node:crypto'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { diagnose, lostCharacters } from './signature-doctor.ts'

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
  [
    'sent twice',
    `${hmac(compact)}, ${hmac(compact)}`,
    { signatureForm: 'one of several signatures that are joined by commas' },
  ],
  [
    'sent after another',
    `${hmac('other')}, ${hmac(compact)}`,
    { signatureForm: 'one of several signatures that are joined by commas' },
  ],
])('the diagnosis names the form of the signature: %s', (_, signature, fit) => {
  expect(first(signature, compact)).toMatchObject(fit)
})

test.each([
  ['without the line break at its end', `${compact}\n`, compact],
  ['with a line feed at its end', compact, `${compact}\n`],
  ['with a CRLF at its end', compact, `${compact}\r\n`],
  ['without the byte order mark', `\ufeff${compact}`, compact],
  ['with a byte order mark', compact, `\ufeff${compact}`],
  ['with CRLF line ends changed to LF', '{\r\n"eventId":1}', '{\n"eventId":1}'],
  ['with LF line ends changed to CRLF', '{\n"eventId":1}', '{\r\n"eventId":1}'],
  ['parsed and written again without spaces, as JSON.stringify does', JSON.stringify(value, null, 2), compact],
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
  [
    'parsed and written again without spaces, with sorted keys',
    '{"eventId":"e1","data":{}}',
    '{"data":{},"eventId":"e1"}',
  ],
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

test.each([
  ['without the white space around it', ` ${compact}\n`, compact],
  ['without the white space around it', `\ufeff \n${compact}`, compact],
  ['re-encoded from Latin-1', Buffer.from('{"name":"\u00d1"}', 'latin1'), '{"name":"\u00d1"}'],
  ['parsed and written again, indented by 4', compact, JSON.stringify(value, null, 4)],
  [
    'parsed and written again without spaces, with \\u escapes',
    compact,
    '{"eventId":"e1","data":{"name":"\\u00d1and\\u00fa","url":"https://x/y","list":[1,2]}}',
  ],
  [
    'parsed and written again, as Python does (", " and ": ")',
    compact,
    '{"eventId": "e1", "data": {"name": "\u00d1and\u00fa", "url": "https://x/y", "list": [1, 2]}}',
  ],
  ['parsed and written again, as Python does (", " and ": ")', '{"a":"x,y:z\\",:"}', '{"a": "x,y:z\\",:"}'],
  [
    'parsed and written again without spaces, with sorted keys',
    '{"c":[{"b":1,"a":null}],"b":"x","a":2}',
    '{"a":2,"b":"x","c":[{"a":null,"b":1}]}',
  ],
  ['parsed and written again without spaces, as JSON.stringify does', '\ufeff{ "a": "\ufeff" }', '{"a":"\ufeff"}'],
  ['without the line break at its end', '{\r\n"a":1}\r\n', '{\r\n"a":1}'],
  ['without the byte order mark', '\ufeff"\ufeff"', '"\ufeff"'],
])('the diagnosis names the change that an intermediate program made to the body: %s', (bodyForm, given, signed) => {
  expect(first(hmac(signed), given)).toMatchObject({ bodyForm, secretForm: 'as given', signatureForm: 'as given' })
})

test('a signature of the body with sorted keys is recognised for any original order of the keys', () => {
  for (const given of ['{"b":1,"c":2,"a":3}', '{"a":3,"b":1,"c":2}', '{"c":2,"b":1,"a":3}', '{"c":2,"a":3,"b":1}'])
    expect(diagnose(hmac('{"a":3,"b":1,"c":2}'), Buffer.from(`${given} `), ['s3cret'])).not.toEqual([])
})

test('a byte order mark inside the body is not removed', () => {
  expect(diagnose(hmac('"a"'), Buffer.from('"\ufeffa"'), ['s3cret'])).toEqual([])
})

test('each fit is reported only once', () => {
  expect(diagnose(hmac(compact), Buffer.from(compact), ['s3cret'])).toEqual([
    {
      algorithm: 'sha256',
      encoding: 'hex',
      secret: 1,
      secretForm: 'as given',
      bodyForm: 'as given',
      signatureForm: 'as given',
    },
  ])
  expect(diagnose(`${hmac(compact)}\n`, Buffer.from(compact), ['s3cret'])).toEqual([
    expect.objectContaining({ signatureForm: 'without the white space around it' }),
  ])
  expect(diagnose(`v1=${hmac(compact)}`, Buffer.from(compact), ['s3cret'])).toEqual([
    expect.objectContaining({ signatureForm: 'without its prefix v1=' }),
  ])
})

test.each([
  ['base64url', hmac(compact, 's3cret', 'sha256', 'base64url')],
  ['base64', hmac(compact, 's3cret', 'sha256', 'base64')],
  ['base64', hmac(compact, 's3cret', 'sha384', 'base64')],
  ['hex', hmac(compact).toUpperCase()],
])('the diagnosis reads a signature in %s', (encoding, signature) => {
  expect(diagnose(signature, Buffer.from(compact), ['s3cret'])).toEqual([
    expect.objectContaining({ encoding, signatureForm: 'as given' }),
  ])
})

test('a text that is longer or shorter than a signature gets no diagnosis', () => {
  const good = hmac(compact)
  const base64 = hmac(compact, 's3cret', 'sha256', 'base64')
  for (const text of [
    `${good}0`,
    good.slice(1),
    `x${good}`,
    `${good}!`,
    `!${good}`,
    `${base64}==`,
    `!${base64}`,
    `a b=${good}`,
    `v1==${good}`,
    `${'v'.repeat(17)}=${good}`,
  ])
    expect([text, diagnose(text, Buffer.from(compact), ['s3cret'])]).toEqual([text, []])
})

test.each([
  ['without its quotes', "'s3cret'", 's3cret'],
  ['without its quotes', '""', ''],
  ['without the white space around it', '\ts3cret\n', 's3cret'],
  ['decoded from hex', '736563726574'.toUpperCase(), Buffer.from('secret')],
  ['decoded from base64', 'c2VjcmV0cw==', Buffer.from('secrets')],
])('the diagnosis lists the fitting form of the secret: %s', (secretForm, given, signedWith) => {
  expect(diagnose(hmac(compact, signedWith), Buffer.from(compact), [given])).toContainEqual(
    expect.objectContaining({ secretForm, bodyForm: 'as given' }),
  )
})

test('a secret is only decoded in ways that its characters allow', () => {
  const fits = (given: string, signedWith: string | Buffer) =>
    diagnose(hmac(compact, signedWith), Buffer.from(compact), [given])
  expect(fits('"s3cret', 's3cret')).toEqual([])
  expect(fits('"s3cret\'', 's3cret')).toEqual([])
  expect(fits('x"s3cret"', 's3cret')).toEqual([])
  expect(fits('"s3cret"x', 's3cret')).toEqual([])
  expect(fits('73656372657', Buffer.from('secre'))).toEqual([])
  expect(fits('7365zz', Buffer.from('se'))).toEqual([])
  expect(fits('zz7365', Buffer.from('se'))).toEqual([])
  expect(fits('c2VjcmV0!', Buffer.from('secret'))).toEqual([])
  expect(fits('!c2VjcmV0', Buffer.from('secret'))).toEqual([])
  expect(fits('Whsec_c2VjcmV0', Buffer.from('secret'))).toEqual([])
  expect(fits('123456789_c2VjcmV0', Buffer.from('secret'))).toEqual([])
})

const SENT = Buffer.from('{"eventId":"E1","data":{"nombre":"Ñandú 😀","nota":"Peñalolén"}}')

test.each<[form: string, saved: Buffer]>([
  ['decoded from base64', Buffer.from(`${SENT.toString('base64')}\n`)],
  ['decoded from base64', Buffer.from(SENT.toString('base64url'))],
  ['decompressed with gzip', gzipSync(SENT)],
  ['decompressed with deflate', deflateSync(SENT)],
  ['decompressed with brotli', brotliCompressSync(SENT)],
  ['decoded from base64, then decompressed with gzip', Buffer.from(gzipSync(SENT).toString('base64'))],
  ['converted from UTF-16 to UTF-8', Buffer.from(`\ufeff${SENT}`, 'utf16le')],
  ['converted from UTF-16 to UTF-8', Buffer.from(`${SENT}`, 'utf16le')],
  ['read from the JSON text that contains it', Buffer.from(JSON.stringify(`${SENT}`))],
  [
    'taken from the field body of the event of a gateway',
    Buffer.from(JSON.stringify({ body: `${SENT}`, headers: {} })),
  ],
  [
    'taken from the field body of the event of a gateway, then decoded from base64',
    Buffer.from(JSON.stringify({ body: SENT.toString('base64'), isBase64Encoded: true })),
  ],
  ['decoded from the percent-encoding of a form', Buffer.from(encodeURIComponent(`${SENT}`))],
  ['decoded from UTF-8 that was encoded twice', Buffer.from(SENT.toString('latin1'))],
])('a body that was saved in another encoding is found: %s', (form, saved) => {
  const signature = hmac(SENT, 'a-secret')
  expect(diagnose(signature, saved, ['a-secret'])).toMatchObject([{ bodyForm: form, algorithm: 'sha256' }])
})

test('letters that were lost while a body was saved are noticed', () => {
  expect(lostCharacters(Buffer.from('{"nota":"Pe?alol?n"}'))).toContain('“?” inside words')
  expect(lostCharacters(Buffer.from('{"nota":"Pe\ufffdalol\ufffdn"}'))).toContain('U+FFFD')
  expect(lostCharacters(Buffer.from('{"nota":"Peñalolén"}', 'latin1'))).toContain('not UTF-8')
  expect(lostCharacters(Buffer.concat([SENT, Buffer.from('"¿Qué?"')]))).toBeUndefined()
})
