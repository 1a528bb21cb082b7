import { looksLikeUuid } from '../domain/identifiers.ts'
import { createPeopleFinder, type PeopleFinder } from './people.ts'
import { createSecretFinder, type SecretFinder } from './secrets.ts'
import type { StandIns } from './stand-ins.ts'

/** Cleans a text that may be kept: secrets become marks and people stand-ins, also where the text is encoded inside. */
export interface TextCleaner {
  clean(text: string): string
  secrets: SecretFinder
  people: PeopleFinder
}

/** How deep an encoding is looked into: an encoded address inside an encoded address. */
const MOST_LAYERS = 3

/** Longer texts are not decoded: they are never kept either. */
const LONGEST = 4096

export function createTextCleaner(standIns: StandIns, knownSecrets: readonly string[]): TextCleaner {
  const secrets = createSecretFinder(knownSecrets)
  const people = createPeopleFinder(standIns)
  const cleaned = (text: string, layer: number): string => {
    if (text.length < 2) return text
    const marked = secrets.mark(text)
    if (marked === text && looksLikeUuid(text)) return text
    if (layer < MOST_LAYERS && text.length <= LONGEST) {
      for (const [decode, encode] of ENCODINGS) {
        const inside = decode(text)
        if (inside === undefined || inside === text) continue
        const clean = cleaned(inside, layer + 1)
        if (clean !== inside) return encode(clean)
      }
    }
    return people.replace(marked)
  }
  return { clean: (text) => cleaned(text, 0), secrets, people }
}

type Encoding = readonly [decode: (text: string) => string | undefined, encode: (text: string) => string]

const PRINTABLE = /^[\t\n\r\x20-\x7e\u00a0-\ufffc]+$/

const textOf = (bytes: Buffer): string | undefined => {
  const text = bytes.toString('utf8')
  return PRINTABLE.test(text) ? text : undefined
}

/** A part of an address, decoded; bytes that are no UTF-8 each on its own. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
}

const ENCODINGS: readonly Encoding[] = [
  [(text) => (/%[0-9a-f]{2}/i.test(text) ? percentDecoded(text) : undefined), encodeURIComponent],
  [
    (text) => (/^[A-Za-z0-9+/]{8,}={0,2}$/.test(text) ? textOf(Buffer.from(text, 'base64')) : undefined),
    (text) => Buffer.from(text).toString('base64'),
  ],
  [
    (text) => (/^[A-Za-z0-9_-]{8,}={0,2}$/.test(text) ? textOf(Buffer.from(text, 'base64url')) : undefined),
    (text) => Buffer.from(text).toString('base64url'),
  ],
  [
    (text) => (/^(?:[0-9a-f]{2}){6,}$/i.test(text) ? textOf(Buffer.from(text, 'hex')) : undefined),
    (text) => Buffer.from(text).toString('hex'),
  ],
  [(text) => (/\\u[0-9a-f]{4}/i.test(text) ? unescaped(text) : undefined), (text) => text],
]

const unescaped = (text: string) =>
  text.replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
