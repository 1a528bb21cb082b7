import { maskText, maskTypedId, maskWords } from '../text/masking.ts'
import { percentDecoded } from '../text/secrets.ts'
import { rutCheckCharacter } from './identifiers.ts'

export type AddressResult = { ok: true; url: URL } | { ok: false; reason: string }

/** Whether a host is this machine: 127.0.0.0/8, ::1 or localhost. A name that only looks similar, such as `127.0.0.1.evil`, is not. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
}

/**
 * Returns why an address would be read otherwise than it was meant; undefined if it would not. A “/”, “#”, “?” or backslash in a password
 * ends the host of an address, so that the user name becomes the host, and the password a part of the path. The reason does not repeat
 * the text.
 */
export function misreading(text: string): string | undefined {
  const address = text.trim()
  if (/[\u0000-\u001f\u007f]/.test(address)) return 'it contains a control character'
  // In the address of a database, a backslash is an ordinary character.
  if (address.includes('\\') && !/^postgres(?:ql)?:/i.test(address))
    return 'it contains a backslash, which would be read as “/”; write it as %5C in a user name or a password'
  const [, scheme, slashes = ''] = /^([a-z][a-z0-9+.-]*):(\/*)/i.exec(address) ?? []
  if (scheme !== undefined && /^(?:https?|postgres(?:ql)?)$/i.test(scheme) && slashes.length < 2)
    return 'it must have two slashes after the first colon, as in https://'
  const rest = address.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
  const host = rest.split(/[/?#]/, 1)[0] ?? ''
  return rest.slice(host.length).includes('@')
    ? 'it has an “@” after the first “/”, “?” or “#”; write these characters as %2F, %3F and %23 in a password, and “@” as %40 elsewhere'
    : undefined
}

/**
 * Whether an address begins with a scheme, two slashes and a host, and has no backslash in its host or path. Other addresses are accepted
 * by the parser of addresses, but mean something else than they look like.
 */
export const hasHost = (text: string): boolean =>
  /^\s*[a-z][a-z0-9+.-]*:\/\/[^/\\?#]+(?:$|[?#]|\/[^?#\\]*(?:$|[?#]))/i.test(text)

/** Schemes that may be named in an error. Any other may be a user name or a secret, as in `user:password@host`. */
const KNOWN_SCHEMES = /^(?:https?|ftps?|wss?|file|data|blob|about|javascript|mailto|postgres(?:ql)?|socks\d?h?):$/

/** Reads an address to which a key or a customer is sent. It must be `https:`, or `http:` on this machine, and have no user name. */
export function parseServiceAddress(text: string): AddressResult {
  if (/^\s*https?:/i.test(text) && !hasHost(text))
    return { ok: false, reason: misreading(text) ?? 'it is not an absolute address such as https://api.example.com' }
  if (!URL.canParse(text)) return { ok: false, reason: 'it is not an absolute address such as https://api.example.com' }
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    return { ok: false, reason: 'it must not contain a user name or a password' }
  if (url.protocol === 'https:') return { ok: true, url }
  if (url.protocol === 'http:') {
    return isLoopback(url.hostname)
      ? { ok: true, url }
      : { ok: false, reason: 'http: is only accepted for this machine (loopback); use https:' }
  }
  const other = KNOWN_SCHEMES.test(url.protocol) ? `, not ${url.protocol}` : ''
  return { ok: false, reason: `it must start with https://${other}` }
}

/** Reads an address to which a customer's browser returns. It must be `https:`, or `http:` on this machine, and have no user name. */
export function parseReturnAddress(text: string): AddressResult {
  if (/[\u0000-\u001f\u007f]/.test(text)) return { ok: false, reason: 'it contains a control character' }
  if (!text.isWellFormed()) return { ok: false, reason: 'it is not valid Unicode' }
  if (!/^https?:\/\/[^/\\]/i.test(text)) return { ok: false, reason: 'it must start with https://' }
  const parsed = parseServiceAddress(text)
  if (parsed.ok || !/^http:/i.test(text)) return parsed
  return URL.canParse(text) && !isLoopback(new URL(text).hostname)
    ? { ok: false, reason: 'http: is only accepted for this machine (localhost, 127.0.0.1, [::1]); use https:' }
    : parsed
}

/** Returns why a text cannot be the address of the service or of the payment page; undefined if it can. */
export function serviceAddressProblem(address: string): string | undefined {
  // A JavaScript program may pass something else than text.
  const text = String(address)
  if (text.includes('@')) return 'it must not contain a user name or a password'
  const misread = misreading(text)
  if (misread !== undefined) return misread
  const parsed = parseServiceAddress(text)
  if (!parsed.ok) return parsed.reason
  return parsed.url.search === '' && parsed.url.hash === '' ? undefined : 'it must not have a query or a fragment'
}

/** Returns the part that the addresses of all calls share: the base address without a slash at its end. */
export function addressPrefix(baseUrl: string): string {
  const base = new URL(baseUrl)
  return `${base.origin}${base.pathname.replace(/\/+$/, '')}`
}

/**
 * Returns an address with parameters at the end of its query, before the fragment. Parameters of the same names are left out, so that each
 * is there one time. Every other character stays as it was: a program that reads a query and writes it again changes `%E1`, `a=1;b=2`,
 * `flag` and `a%20b`, which breaks a signature over the address.
 */
export function withParameters(address: string, parameters: Record<string, string>): string {
  // A browser removes spaces at the end of an address. Behind these spaces, the parameters would have a space before them.
  const [, path = '', query = '', fragment = ''] =
    /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(address.replace(/ +$/, '')) ?? []
  const kept = query.split('&').filter((pair) => !Object.hasOwn(parameters, nameOf(pair)))
  const added = Object.entries(parameters).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`,
  )
  return `${withQuery(kept.length === 0 ? path : `${path}?${kept.join('&')}`, added.join('&'))}${fragment}`
}

const nameOf = (pair: string) => [...new URLSearchParams(`?${pair}`).keys()][0] ?? ''

/** Returns a path or an address without a fragment with an encoded query added to it. */
export function withQuery(path: string, query: string): string {
  if (!path.includes('?')) return `${path}?${query}`
  return /^[^?]*\?$|&$/.test(path) ? path + query : `${path}&${query}`
}

/** The folder in which Git Bash or MSYS2 is installed, which a path such as `/x` gets in front of it. */
const SHELL_FOLDER = /^[A-Za-z]:[\\/](?:[^\\/]+[\\/])*(?:Git|msys\d*|git-sdk-\d+)[\\/]/i

/** Returns what to do about the value of `name=value` that Git Bash has changed; undefined if it has not. */
export const gitBashValueAdvice = (value: string): string | undefined =>
  SHELL_FOLDER.test(value)
    ? 'Git Bash has changed the value to the name of a file. Set MSYS_NO_PATHCONV=1 for the command.'
    : undefined

/**
 * Returns what to do about a path of an address that a shell has changed; undefined if the text is not such a path. Git Bash for Windows
 * changes an argument such as `/bnpl` to the name of a file, such as `C:/Program Files/Git/bnpl`.
 */
export function gitBashAdvice(text: string): string | undefined {
  if (!/^[A-Za-z]:[\\/]/.test(text)) return undefined
  const path = text
    .slice(2)
    .replaceAll('\\', '/')
    .replace(/^.*\/Git(?=\/)/i, '')
    .replace(/^\/usr(?=\/)/, '')
  return `Git Bash has changed the path to the name of a file. Set MSYS_NO_PATHCONV=1 for the command, or write the path with two slashes at its beginning: /${path}`
}

/** How often a path is decoded: once for what was sent, and twice for a program that encoded its text before. */
const MOST_LAYERS = 3

/** Bytes above them would become letters, and digits beside a letter are not a word. */
const ASCII = /%([0-7][0-9a-f])/gi

/** A RUT without its dash (`123456785`), and a telephone number of Chile. Both may be a whole part of a path, or a word in it. */
const DIGITS = /(?<![\p{L}\p{N}])\+?\d[\d .]{6,14}[\dkK](?![\p{L}\p{N}])/gu

/**
 * Returns the address of a request (or only its path) for display. Masks the e-mail addresses, RUTs and telephone numbers in each part of
 * its path, also if they are encoded several times, and everything that `maskText` masks. A part without such data stays as it was sent.
 */
export function maskTarget(address: string): string {
  const query = address.search(/[?#]/)
  const [before, after] = query < 0 ? [address, ''] : [address.slice(0, query), address.slice(query)]
  const [, origin = '', path = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^/\\]*)?(.*)$/is.exec(before) ?? []
  // Mask the parts first: an “@” in a path that was sent is part of an e-mail address. In an origin, it ends a password.
  return `${maskText(origin)}${maskText(path.split('/').map(maskedPart).join('/'))}${after === '' ? '' : maskText(maskedQuery(after))}`
}

function maskedPart(part: string): string {
  for (const plain of layersOf(part)) {
    const masked = maskPerson(plain)
    if (masked !== plain) return masked.replaceAll('/', '%2F')
  }
  return part
}

/** Masks the values of a query that contain personal data, whatever the names of the parameters are. */
const maskedQuery = (query: string): string =>
  query
    .split('&')
    .map((field) => {
      const at = field.indexOf('=')
      const value = field.slice(at + 1).replaceAll('+', ' ')
      const masked = maskedPart(value)
      return masked === value ? field : field.slice(0, at + 1) + masked
    })
    .join('&')

/** Returns a text and what it is after each time of decoding, the most decoded form first. */
function layersOf(text: string): string[] {
  const layers = [text]
  for (let last = text; layers.length <= MOST_LAYERS; ) {
    const next = percentDecoded(last, ASCII)
    if (next === last) break
    layers.unshift(next)
    last = next
  }
  return layers
}

const maskPerson = (text: string): string =>
  maskWords(text).replace(DIGITS, (found) => maskedId(found) ?? found.replace(/\S+/g, (word) => maskedId(word) ?? word))

const maskedId = (text: string): string | undefined => (isRut(text) || isPhone(text) ? maskTypedId(text) : undefined)

function isRut(text: string): boolean {
  const plain = text.replace(/[ .]/g, '')
  return /^\d{7,8}[\dkK]$/.test(plain) && rutCheckCharacter(plain.slice(0, -1)) === plain.slice(-1).toUpperCase()
}

const isPhone = (text: string): boolean => /^(?:\+?56)?9\d{8}$/.test(text.replace(/[ .]/g, ''))
