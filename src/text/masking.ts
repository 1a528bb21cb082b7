import { isRawNumber } from './json-text.ts'
import { isSecretParameter, percentDecoded } from './secrets.ts'

/** Masks a key except its last four characters. A key with fewer than 12 characters is masked completely. */
export function maskKey(secret: string): string {
  return secret.length < 12 ? '••••' : `••••${secret.slice(-4)}`
}

/**
 * Masks a RUT: `12345678-5` becomes `••••••78-5`, which does not identify the person. Accepts every dash of Unicode. A text with more
 * than one character after the dash is not a RUT, and is masked completely.
 */
export function maskRut(rut: string): string {
  const [digits = '', ...rest] = rut.split(/[\p{Pd}\u2212]/u)
  const check = rest.join('-')
  if ([...check].length > 1) return '•••'
  return `${'•'.repeat(Math.max(0, digits.length - 2))}${digits.slice(-2)}-${check}`
}

/** Masks all digits of a typed national id except the last two. The id need not be valid, and its digits may be of any script. */
export function maskTypedId(text: string): string {
  return text.replace(/\p{N}(?=(?:\P{N}*\p{N}){2})/gu, '•')
}

/** The at sign, and the forms of it that keyboards of East Asia type. */
const AT_SIGNS = '@＠﹫'

/** Masks an e-mail address: `maria.perez@example.com` becomes `m•••@example.com`. */
export function maskEmail(email: string): string {
  const at = Math.max(...[...AT_SIGNS].map((sign) => email.lastIndexOf(sign)))
  return at < 1 ? '•••' : `${email[0]}•••${email.slice(at)}`
}

