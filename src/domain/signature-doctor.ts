import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { utf8Of, utf16Order } from '../text/file-text.ts'
import { AS_GIVEN, bodyForms, WITH_TIME } from './body-bytes.ts'
import { sign } from './signature.ts'
import { HMAC_ALGORITHMS, type HmacAlgorithm } from './signature-settings.ts'

/** The settings, the secret and the forms with which a signature is valid. A form says how a secret, body or signature was changed. */
export interface Fit {
  algorithm: HmacAlgorithm
  encoding: 'hex' | 'base64' | 'base64url'
  /** The position of the secret in the list that `diagnose` was given, counted from 1. */
  secret: number
  secretForm: string
  bodyForm: string
  signatureForm: string
}

/**
 * Finds out why a signature is wrong, by trying every algorithm and encoding with changed forms of the secrets, the body and the signature.
 * @returns the combinations with which the signature is valid, the most likely first
 */
export function diagnose(signature: string, body: Uint8Array, secrets: readonly string[]): Fit[] {
  const readings = readSignature(signature)
  const fits: Fit[] = []
  const time = /^\s*t=(\d{1,15})\b/.exec(signature)?.[1]
  const forms = [...bodyForms(body), ...decodedForms(body)]
  const timedForms = forms.map(([form, bytes]): [string, Uint8Array] => [
    form === AS_GIVEN ? WITH_TIME : `${WITH_TIME}, and ${form}`,
    Buffer.concat([Buffer.from(`${time}.`), bytes]),
  ])
  for (const [bodyForm, bytes] of time === undefined ? forms : [...timedForms, ...forms])
    for (const [index, given] of secrets.entries())
      for (const [secretForm, secret] of secretForms(given))
        for (const algorithm of HMAC_ALGORITHMS) {
          const digest = sign(bytes, secret, { algorithm, encoding: 'hex' })
          for (const reading of readings) {
            if (reading.hex !== digest) continue
            const { encoding } = reading
            const isPart = bodyForm.startsWith(WITH_TIME) && reading.signatureForm === 'without its prefix signature='
            const signatureForm = isPart ? AS_GIVEN : reading.signatureForm
            fits.push({ algorithm, encoding, secret: index + 1, secretForm, bodyForm, signatureForm })
          }
        }
  return fits
}

interface Reading {
  hex: string
  encoding: Fit['encoding']
  signatureForm: string
}

function readSignature(signature: string): Reading[] {
  const forms: [form: string, text: string][] = [[AS_GIVEN, signature]]
  const trimmed = signature.trim()
  if (trimmed !== signature) forms.push(['without the white space around it', trimmed])
  for (const part of trimmed.split(',')) {
    const text = part.trim()
    if (text !== trimmed) forms.push(['one of several signatures that are joined by commas', text])
    const prefix = /^[A-Za-z0-9_-]{1,16}=(?=[^=])/.exec(text)?.[0]
    if (prefix) forms.push([`without its prefix ${prefix}`, text.slice(prefix.length)])
  }
  return forms.flatMap(([signatureForm, text]) => {
    const readings: Reading[] = []
    if (/^([0-9a-f]{2})+$/i.test(text)) readings.push({ hex: text.toLowerCase(), encoding: 'hex', signatureForm })
    if (/^[A-Za-z0-9+/]+={0,2}$/.test(text))
      readings.push({ hex: hexOf(text, 'base64'), encoding: 'base64', signatureForm })
    else if (/^[A-Za-z0-9_-]+={0,2}$/.test(text))
      readings.push({ hex: hexOf(text, 'base64url'), encoding: 'base64url', signatureForm })
    return readings
  })
}

const hexOf = (text: string, encoding: 'base64' | 'base64url') => Buffer.from(text, encoding).toString('hex')

