import { createHmac } from 'node:crypto'
import { rutCheckCharacter } from '../domain/identifiers.ts'
import { plainForm } from '../text/masking.ts'
import { isServiceWord } from './field-kinds.ts'

/**
 * Makes stand-ins: invented values of the same form as the values that they replace. A value always gets the same stand-in.
 * The key of `createStandIns` must never be stored, because with it the original values can be found by trying all values.
 */
export interface StandIns {
  /**
   * Returns an invented national id with the same punctuation as the real id. A valid check digit stays valid, and a wrong check digit
   * stays wrong.
   */
  rut(text: string): string
  email(text: string): string
  /** Replaces each digit of a telephone, an account or a date of birth. Keeps other characters and a telephone's country code. */
  digits(text: string): string
  words(text: string): string
  /** Replaces each letter and each digit with one of the same class (hexadecimal, digit, lower or upper case). Keeps punctuation. */
  opaque(text: string): string
  host(text: string): string
  date(text: string): string
}

const SYLLABLES =
  'ba be bi bo bu da de di do du fa fe fi fo ga go ka ke ko la le li lo lu ma me mo mu na ne no nu pa pe po ra re ri ro sa se so ta te to tu va ve vi vo za ze zo'.split(
    ' ',
  )

/** National ids of eight digits from 30,000,000 to 45,999,999, which were never given to people. */
const UNUSED = { from: 30_000_000, count: 16_000_000 }

const letters = (from: string, to: string) =>
  Array.from({ length: to.charCodeAt(0) - from.charCodeAt(0) + 1 }, (_, i) =>
    String.fromCharCode(from.charCodeAt(0) + i),
  )
const LOWER = letters('a', 'z')
const UPPER = letters('A', 'Z')
const HEX_LOWER = [...'0123456789abcdef']

/**
 * Returns a maker of stand-ins.
 * @param key at least 32 random bytes, used for nothing else
 */