/** Matches the name of a parameter in an address. No secret has a name of more than 64 characters. */
const PARAMETER_NAME = /[?&#]([^?&#=/\s"']{1,64})=/g
const RUT_IN_PATH = /(\/rut\/)[^/?#\s"']+/gi
const LINK_SIGNATURE_IN_PATH = /(\/informe\/)[A-Za-z0-9_.~%-]{16,}/g
const BEARER = /(Bearer\s+)[^\s"']+/gi
/** Matches three or more words joined by dots, as in a JWT. A match begins only where a word begins. Otherwise, the search would be slow. */
const DOTTED = /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+){2,}/g
/** Matches a RUT in a sentence. Its digits and its dash may be of any script. The pattern is slow, so use it only for short texts. */
const RUT_IN_WORDS =
  /(?<![\w\p{Nd}\p{Pd}\u2212]|\p{Nd}[.．])\p{Nd}{1,3}(?:[.．]?\p{Nd}{3}){1,2}[\p{Pd}\u2212][\p{Nd}kKｋＫ](?![\w\p{Nd}])/gu
/** Matches an e-mail address in a sentence. The pattern is slow, so use it only for short texts. */
const EMAIL_IN_WORDS = /[^\s@＠﹫"'“”<>(),;:]{1,64}[@＠﹫][^\s@＠﹫"'“”<>(),;:]{1,190}/g

/** Every text that `maskText` masks matches this pattern. Most other texts do not. */
const SUSPECT = /[?&#@]|\/rut\/|\/informe\/|bearer|eyJ/i

/** Masks the credentials in a text, and the personal data in its URLs. */
export function maskText(text: string): string {
  if (!SUSPECT.test(text)) return text
  return withoutParameters(text.includes('@') ? withoutUserinfo(text) : text)
    .replace(RUT_IN_PATH, '$1••••')
    .replace(LINK_SIGNATURE_IN_PATH, '$1••••')
    .replace(BEARER, '$1••••')
    .replace(DOTTED, (words) => (words.includes('eyJ') ? withoutTokens(words) : words))
}

const withoutUserinfo = (text: string): string =>
  text.replace(/[^\s"'“”<>`]+/g, (word) => (word.includes('@') ? maskUserinfo(word) : word))

/**
 * Masks the user name and the password in a word that may be an address: everything from the scheme to the last “@”. An address can be
 * read in more than one way if its password contains “/”, “#”, “?” or a backslash, so how it is read does not matter here. A word without
 * a scheme is masked if a “:” is before the “@”, as in `user:password@host`.
 */
function maskUserinfo(word: string): string {
  const at = word.lastIndexOf('@')
  const before = word.slice(0, at)
  const scheme = /[a-z][a-z0-9+.-]{0,30}:[/\\]{1,8}/i.exec(before)
  if (scheme) return `${before.slice(0, scheme.index)}${scheme[0]}••••${word.slice(at)}`
  if (!before.includes(':')) return word
  // The name of a variable or a parameter may be before the address, as in `HTTPS_PROXY=user:password@host`.
  const [name = ''] = /^[\w-]{1,64}=/.exec(before) ?? []
  return `${name}••••${word.slice(at)}`
}

const isMasked = (name: string): boolean => isSecretParameter(name) || isPersonName(name)

function withoutParameters(text: string): string {
  let shown = ''
  let from = 0
  for (const { 0: before, 1: name = '', index } of text.matchAll(PARAMETER_NAME)) {
    if (index < from || !isMasked(percentDecoded(name))) continue
    const value = /[^&#\s"']*/y
    value.lastIndex = index + before.length
    value.test(text)
    shown += `${text.slice(from, index + before.length)}••••`
    from = value.lastIndex
  }
  return shown + text.slice(from)
}

function withoutTokens(words: string): string {
  const parts = words.split('.')
  const kept: string[] = []
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? ''
    const at = part.indexOf('eyJ')
    const isToken = at >= 0 && part.length - at >= 7 && i + 2 < parts.length
    kept.push(isToken ? `${part.slice(0, at)}••••` : part)
    if (isToken) i += 2
  }
  return kept.join('.')
}

/**
 * Masks national ids, e-mail addresses, and everything that `maskText` masks, and cuts the text to `most` characters. The text is
 * masked before it is cut, because half a national id or half a key would not be found. A text that must be cut inside a very long
 * word ends before that word.
 */
export function maskWords(text: string, most = 1000): string {
  const masked = maskText(wholeWords(text, most)).replace(EMAIL_IN_WORDS, maskEmail).replace(RUT_IN_WORDS, maskTypedId)
  return masked.slice(0, most)
}

/** A text may be cut at these characters, because no key, national id or e-mail address that is masked contains one of them. */
const WORD_END = /[\s"']/

/** Returns the first `most` characters with the rest of the last word, or without that word if the rest is longer than 1,000 characters. */
function wholeWords(text: string, most: number): string {
  if (text.length <= most) return text
  const rest = text.slice(most, most + 1000)
  const end = rest.search(WORD_END)
  if (end >= 0) return text.slice(0, most + end)
  if (text.length <= most + 1000) return text
  let start = most
  while (start > 0 && !WORD_END.test(text.charAt(start - 1))) start--
  return `${text.slice(0, start)}…`
}

/**
 * Masks an address that somebody typed or set, such as the address of a proxy. The user name and the password are masked from the scheme
 * to the last “@”, even if they contain spaces or quotes.
 */
export function maskAddress(text: string): string {
  const at = text.lastIndexOf('@')
  if (at < 0) return maskText(text)
  const [scheme = ''] = /^\s*[a-z][a-z0-9+.-]{0,30}:[/\\]+/i.exec(text.slice(0, at)) ?? []
  return `${scheme}••••${maskText(text.slice(at))}`
}

/** Masks a signed link except its origin, because its path and its query may contain the signature. */
export function maskLink(url: string): string {
  return `${new URL(url).origin}/••••`
}

const SECRET_FIELDS =
  /^(authorization|api[-_]?key|widget[-_]?token|token|(?:[\w-]+-)?signature|cookie|set-cookie)$|secret/i
/** Masks the value of a field of a form, a header or a JSON body, as the name of the field requires. */
export function maskField(name: string, value: string): string {
  if (SECRET_FIELDS.test(name)) return value === '' ? '' : maskKey(value)
  if (isPersonName(name)) return /[@＠﹫]/.test(value) ? maskEmail(value) : maskRut(value)
  return maskText(value)
}

/** Shorter texts are masked only if the name of their field requires it. */
const LONG = 16

const NAMED = new Map<string, boolean>()

function isNamed(name: string): boolean {
  const known = NAMED.get(name)
  if (known !== undefined) return known
  const named = SECRET_FIELDS.test(name) || isPersonName(name)
  if (NAMED.size < 1000) NAMED.set(name, named)
  return named
}

/**
 * Masks personal data and secrets in a structure, by the names of its fields and the content of long texts. Returns the structure itself
 * when there is nothing to mask.
 */
export function maskStructure(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return value.length >= LONG || isNamed(name) ? maskField(name, value) : value
  if (typeof value === 'number') return isNamed(name) ? maskField(name, String(value)) : value
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value
  return Array.isArray(value) ? maskList(value, name) : maskFields(value as Record<string, unknown>)
}

/** Masks the fields of an object as `maskStructure` does. */
export function maskFields(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  let copy: Record<string, unknown> | undefined
  for (const key of Object.keys(fields)) {
    const before = fields[key]
    const after = maskStructure(before, key)
    if (after === before) continue
    copy ??= { ...fields }
    copy[key] = after
  }
  return copy ?? fields
}

function maskList(list: readonly unknown[], name: string): readonly unknown[] {
  const masked = list.map((each) => maskStructure(each, name))
  return masked.some((each, i) => each !== list[i]) ? masked : list
}

/** The names that a RUT has, as a column of a file or a field of a request. */
const RUT_NAMES = ['rut', 'idNumber'] as const

const PLAIN_RUT_NAMES = new Set(RUT_NAMES.map((name) => name.toLowerCase()))

/**
 * Whether a column or a field of this name contains a RUT. True for `RUT_NAMES`, in upper or lower case and with any separators, and for
 * names that contain “rut” as a word, such as `rut_cliente`, `RUTCliente`, `R.U.T. titular` or `customerRut`.
 */
export function isRutName(name: string): boolean {
  const words = name
    .normalize('NFKC')
    .replace(/\br\W?u\W?t\b/gi, ' rut ')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
  return words.some((word) => /^rut\d*$/.test(word)) || PLAIN_RUT_NAMES.has(words.join(''))
}

const CONTACT_NAMES = /email|phone/i

/** Whether a column or a field of this name contains a RUT, an e-mail address or a telephone number. */
export const isPersonName = (name: string): boolean => CONTACT_NAMES.test(name) || isRutName(name)

/**
 * Returns a text in the plain form in which patterns can find a number: digits of all scripts as ASCII digits, and full-width and similar
 * characters as the usual ones (Unicode NFKC).
 */
export function plainForm(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text
  return text.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => String(digitOf(digit)))
}

/** Returns the value of a digit of any script. Unicode assigns consecutive numbers to the digits 0 to 9 of a script. */
function digitOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++
  return before % 10
}

/**
 * Loads the hash, and returns a function that makes a text which identifies a secret without revealing it, such as
 * `••••4f2a sha256:1b9d6bcd`. A secret of fewer than 12 characters shows only the hash.
 */
export async function fingerprints(): Promise<(secret: string) => string> {
  const { hash } = await import('node:crypto')
  return (secret) => {
    const digest = `sha256:${hash('sha256', secret).slice(0, 8)}`
    return secret.length < 12 ? digest : `${maskKey(secret)} ${digest}`
  }
}
