import { expect, test } from 'vitest'
import { parseKeepingDigits } from './json-text.ts'
import {
  isRutName,
  maskAddress,
  maskEmail,
  maskField,
  maskKey,
  maskLink,
  maskRut,
  maskStructure,
  maskText,
  maskTypedId,
  maskWords,
  plainForm,
} from './masking.ts'

test('only the last four characters of a key are shown, and no character of a short key', () => {
  expect(['', 'short', 'eleven-char', 'twelve-chars', 'sk-1234567890abcd'].map(maskKey)).toEqual([
    '••••',
    '••••',
    '••••',
    '••••hars',
    '••••abcd',
  ])
})

test('only the last characters of a national id are shown, and a typed id keeps its separators', () => {
  expect(['12345678-5', '7-6', '12-3', 'no id', ''].map(maskRut)).toEqual(['••••••78-5', '7-6', '12-3', '•••id-', '-'])
  expect(['+56-912345678', 'CL-12345678-5', '12345678-5 Ana'].map(maskRut)).toEqual(['•••', '•••', '•••'])
  expect(['12.345.678-5', '123456785', '12 34', '12', '1', ''].map(maskTypedId)).toEqual([
    '••.•••.••8-5',
    '•••••••85',
    '•• 34',
    '12',
    '1',
    '',
  ])
})

test('a national id with other digits or dashes than those of ASCII is masked too', () => {
  expect(['12345678‐5', '12345678–5', '12345678−5', '１２３４５６７８－５'].map(maskRut)).toEqual([
    '••••••78-5',
    '••••••78-5',
    '••••••78-5',
    '••••••７８-５',
  ])
  expect(['１２３４５６７８-５', '١٢٣٤٥٦٧٨-٥', '𝟏𝟐𝟑𝟒-5', '①②③', '1\u200b2\u200b3'].map(maskTypedId)).toEqual([
    '•••••••８-５',
    '•••••••٨-٥',
    '•••𝟒-5',
    '•②③',
    '•\u200b2\u200b3',
  ])
})

test('only the first letter and the domain of an e-mail address are shown', () => {
  expect(['maria.perez@example.com', 'a@b.c', 'a@b@c.d', '@b.c', 'nobody', '', 'ana＠mail.cl'].map(maskEmail)).toEqual([
    'm•••@example.com',
    'a•••@b.c',
    'a•••@c.d',
    '•••',
    '•••',
    '•••',
    'a•••＠mail.cl',
  ])
})

