import { kindOfField } from './field-kinds.ts'
import { SECRET_MARK } from './secrets.ts'
import { type Sanitising, sanitiseName, sanitiseText, sizeMark } from './values.ts'

export type Headers = readonly (readonly [name: string, value: string])[]

/**
 * Headers of the protocol, whose values say nothing about a person. They are kept if they are short, but secrets and personal data in them
 * are replaced anyway.
 */
const KEPT = new Set([
  'accept',
  'accept-encoding',
  'accept-ranges',
  'age',
  'allow',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'expires',
  'keep-alive',
  'last-modified',
  'pragma',
  'retry-after',
  'server',
  'transfer-encoding',
  'user-agent',
  'vary',
  'x-powered-by',
])
/** Headers about rate limits, in any of their usual names. */
const KEPT_PATTERN = /^(x-)?rate-?limit(-[a-z-]+)?$/
const ADDRESSES = new Set(['location', 'content-location', 'referer', 'origin'])
const IDS = /^(x-)?(amzn?-)?(request|correlation|trace)-?id$|^x-amzn-requestid$/
const HOSTS = new Set(['host', 'x-forwarded-host', ':authority'])
/** Headers whose values prove who sent the request. */
const PROOFS = /signature|secret|token|digest|hmac|auth|key|cookie|session/

/** Cleans headers. A value of an unknown header is replaced with a mark of its size. Names are in lower case. */
export function sanitiseHeaders(headers: Headers, s: Sanitising): [string, string][] {
  return headers.map(([given, value]) => {
    const name = given.toLowerCase()
    return [sanitiseName(name, s), sanitiseHeader(name, value, s)]
  })
}

function sanitiseHeader(name: string, value: string, s: Sanitising): string {
  if (value === '') return ''
  if (KEPT.has(name) || KEPT_PATTERN.test(name)) {
    return /^[\x20-\x7e]{1,256}$/.test(value) ? s.cleaner.clean(value) : sizeMark(value.length)
  }
  if (ADDRESSES.has(name)) return s.url(value) ?? sizeMark(value.length)
  if (HOSTS.has(name)) return s.url(`http://${value}`)?.slice('http://'.length) ?? sizeMark(value.length)
  if (PROOFS.test(name) || kindOfField(name) === 'secret') return proof(name, value)
  if (IDS.test(name)) return sanitiseText(value, 'requestId', name, { ...s, leftOut: () => {} })
  return sanitiseText(value, 'header', name, { ...s, leftOut: () => {} })
}

/** Returns the mark of a secret for a header that proves the sender. The word before the secret (`Bearer`, `sha256=`) is kept. */
function proof(name: string, value: string): string {
  const [scheme = ''] = /^(Bearer|Basic|Digest) (?=\S)/i.exec(value) ?? []
  if (name.endsWith('authorization')) return scheme + SECRET_MARK
  const [prefix = ''] = /^(sha1|sha224|sha256|sha384|sha512|md5|v1)=(?=\S)/.exec(value) ?? []
  return prefix + SECRET_MARK
}

/** Returns the secrets in headers: a key after its scheme, the value of each cookie, a token. */
export function proofsIn(headers: Headers): string[] {
  return headers
    .filter(([name]) => PROOFS.test(name.toLowerCase()))
    .flatMap(([, value]) => [value, ...value.split(/[\s;,]+/), ...value.split(/[\s;,=]+/)])
    .filter((word) => word.length >= 8 && /\d/.test(word))
}
