import { looksLikeUuid } from '../domain/identifiers.ts'
import { createPeopleFinder, type PeopleFinder } from './people.ts'
import { createSecretFinder, type SecretFinder } from './secrets.ts'
import type { StandIns } from './stand-ins.ts'

/** Cleans a text: secrets are replaced with marks, and people with stand-ins (invented ones), even if a part of the text is encoded. */
export interface TextCleaner {
  clean(text: string): string
  secrets: SecretFinder
  people: PeopleFinder
}

/** How many layers of encoding are opened, such as an encoded address inside an encoded address. */
const MOST_LAYERS = 3

/** The longest text that is decoded. A longer text is never recorded anyway. */
const LONGEST = 4096

export function createTextCleaner(standIns: StandIns, knownSecrets: readonly string[]): TextCleaner {
  const secrets = createSecretFinder(knownSecrets)
  const people = createPeopleFinder(standIns)
  const cleaned = (text: string, layer: number): string => {
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
      // A text that was cleaned inside its encoding is not cleaned again, because that would replace stand-ins by other stand-ins.
      if (isWhole && clean !== current) return clean
      current = clean
    }
    return people.replace(secrets.mark(current))
  }
  return { clean: (text) => cleaned(text, 0), secrets, people }
}

interface Encoding {
  /** Matches the parts of a text that may have this encoding. */
  pieces: RegExp
  /** Whether only the whole text can have this encoding. */
  isWhole?: true
  /** @returns undefined for a part that does not have this encoding */
  decode(piece: string): string | undefined
  encode(text: string): string
}

const PRINTABLE = /^[\t\n\r\x20-\x7e\u00a0-\ufffc]+$/

const textOf = (bytes: Buffer): string | undefined => {
  const text = bytes.toString('utf8')
  return PRINTABLE.test(text) ? text : undefined
}

/** Decodes a part of an address. Bytes that are not UTF-8 are decoded one by one. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
}

const ENCODINGS: readonly Encoding[] = [
  // An address inside another address is encoded as a whole.
  { pieces: /^.*%[0-9a-f]{2}.*$/is, isWhole: true, decode: percentDecoded, encode: encodeURIComponent },
  { pieces: /^.*\\u[0-9a-f]{4}.*$/is, isWhole: true, decode: unescaped, encode: (text) => text },
  {
    pieces: /[A-Za-z0-9+/]{11,}={0,2}/g,
    decode: (piece) => textOf(Buffer.from(piece, 'base64')),
    encode: (text) => Buffer.from(text).toString('base64'),
  },
  {
    pieces: /[A-Za-z0-9_-]{11,}={0,2}/g,
    decode: (piece) => textOf(Buffer.from(piece, 'base64url')),
    encode: (text) => Buffer.from(text).toString('base64url'),
  },
  {
    pieces: /(?:[0-9a-f]{2}){6,}/gi,
    decode: (piece) => textOf(Buffer.from(piece, 'hex')),
    encode: (text) => Buffer.from(text).toString('hex'),
  },
]

function unescaped(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