test.each([
  ['?widgetToken=abc&a=1', '?widgetToken=••••&a=1'],
  ['&signature=abc#end', '&signature=••••#end'],
  ['#token=abc', '#token=••••'],
  ['?X-Amz-Signature=abc&X-Amz-Credential=d', '?X-Amz-Signature=••••&X-Amz-Credential=••••'],
  ['?sig=a b', '?sig=•••• b'],
  ['?email=ana@example.com', '?email=••••'],
  ['?idNumber=1&rut=2&KEY=3', '?idNumber=••••&rut=••••&KEY=••••'],
  ["?key=abc'", "?key=••••'"],
  ['?key="abc"', '?key=••••"abc"'],
  ['?monkey=abc', '?monkey=abc'],
  ['?customerRut=1&rut_cliente=2&R.U.T.=3&%72ut=4', '?customerRut=••••&rut_cliente=••••&R.U.T.=••••&%72ut=••••'],
  ['?filters%5Bemail%5D=a%40b.cl&phone=912345678', '?filters%5Bemail%5D=••••&phone=••••'],
  ['?truth=1&%zz=2', '?truth=1&%zz=2'],
  ['?a=1?rut=12345678-5&b=2', '?a=1?rut=••••&b=2'],
  ['?key=abc?rut=1&b=2', '?key=••••&b=2'],
  ['?widgetToken=', '?widgetToken=••••'],
  ['/partner/pre-approve/rut/12345678-5/x', '/partner/pre-approve/rut/••••/x'],
  ['/RUT/1?a=1', '/RUT/••••?a=1'],
  ['/rut/', '/rut/'],
  [`/informe/${'a'.repeat(16)}`, '/informe/••••'],
  [`/informe/${'a'.repeat(15)}`, `/informe/${'a'.repeat(15)}`],
  [`/informe/aA0_.~%-aaaaaaaaa/more`, '/informe/••••/more'],
  ['https://user:pass@host/x', 'https://••••@host/x'],
  ['https://host/a@b', 'https://••••@b'],
  ['https://user:pa/ss@host/x', 'https://••••@host/x'],
  ['https://user:pa?ss@host', 'https://••••@host'],
  ['(https://user:pa#s@s@host)', '(https://••••@host)'],
  ['http://DOMAIN\\user:pa\\ss@host:1', 'http://••••@host:1'],
  ['http:/user:pass@host:1', 'http:/••••@host:1'],
  ['DOMAIN\\user:pass@host:1 failed', '••••@host:1 failed'],
  ['HTTPS_PROXY=user:pa/ss@host', 'HTTPS_PROXY=••••@host'],
  ['user@host', 'user@host'],
  [
    '?access_token=1&api-key=2&password=3&passwd=4&client_secret=5&auth=6&x-auth-id=7',
    '?access_token=••••&api-key=••••&password=••••&passwd=••••&client_secret=••••&auth=••••&x-auth-id=••••',
  ],
  ['?author=1&authority=2&compass=3&publicKey=4&signal=5', '?author=1&authority=2&compass=3&publicKey=4&signal=5'],
  ['Bearer abc, and more', 'Bearer •••• and more'],
  ['bearer   abc"', 'bearer   ••••"'],
  ['the bearer', 'the bearer'],
  ['nothing of it', 'nothing of it'],
])('%s is shown as %s', (text, shown) => {
  expect(maskText(text)).toBe(shown)
})

test.each([
  ['eyJhbGci.eyJzdWIi.c2ln', '••••'],
  ['eyJhbGc.b.c', '••••'],
  ['eyJhbG.b.c', 'eyJhbG.b.c'],
  ['eyJhbGci.b', 'eyJhbGci.b'],
  ['at.eyJhbGci.b.c.end', 'at.••••.end'],
  ['x-eyJhbGci.b.c', 'x-••••'],
  ['eyJhbGci.b.c.eyJhbGci.e.f', '••••.••••'],
  ['www.example.com/eyJ', 'www.example.com/eyJ'],
  ['example-host.eyJhbGci.b.c', 'example-host.••••'],
  ['xxx-eyJab.b.c', 'xxx-eyJab.b.c'],
  ['a.b.eyJhbGci', 'a.b.eyJhbGci'],
  ['a.eyJhbGci.b', 'a.eyJhbGci.b'],
  ['a.b.c eyJhbGci.b.c', 'a.b.c ••••'],
])('signed tokens are masked among words joined by dots: %s', (text, shown) => {
  expect(maskText(text)).toBe(shown)
})

test.each([
  ['Ana (ana.perez@example.com) was refused', 'Ana (a•••@example.com) was refused'],
  ['the id 12.345.678-5, and 12345678-k.', 'the id ••.•••.••8-5, and ••••••78-k.'],
  ['1.234.567-8', '•.•••.••7-8'],
  ['order 123-4 and 1234567-89', 'order 123-4 and 1234567-89'],
  ['v1.234.567-8 and x12345678-5', 'v1.234.567-8 and x12345678-5'],
  ['<a@b.c>;“d@e.f”', '<a•••@b.c>;“d•••@e.f”'],
  ['?key=abc', '?key=••••'],
  ['12345678‑5, 12345678−K and 1.234.567―8', '•••••••8‑5, ••••••78−K and •.•••.••7―8'],
  ['el RUT １２．３４５．６７８－５', 'el RUT ••．•••．••８－５'],
  ['(١٢٣٤٥٦٧٨-٥)', '(•••••••٨-٥)'],
  ['order １２３-４', 'order １２３-４'],
  ['ana＠example.com and eva﹫example.com', 'a•••＠example.com and e•••﹫example.com'],
])('a message of the service is shown without personal data: %s', (text, shown) => {
  expect(maskWords(text)).toBe(shown)
})