export function createStandIns(key: Uint8Array): StandIns {
  const bytesOf = (kind: string, value: string, length = 32): Buffer => {
    const blocks = [createHmac('sha256', key).update(`${kind}\0${value}`).digest()]
    for (let i = 1; i * 32 < length; i++)
      blocks.push(createHmac('sha256', key).update(`${kind}\0${i}\0${value}`).digest())
    return blocks.length === 1 && blocks[0] ? blocks[0] : Buffer.concat(blocks)
  }
  const number = (kind: string, value: string) => bytesOf(kind, value).readUIntBE(0, 6)
  const otherDigits = (kind: string, value: string): string => {
    const bytes = bytesOf(kind, value, value.length)
    const made = Array.from(value, (_, i) => (i === 0 ? 1 + ((bytes[i] ?? 0) % 9) : (bytes[i] ?? 0) % 10)).join('')
    return made === value ? `${made.slice(0, -1)}${(Number(made.at(-1)) + 1) % 10}` : made
  }
  const idDigits = (digits: string): string => {
    if (digits.length === 8) return String(UNUSED.from + (number('rut', digits) % UNUSED.count))
    return otherDigits('rut', digits)
  }
  const word = (text: string): string => {
    const bytes = bytesOf('word', folding(text))
    const count = 2 + ((bytes[0] ?? 0) % 2)
    const made = Array.from({ length: count }, (_, i) => SYLLABLES[(bytes[i + 1] ?? 0) % SYLLABLES.length]).join('')
    if (text.length > 1 && text === text.toUpperCase()) return made.toUpperCase()
    return /^\p{Lu}/u.test(text) ? made.charAt(0).toUpperCase() + made.slice(1) : made
  }
  const digits = (given: string): string => {
    const text = plainForm(given)
    if (/[^\x00-\x7f]/.test(text)) return words(text)
    const all = text.replace(/\D/g, '')
    const code = /^(?:\+|00)?(56)?0?9?(?=\d{8}$)/.exec(text.replace(/[^\d+]/g, ''))?.[0].replace(/\D/g, '') ?? ''
    const replaced = code + otherDigits('digits', all.slice(code.length))
    let at = 0
    return text.replace(/\d/g, () => replaced[at++] ?? '0')
  }
  const words = (text: string): string =>
    plainForm(text).replace(/[\p{L}\p{M}]+|\p{N}+/gu, (part) =>
      /^\p{N}/u.test(part) ? otherDigits('digits', part) : word(part),
    )
  return {
    rut(given) {
      const text = plainForm(given)
      const read = /^(0*)([\d.]*\d)(\s*[-‐‑‒–—―−_/]\s*| |)([\dkK])$/.exec(text.trim())
      const [, zeros = '', body = '', dash = '', check = ''] = read ?? []
      const own = body.replaceAll('.', '')
      const isWhole =
        read !== null && (dash !== '' || /k/i.test(check) || rutCheckCharacter(own) === check.toUpperCase())
      if (!isWhole) return /^\d{6,9}$/.test(text) ? idDigits(text) : words(text)
      const made = idDigits(own)
      const right = rutCheckCharacter(made)
      const wasRight = rutCheckCharacter(own) === check.toUpperCase()
      const shown = wasRight ? right : String((Number(right === 'K' ? 9 : right) + 1) % 10)
      return zeros + dotted(made, body.includes('.')) + dash + (check === 'k' ? shown.toLowerCase() : shown)
    },
    email(text) {
      const made = number('email', folding(text.trim())).toString(36).padStart(10, '0').slice(-10)
      return `persona-${made}@example.com`
    },
    digits,
    words,
    opaque(text) {
      const isHex = /^[0-9a-f-]+$/.test(text)
      const bytes = bytesOf('opaque', text, text.length)
      return Array.from(text, (c, i) => {
        const byte = bytes[i] ?? 0
        if (isHex && c !== '-') return HEX_LOWER[byte % 16]
        if (/\d/.test(c)) return String(byte % 10)
        if (/\p{Ll}/u.test(c)) return LOWER[byte % 26]
        if (/\p{L}/u.test(c)) return UPPER[byte % 26]
        return /[\x21-\x7e]/.test(c) ? c : '_'
      }).join('')
    },
    host: (text) => `host-${number('host', folding(text)).toString(36).slice(-6)}.example`,
    date(given) {
      const text = plainForm(given)
      const bytes = bytesOf('date', text)
      const year = String(1950 + ((bytes[0] ?? 0) % 50))
      const [month, day] = [1 + ((bytes[1] ?? 0) % 12), 1 + ((bytes[2] ?? 0) % 28)].map((n) =>
        String(n).padStart(2, '0'),
      )
      if (/^\d{4}-\d{2}-\d{2}/.test(text)) return `${year}-${month}-${day}${digitsToZero(text.slice(10))}`
      if (/^\d{2}[/.-]\d{2}[/.-]\d{4}$/.test(text)) return `${day}${text[2]}${month}${text[5]}${year}`
      return digits(text)
    },
  }
}

const digitsToZero = (time: string) => time.replace(/\d/g, '0')

const dotted = (digits: string, dots: boolean) => (dots ? digits.replace(/\B(?=(\d{3})+$)/g, '.') : digits)

/**
 * Remembers the names of people in a session, which named fields contain. A name of a field, a code or a short id that contains one of
 * them is not recorded.
 */
export interface Names {
  learn(text: string): void
  /** Whether a word of the text is a name. `idMaria` has two words. */
  within(text: string): boolean
  /** Whether the text contains a name, even inside a word. */
  inside(text: string): boolean
}

const MOST_NAMES = 256

/** Words of addresses and names that occur in many other texts. */
const NO_NAME =
  /^(?:av|calle|da|das|de|del|den|depto|der|di|do|dos|el|la|las|los|of|pje|san|santa|van|von|total|monto)$/

export function createNames(): Names {
  const known = new Set<string>()
  return {
    learn(text) {
      for (const word of wordsIn(plainForm(text))) {
        if (word.length < 2 || NO_NAME.test(word) || isServiceWord(word)) continue
        if (known.size >= MOST_NAMES) known.delete(known.values().next().value ?? '')
        known.add(word)
      }
    },
    within: (text) => known.size > 0 && wordsIn(text).some((word) => known.has(word)),
    inside(text) {
      const folded = folding(text)
      return [...known].some((name) => name.length > 2 && folded.includes(name))
    },
  }
}

/** Returns a text in lower case without accents, so that “MARÍA” and “Maria” are one person. */
const folding = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

const wordsIn = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean)