function secretForms(secret: string): [form: string, secret: string | Uint8Array][] {
  const forms: [string, string | Uint8Array][] = [[AS_GIVEN, secret]]
  if (secret.trim() !== secret) forms.push(['without the white space around it', secret.trim()])
  else forms.push(['with a line feed at its end', `${secret}\n`])
  const unquoted = /^(["'])(.*)\1$/.exec(secret)?.[2]
  if (unquoted !== undefined) forms.push(['without its quotes', unquoted])
  if (/^([0-9a-f]{2})+$/i.test(secret)) forms.push(['decoded from hex', Buffer.from(secret, 'hex')])
  const prefixed = /^[a-z]{2,8}_(.+)$/.exec(secret)?.[1]
  for (const text of [secret, prefixed]) {
    if (text && /^[A-Za-z0-9+/]+={0,2}$/.test(text)) {
      forms.push([
        text === secret ? 'decoded from base64' : 'decoded from base64, without its prefix',
        Buffer.from(text, 'base64'),
      ])
    }
  }
  return forms
}

const MAX_DECODED = 8 * 1024 * 1024
const MAX_LAYERS = 3

/** Returns the body without each encoding in which a gateway, a logger or a shell may have saved it, also several around each other. */
function decodedForms(body: Uint8Array): [form: string, bytes: Uint8Array][] {
  const found: [string, Buffer][] = []
  let layer: [string, Buffer][] = [['', Buffer.from(body)]]
  for (let depth = 0; depth < MAX_LAYERS && layer.length > 0; depth++) {
    layer = layer.flatMap(([before, bytes]) =>
      DECODERS.flatMap(([form, decode]) => {
        const decoded = attempt(() =>
          decode(
            bytes,
            bytes
              .toString('utf8')
              .replace(/^\ufeff/, '')
              .trim(),
          ),
        )
        const isNew = decoded !== undefined && decoded.length > 0 && !decoded.equals(bytes)
        return isNew ? [[before === '' ? form : `${before}, then ${form}`, decoded] as [string, Buffer]] : []
      }),
    )
    found.push(...layer)
  }
  return found
}

type Decoder = (bytes: Buffer, text: string) => Buffer | undefined

const DECODERS: readonly [form: string, decode: Decoder][] = [
  [
    'decoded from base64',
    (_, text) => (/^[A-Za-z0-9+/_\-\s]{8,}={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined),
  ],
  [
    'decompressed with gzip',
    (bytes) => (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes, LIMIT) : undefined),
  ],
  ['decompressed with deflate', (bytes) => (bytes[0] === 0x78 ? inflateSync(bytes, LIMIT) : undefined)],
  [
    'decompressed with brotli',
    (bytes) => (utf8Of(bytes) === undefined ? brotliDecompressSync(bytes, LIMIT) : undefined),
  ],
  ['converted from UTF-16 to UTF-8', (bytes) => (utf16Order(bytes) === undefined ? undefined : utf8Of(bytes))],
  [
    'read from the JSON text that contains it',
    (_, text) => {
      const value: unknown = text.startsWith('"') ? JSON.parse(text) : undefined
      return typeof value === 'string' ? Buffer.from(value) : undefined
    },
  ],
  [
    'taken from the field body of the event of a gateway',
    (_, text) => {
      const value: unknown = text.startsWith('{') ? JSON.parse(text) : undefined
      if (typeof value !== 'object' || value === null || !('body' in value) || typeof value.body !== 'string')
        return undefined
      return Buffer.from(value.body)
    },
  ],
  [
    'decoded from the percent-encoding of a form',
    (_, text) => (/^%7b/i.test(text) ? Buffer.from(decodeURIComponent(text.replaceAll('+', ' '))) : undefined),
  ],
  [
    'decoded from UTF-8 that was encoded twice',
    (_, text) =>
      /[\u0080-\u00ff]/.test(text) && !/[^\u0000-\u00ff]/.test(text) ? Buffer.from(text, 'latin1') : undefined,
  ],
]

const LIMIT = { maxOutputLength: MAX_DECODED }

function attempt<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

/**
 * Returns why no form of a body can be the signed one, in words: a character of it was replaced while it was saved, which cannot be undone.
 * Returns undefined if no such character is seen.
 */
export function lostCharacters(body: Uint8Array): string | undefined {
  const text = Buffer.from(body).toString('utf8')
  if (text.includes('\ufffd'))
    return 'The body contains characters that replace bytes that were not UTF-8 (U+FFFD), or bytes that are not UTF-8'
  return /\p{L}\?\p{L}|"\?\p{L}/u.test(text)
    ? 'The body contains “?” inside words, where a program that saved it may have lost a letter such as ñ'
    : undefined
}