test('a long text is cut to 1000 characters', () => {
  expect(maskWords('a'.repeat(2_000))).toBe('a'.repeat(1_000))
})

test.each([
  '12.345.678-5',
  'maria.perez@example.com',
  'eyJhbGci.eyJzdWIi.c2ln',
  'https://ana:hunter2@host/',
  'Bearer c0ffee',
])('a text is masked before the cut, so that a cut never shows half of a secret: %s', (secret) => {
  const shown = maskWords(secret)
  for (let before = 970; before <= 1_000; before++) {
    const cut = maskWords(`${'a'.repeat(before - 1)} ${secret} and more words`)
    expect(cut.length).toBeLessThanOrEqual(1_000)
    expect(`${'a'.repeat(before - 1)} ${shown} and more words`.startsWith(cut)).toBe(true)
  }
})

test('a text that must be cut inside a very long word ends before that word', () => {
  expect(maskWords(`a "${'b'.repeat(3_000)}`)).toBe('a "…')
  expect(maskWords('b'.repeat(3_000))).toBe('…')
})

test.each([
  [' http://a b:pa ss@host:1', ' http://••••@host:1'],
  [`postgres://u:pa'ss@h@host/db?password=x`, 'postgres://••••@host/db?password=••••'],
  ['https://proxy.example:1/?auth=c0ffee', 'https://proxy.example:1/?auth=••••'],
])('a typed address is masked to its last @: %s', (text, shown) => {
  expect(maskAddress(text)).toBe(shown)
})

test('only the origin of a signed link is shown', () => {
  expect(maskLink('https://storage.example.com:8443/r/1.pdf?sig=c0ffee')).toBe('https://storage.example.com:8443/••••')
})

test('a field is masked according to its name', () => {
  const key = 'sk-1234567890abcd'
  for (const name of [
    ...[
      'authorization',
      'apiKey',
      'api-key',
      'api_key',
      'APIKEY',
      'widgetToken',
      'widget-token',
      'widget_token',
      'token',
    ],
    ...['signature', 'service-signature', 'cookie', 'Set-Cookie', 'clientSecret', 'secret', 'service-webhook-secret'],
  ])
    expect([name, maskField(name, key), maskField(name, '')]).toEqual([name, '••••abcd', ''])
  for (const name of [
    'idNumber',
    'rut',
    'RUT',
    'customerRut',
    'rut_cliente',
    'RUTCliente',
    'R.U.T.',
    'rutNumber',
    'email',
    'contactEmail',
    'phoneNumber',
  ]) {
    expect([name, maskField(name, '12345678-5')]).toEqual([name, '••••••78-5'])
    expect([name, maskField(name, 'ana@example.com')]).toEqual([name, 'a•••@example.com'])
  }
  for (const name of ['tokens', 'my-token', 'authorizations', 'xrut', 'idNumbers', 'myIdNumber', 'cookies'])
    expect([name, maskField(name, key), maskField(name, '?key=a')]).toEqual([name, key, '?key=••••'])
})

test('a structure is masked by the names of its fields, and by what long texts hold', () => {
  const given = {
    rut: '12345678-5',
    idNumber: 12_345_678,
    amount: 250_000,
    note: 'short',
    link: 'https://x/r?sig=deadbeef',
    list: [{ email: 'ana@example.com' }, 'plain', null, true],
    emails: ['ana@example.com'],
    secrets: { inner: 'short', clientSecret: 'x' },
    nothing: null,
  }
  const before = structuredClone(given)
  expect(maskStructure(given)).toEqual({
    rut: '••••••78-5',
    idNumber: '••••••78-',
    amount: 250_000,
    note: 'short',
    link: 'https://x/r?sig=••••',
    list: [{ email: 'a•••@example.com' }, 'plain', null, true],
    emails: ['a•••@example.com'],
    secrets: { inner: 'short', clientSecret: '••••' },
    nothing: null,
  })
  expect(given).toEqual(before)
})

