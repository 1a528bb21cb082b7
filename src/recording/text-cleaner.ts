import { looksLikeUuid } from '../domain/identifiers.ts'
import { createPeopleFinder, type PeopleFinder } from './people.ts'
import { createSecretFinder, type SecretFinder } from './secrets.ts'
import type { StandIns } from './stand-ins.ts'

/** Replaces secrets with `(secret)` and data of people with invented values, even in encoded parts of a text. */
export interface TextCleaner {
  clean(text: string): string
  /** Cleans the name of a field, or a code. Replaces a person's name only where it is a whole word. */
  cleanName(text: string): string
  secrets: SecretFinder
  people: PeopleFinder
}

/** How many layers of encoding are decoded, such as an encoded URL inside an encoded URL. */
const MOST_LAYERS = 3

/** Encoded parts of a longer text are not decoded, so a recording must not contain such a text. */
export const LONGEST = 4096

/** Creates a cleaner that knows these secrets, and no person yet. */
export function createTextCleaner(standIns: StandIns, knownSecrets: readonly string[]): TextCleaner {
  const secrets = createSecretFinder(knownSecrets)
  const people = createPeopleFinder(standIns)
  const cleaned = (text: string, layer: number, isName = false): string => {
    if (text.length < 2) return text
    if (looksLikeUuid(text) && secrets.mark(text) === text) return text
    let current = text
    for (const { pieces, isWhole, decode, encode } of layer < MOST_LAYERS && text.length <= LONGEST ? ENCODINGS : []) {
      const clean = current.replace(pieces, (piece) => {
        const inside = decode(piece)
        if (inside === undefined || inside === piece) return piece
        const made = cleaned(inside, layer + 1)
        return made === inside ? piece : encode(made)
      })
      // Cleaning the text again would replace its invented values with other invented values.
      if (isWhole && clean !== current) return clean
      current = clean
    }
    const marked = secrets.mark(current)
    return isName ? people.replaceInName(marked) : people.replace(marked)
  }
  return { clean: (text) => cleaned(text, 0), cleanName: (text) => cleaned(text, 0, true), secrets, people }
}

interface Encoding {
  pieces: RegExp
  isWhole?: true
  /** Returns the decoded part; undefined for a part without this encoding. */
  decode(piece: string): string | undefined
  encode(text: string): string
}

const PRINTABLE = /^[\t\n\r\x20-\x7e\u00a0-\ufffc]+$/

const textOf = (bytes: Buffer): string | undefined => {
  const text = bytes.toString('utf8')
  return PRINTABLE.test(text) ? text : undefined
}

/** Decodes a part of a URL. Bytes that are not UTF-8 are decoded one by one. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
}

const ENCODINGS: readonly Encoding[] = [
  { pieces: /^.*%[0-9a-f]{2}.*$/is, isWhole: true, decode: percentDecoded, encode: encodeURIComponent },
  { pieces: /^.*\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}).*$/is, isWhole: true, decode: unescaped, encode: (text) => text },
  { pieces: /^.*&#?\w{2,8};.*$/is, isWhole: true, decode: withoutEntities, encode: (text) => text },
  {
    pieces: /[A-Za-z0-9+/]{6,}={0,2}/g,
    decode: (piece) => textOf(Buffer.from(piece, 'base64')),
    encode: (text) => Buffer.from(text).toString('base64'),
  },
  {
    pieces: /[A-Za-z0-9_-]{6,}={0,2}/g,
    decode: (piece) => textOf(Buffer.from(piece, 'base64url')),
    encode: (text) => Buffer.from(text).toString('base64url'),
  },
  {
    pieces: /(?:[0-9a-f]{2}){4,}/gi,
    decode: (piece) => textOf(Buffer.from(piece, 'hex')),
    encode: (text) => Buffer.from(text).toString('hex'),
  },
]

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, (_, long: string, short: string) =>
    String.fromCharCode(Number.parseInt(long ?? short, 16)),
  )
}

const MARKS: Readonly<Record<string, string>> = {
  acute: '\u0301',
  grave: '\u0300',
  tilde: '\u0303',
  uml: '\u0308',
  circ: '\u0302',
  cedil: '\u0327',
}
const SIGNS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

function withoutEntities(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,8}));/gi,
    (entity, hex?: string, digits?: string, name = '') => {
      const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16)
      if (name === '') return code <= 0x10ffff ? String.fromCodePoint(code) : entity
      const [, letter = '', mark = ''] = /^([a-z])([a-z]{3,5})$/i.exec(name) ?? []
      const accent = MARKS[mark.toLowerCase()]
      return accent === undefined ? (SIGNS[name.toLowerCase()] ?? entity) : (letter + accent).normalize('NFC')
    },
  )
}

/** Whether the text has an encoded part that contains JSON or markup. A field in such a part may name a person. */
export function hidesStructure(text: string, layer = 0): boolean {
  if (layer >= MOST_LAYERS || text.length > LONGEST) return layer > 0
  return ENCODINGS.some(({ pieces, decode }) =>
    (text.match(pieces) ?? []).some((piece) => {
      const inside = decode(piece)
      if (inside === undefined || inside === piece) return false
      return /^\s*(?:[[{]\s*["{[]|<[a-z?!])|"\s*:/i.test(inside) || hidesStructure(inside, layer + 1)
    }),
  )
}
