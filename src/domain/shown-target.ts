import { maskText, maskTypedId, maskWords } from '../text/masking.ts'
import { rutCheckCharacter } from './identifiers.ts'

/** How often a path is decoded: once for what was sent, and twice for a program that encoded its text before. */
const MOST_LAYERS = 3

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
      const value = maskedPart(field.slice(at + 1).replaceAll('+', ' '))
      return value === field.slice(at + 1).replaceAll('+', ' ') ? field : field.slice(0, at + 1) + value
    })
    .join('&')

/** Returns a text and what it is after each time of decoding, the most decoded form first. */
function layersOf(text: string): string[] {
  const layers = [text]
  for (let last = text; layers.length <= MOST_LAYERS; ) {
    const next = percentDecoded(last)
    if (next === last) break
    layers.unshift(next)
    last = next
  }
  return layers
}

function percentDecoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
}

const maskPerson = (text: string): string =>
  maskWords(text).replace(DIGITS, (found) => (isRut(found) || isPhone(found) ? maskTypedId(found) : found))

function isRut(text: string): boolean {
  const plain = text.replace(/[ .]/g, '')
  return /^\d{7,8}[\dkK]$/.test(plain) && rutCheckCharacter(plain.slice(0, -1)) === plain.slice(-1).toUpperCase()
}

const isPhone = (text: string): boolean => /^(?:\+?56)?9\d{8}$/.test(text.replace(/[ .]/g, ''))
