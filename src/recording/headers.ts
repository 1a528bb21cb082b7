import { maskWords } from '../text/masking.ts'
import { isServiceWord, kindOfField } from './field-kinds.ts'
import { SECRET_MARK } from './secrets.ts'
import { isSpeaking, type Sanitising, sanitiseId, sanitiseText, sizeMark } from './values.ts'

export type Headers = readonly (readonly [name: string, value: string])[]

/** Headers of the protocol. Short values are kept, except for secrets and personal data in them. */
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
  'date',
  'expect',
  'expires',
  'keep-alive',
  'last-modified',
  'pragma',
  'retry-after',
  'server',
  'transfer-encoding',
  'vary',
  'x-powered-by',
])
const KEPT_PATTERN = /^(x-)?rate-?limit(-[a-z-]+)?$/
const NUMBERS_AND_DATES = new Set(['age', 'content-length', 'date', 'expires', 'last-modified', 'retry-after'])
const NUMBER_OR_DATE =
  /^-?\d{1,15}(?:\.\d{1,6})?$|^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$|^[\dTZ:.+-]{10,30}$/
const ADDRESSES = new Set(['location', 'content-location', 'referer', 'origin'])
const IDS = /^(x-)?(amzn?-)?(request|correlation|trace)-?id$|^x-amzn-requestid$/
const HOSTS = new Set(['host', 'x-forwarded-host', ':authority'])
/** Headers whose values prove who sent the request. */
const PROOFS = /signature|secret|token|digest|hmac|auth|key|cookie|session/

/** Whether the value of a header proves who sent the request, as a key or a cookie does. */
export const isProof = (name: string): boolean => PROOFS.test(name.toLowerCase()) || kindOfField(name) === 'secret'

/** Whether the value of a header is an address. */
export const isAddress = (name: string): boolean => ADDRESSES.has(name.toLowerCase())

/**
 * Returns headers without secrets and personal data, with names in lower case. A value of unknown meaning is replaced with other characters
 * or with its approximate size.
 */
export function sanitiseHeaders(headers: Headers, s: Sanitising): [string, string][] {
  return headers.map(([given, value]) => {
    const name = given.toLowerCase()
    return [headerName(name, s), sanitiseHeader(name, value, s)]
  })
}

function sanitiseHeader(name: string, value: string, s: Sanitising): string {
  if (value === '') return ''
  if (name === 'content-type') return contentType(value, s)
  if (name === 'user-agent') return products(value, s)
  if (KEPT_PATTERN.test(name) && !isQuota(value)) return sizeMark(value.length)
  if (NUMBERS_AND_DATES.has(name) && !NUMBER_OR_DATE.test(value)) return sizeMark(value.length)
  if (KEPT.has(name) || KEPT_PATTERN.test(name)) {
    const quoted = value.replace(/"[^"]*"?/g, (text) => sizeMark(text.length))
    return /^[\x20-\x7e]{1,256}$/.test(value) && isHarmless(quoted, s) ? quoted : sizeMark(value.length)
  }
  if (isAddress(name)) return s.url(value) ?? sizeMark(value.length)
  if (HOSTS.has(name)) return s.url(`http://${value}`)?.slice('http://'.length) ?? sizeMark(value.length)
  if (isProof(name)) return proof(name, value)
  if (IDS.test(name)) return sanitiseId(value, s)
  return sanitiseText(value, 'header', name, { ...s, leftOut: () => {} })
}

/** Returns the name of a header. A name that may be a secret or a person's name is left out. */
const headerName = (name: string, s: Sanitising): string =>
  isServiceWord(name) || (/^[a-z][a-z\d-]{0,40}$/.test(name) && isSpeaking(name) && isHarmless(name, s))
    ? name
    : sizeMark(name.length)

/** Whether a value of a kept header contains no sign of a secret or a person. */
const isHarmless = (text: string, { secrets, names }: Sanitising): boolean =>
  secrets.mark(text) === text && maskWords(text) === text && !/\d{7}/.test(text) && !names.inside(text)

/** Returns the products and versions of a User-Agent, such as `bnpl/1.2`. Everything else in it is left out. */
const products = (value: string, s: Sanitising): string =>
  value
    .split(' ')
    .map((word) =>
      /^[A-Za-z][A-Za-z-]{1,19}\/\d[\d.]{0,11}$/.test(word) && isHarmless(word, s) ? word : sizeMark(word.length),
    )
    .slice(0, 8)
    .join(' ')

/** Cleans a Content-Type. Only the values of four known parameters, such as the charset, are kept, because others may identify a person. */
function contentType(value: string, s: Sanitising): string {
  const [type = '', ...parameters] = value.split(';')
  if (!/^[\w.+/-]{1,128}$/.test(type.trim())) return sizeMark(value.length)
  const kept = parameters.map((each) =>
    /^\s*(?:charset|version|profile|q)\s*=\s*"?[\w.+-]{1,40}"?\s*$/i.test(each)
      ? each
      : each.replace(/^(\s*[\w-]{1,40}=)?(.+)$/s, (_, name = '', rest: string) => name + sizeMark(rest.length)),
  )
  const [media, ...parameterTexts] = [type, ...kept].map((each) => (isHarmless(each, s) ? each : sizeMark(each.length)))
  return [media, ...parameterTexts].join(';')
}

const isQuota = (value: string): boolean =>
  value
    .match(/[^\d\s=,;:."?+-]+/g)
    ?.every((word) =>
      /^(?:limit|remaining|reset|used|policy|burst|window|default|w|q|r|t|[ms]|sec|min|seconds?)$/i.test(word),
    ) ?? true

function proof(name: string, value: string): string {
  const [scheme = ''] = /^(Bearer|Basic|Digest) (?=\S)/i.exec(value) ?? []
  if (name.endsWith('authorization')) return scheme + SECRET_MARK
  const [prefix = ''] = /^(sha1|sha224|sha256|sha384|sha512|md5|v1)=(?=\S)/.exec(value) ?? []
  return prefix + SECRET_MARK
}

/** Returns the secrets in headers, such as keys, tokens and cookies. */
export function proofsIn(headers: Headers): string[] {
  return headers
    .filter(([name]) => PROOFS.test(name.toLowerCase()))
    .flatMap(([, value]) => [value, ...value.split(/[\s;,]+/), ...value.split(/[\s;,=]+/)])
    .filter((word) => word.length >= 8 && /\d/.test(word))
}
