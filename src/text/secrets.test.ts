import { expect, test } from 'vitest'
import { random } from '../../test/kit/seed.ts'
import { createSecrets, HIDDEN } from './secrets.ts'
import { visible } from './visible.ts'

const SECRET = 'sk-Canary+4711/x"y~ñ'

const encodings: [string, (text: string) => string][] = [
  ['as it is', (text) => text],
  ['in other letters', (text) => text.toUpperCase().replace('Ñ', 'ñ')],
  ['percent-encoded', encodeURIComponent],
  ['percent-encoded twice', (text) => encodeURIComponent(encodeURIComponent(text))],
  ['percent-encoded in part', (text) => text.replace('-', '%2d').replace('4', '%34').replace('7', '%2537')],
  ['in JSON', (text) => JSON.stringify(text)],
  ['with escapes', (text) => text.replace('C', '\\u0043').replace('ñ', '\\u00f1')],
  ['in hexadecimal digits', (text) => Buffer.from(text).toString('hex')],
  ['in Base64', (text) => Buffer.from(`user:${text}`).toString('base64')],
  ['in Base64 one byte later', (text) => Buffer.from(`a user:${text}.`).toString('base64')],
  ['in Base64 two bytes later', (text) => Buffer.from(`an user:${text}, and more`).toString('base64url')],
  ['in Base64 in an address', (text) => encodeURIComponent(Buffer.from(text).toString('base64'))],
]

test.each(encodings)('a secret is hidden %s', (_, encode) => {
  const { hide, finds } = createSecrets('another-secret', SECRET)
  const text = `GET /partner/x/${encode(SECRET)}/y → 200`
  const shown = hide(text)
  expect(shown).toMatch(/^GET \/partner\/x\/\S{0,30}••••\S{0,30}\/y → 200$/)
  expect(shown).not.toContain(encode(SECRET).slice(4, 20))
  expect(finds(text)).toBe(true)
})

test('a secret of any characters is hidden in every spelling of JSON, also as units of an emoji', () => {
  const characters = [...'aZ7-+/"\\\t ñÿ€漢😀🇨🇱𝒳\u{10ffff}']
  const unit = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`
  const spellings: ((text: string) => string)[] = [
    (text) => JSON.stringify(text).slice(1, -1),
    (text) =>
      JSON.stringify(text)
        .slice(1, -1)
        .replace(/[^\0-\x7f]/g, unit),
    (text) =>
      JSON.stringify(text)
        .slice(1, -1)
        .replace(/[^\0-\x7f]/g, (c) => unit(c).toUpperCase().replace('U', 'u')),
    (text) => text.split('').map(unit).join(''),
    encodeURIComponent,
    visible,
  ]
  for (let round = 0; round < 30; round++) {
    const drawn = Array.from({ length: 12 }, () => characters[Math.floor(random() * characters.length)] ?? '')
    const secret = `k${drawn.join('')}k`
    const { hide } = createSecrets(secret)
    for (const spell of spellings) expect([secret, hide(`<${spell(secret)}>`)]).toEqual([secret, `<${HIDDEN}>`])
  }
})

test('a short secret and a plain word are not searched for, and white space around a secret does not matter', () => {
  const { hide, add } = createSecrets('k', 'seven-7', 'postgres', undefined, '')
  expect(hide('the k of postgres and seven-7')).toBe('the k of postgres and seven-7')
  add(' padded-secret\n')
  expect(hide('a padded-secret b')).toBe('a •••• b')
})

test('the longest secret is hidden first, and a very long one too', () => {
  const long = 'x7-'.repeat(5_000)
  const { hide } = createSecrets('sk-canary', 'sk-canary-longer', long)
  expect(hide('sk-canary-longer, sk-canary')).toBe('••••, ••••')
  expect(hide(`<${long}>`)).toBe('<••••>')
})

test('secrets in a structure are hidden, and a structure without a secret is returned itself', () => {
  const { hideIn } = createSecrets('sk-canary')
  const clean = { a: ['b', 1, null], c: { d: true } }
  expect(hideIn(clean)).toBe(clean)
  expect(hideIn({ a: ['x sk-canary', 1], 'of sk-canary': { b: null } })).toEqual({
    a: ['x ••••', 1],
    'of ••••': { b: null },
  })
})