test('without anything to mask, the same structure is returned, with all digits', () => {
  const plain = parseKeepingDigits('{"amount":90071992547409931,"list":[{"a":[1,"two",null]}],"none":null,"yes":true}')
  expect(maskStructure(plain)).toBe(plain)
  for (const bare of ['text', 7, null, undefined, true]) expect(maskStructure(bare)).toBe(bare)
  expect(maskStructure('12345678-5', 'rut')).toBe('••••••78-5')
  expect(maskStructure(12345678, 'rut')).toBe('••••••78-')
  expect(maskStructure('Bearer abcdefgh')).toBe('Bearer abcdefgh')
  expect(maskStructure('Bearer abcdefghi')).toBe('Bearer ••••')
})

test('field names beyond the size of the cache are masked in the same way', () => {
  const names = Array.from({ length: 1_500 }, (_, i) => `email${i}`)
  const many = Object.fromEntries(names.map((name) => [name, 'a@b.c']))
  for (let i = 0; i < 2; i++)
    expect(new Set(Object.values(maskStructure(many) as object))).toEqual(new Set(['a•••@b.c']))
})

test.each<[string, boolean]>([
  ['rut', true],
  [' R.U.T. ', true],
  ['idNumber', true],
  ['ID-number', true],
  ['rut_cliente', true],
  ['RUT titular', true],
  ['customerRut', true],
  ['rut2', true],
  ['RUTCliente', true],
  ['RUT_TITULAR', true],
  ['R.U.T. cliente', true],
  ['ＲＵＴ', true],
  ['rutina', false],
  ['bRUTo', false],
  ['ruta', false],
  ['truth', false],
  ['id', false],
  ['numberId', false],
  ['', false],
])('the field name %j is recognized correctly as the name of a RUT or of another value', (name, means) => {
  expect(isRutName(name)).toBe(means)
})

test.each([
  ['１２３４５６７８９０-Ｋ', '1234567890-K'],
  ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
  ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
  ['०१२३४५६७८९', '0123456789'],
  ['𝟎𝟏𝟐𝟗𝟘𝟡𝟢𝟿', '01290909'],
  ['①²', '12'],
  ['12–5', '12–5'],
  ['Ñandú ñ', 'Ñandú ñ'],
  ['', ''],
])('%s is converted to its plain form', (text, plain) => {
  expect(plainForm(text)).toBe(plain)
})

test('the digits of every script are converted to ASCII digits of the same value', () => {
  const digits = Array.from({ length: 0x1ffff }, (_, i) => String.fromCodePoint(i)).filter((c) => /\p{Nd}/u.test(c))
  expect(digits.length % 10).toBe(0)
  for (let i = 0; i < digits.length; i += 10) expect(plainForm(digits.slice(i, i + 10).join(''))).toBe('0123456789')
})

test('secrets and personal data are masked anywhere in a text', () => {
  const masked = maskText(
    'GET https://u:p@x/partner/pre-approve/rut/12345678-5?a=1&widgetToken=abc&X-Amz-Signature=deadbeef Bearer sk-1 eyJhbGciOi.eyJzdWIi.c2ln',
  )
  for (const secret of ['12345678-5', 'abc', 'deadbeef', 'sk-1', 'u:p', 'eyJzdWIi'])
    expect(masked).not.toContain(secret)
  expect(masked).toContain('a=1')
  expect(maskField('idNumber', '12345678-5')).toBe('••••••78-5')
  expect(maskField('email', 'ana@example.com')).toBe('a•••@example.com')
  expect(maskField('authorization', 'Bearer sk-1234567890abcd')).toBe('••••abcd')
})

test('masking a hostile text takes linear time', () => {
  const text = 'eyJ'.repeat(1_000_000)
  expect(maskText(text)).toBe(text)
  expect(maskField(`${'secret'.repeat(200_000)}\nx`, 'a value of somebody')).toBe('••••body')
  expect(maskField(`${'email'.repeat(200_000)}\nx`, 'a@example.com')).toBe('a•••@example.com')
  expect(maskText('%3FwidgetToken%3DeyJhbGciOiJ.eyJzdWIi.s-g_1 www.eyJhbGciOiJ.b.c eyJhbGciOiJ.b')).toBe(
    '%3FwidgetToken%3D•••• www.•••• eyJhbGciOiJ.b',
  )
})
