import { isUtf8 } from 'node:buffer'

declare global {
  // V8 has had these functions of `JSON` since version 11.4, but TypeScript's library does not declare them.
  interface JSON {
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
    rawJSON(text: string): object
    isRawJSON(value: unknown): boolean
  }
}

/** The library also runs on Node 20, which has no raw JSON numbers. There, a number that would lose digits becomes text. */
const HAS_RAW_NUMBERS = 'rawJSON' in JSON

/** Whether a value is a raw JSON number. A function of its own, because Node 20 has none. */
export const isRawNumber = (value: unknown): boolean => HAS_RAW_NUMBERS && JSON.isRawJSON(value)

/**
 * Returns a value with text in the place of each raw JSON number, which a program could neither print nor compare. Returns the value
 * itself if it contains none.
 */
export function rawNumbersAsText<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (isRawNumber(value)) return JSON.stringify(value) as T
  if (Array.isArray(value)) {
    const changed = value.map(rawNumbersAsText)
    return changed.some((each, i) => each !== value[i]) ? (changed as T) : value
  }
  const fields = Object.entries(value)
  const changed = fields.map(([name, each]) => [name, rawNumbersAsText(each)] as const)
  return changed.some(([, each], i) => each !== fields[i]?.[1]) ? (Object.fromEntries(changed) as T) : value
}

const MAX_DEPTH = 64

/** The reason for refusing a text if `isTooDeep` returns true for it. */
export const TOO_DEEP = `it is nested deeper than ${MAX_DEPTH} levels`

const MAX_VALUES = 250_000

type JsonText = { ok: true; value: unknown; text: string } | { ok: false; reason: string }

/**
 * Parses bytes from outside (an answer, a delivery). Whole numbers that JavaScript cannot hold exactly become raw JSON numbers, which keep
 * their digits. Refuses text that is not UTF-8 or not JSON, nesting deeper than 64 levels, and more than 250,000 values, which would use
 * too much memory.
 */
export function parseJsonText(body: Uint8Array): JsonText {
  if (!isUtf8(body)) return { ok: false, reason: 'it is not UTF-8 text' }
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  if (!/\S/.test(text)) return { ok: false, reason: 'it is empty' }
  if (isTooDeep(text)) return { ok: false, reason: TOO_DEEP }
  if (text.length > MAX_VALUES && count(text, ',', MAX_VALUES) > MAX_VALUES)
    return { ok: false, reason: `it has more than ${MAX_VALUES} values` }
  try {
    return { ok: true, value: parseKeepingDigits(text), text }
  } catch {
    return { ok: false, reason: text.trimStart().startsWith('<') ? 'it is a web page, not JSON' : 'it is not JSON' }
  }
}

/**
 * Works like `JSON.parse`, but whole numbers that JavaScript cannot hold exactly become raw JSON numbers, which keep their digits.
 * @throws SyntaxError
 */
export function parseKeepingDigits(text: string): unknown {
  if (!hasLongNumber(text)) return JSON.parse(text)
  return HAS_RAW_NUMBERS ? JSON.parse(text, keepDigits) : JSON.parse(longNumbersQuoted(text))
}

/** Returns a JSON text in which every whole number that JavaScript cannot hold exactly is text. */
export const longNumbersQuoted = (text: string): string =>
  text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs, (part) =>
    part.startsWith('"') || !isLong(part, Number(part)) ? part : `"${part}"`,
  )

/** A whole number with fewer digits is always exact. */
const LONG_NUMBER = /\d{16}/

/** Looks only at every 16th character, because one of 16 digits in a row is among those. */
function hasLongNumber(text: string): boolean {
  for (let i = 15; i < text.length; i += 16) {
    const c = text.charCodeAt(i)
    if (c >= 0x30 && c <= 0x39 && LONG_NUMBER.test(text.slice(i - 15, i + 16))) return true
  }
  return false
}

function keepDigits(_key: string, value: unknown, context: { source?: string }): unknown {
  const { source } = context
  return typeof value === 'number' && source !== undefined && isLong(source, value) ? JSON.rawJSON(source) : value
}

/** Whether a number of a JSON text is whole, or has an exponent as `1.2345678901234567e+18`, and JavaScript cannot hold it exactly. */
const isLong = (source: string, value: number): boolean =>
  (Number.isInteger(value) || !Number.isFinite(value)) && !Number.isSafeInteger(value) && /^-?\d+$|[eE]/.test(source)

/** Only a number with a fraction, with an exponent or with 16 digits can differ from the number that JavaScript reads. */
const MAY_DIFFER = /\d[.eE]|\d{16}/

/**
 * Works like `JSON.parse`, but some numbers become raw JSON numbers, which keep their text: those that JavaScript would round
 * (`999.99999999999999999`), those with an exponent (`1e3`), and those that a person may mean as thousands (`250.000`).
 * @throws SyntaxError
 */
export function parseAsWritten(text: string): unknown {
  return MAY_DIFFER.test(text) ? JSON.parse(text, asWritten) : JSON.parse(text)
}

function asWritten(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined) return value
  const isGrouped = /^-?\d{1,3}\.\d{3}$/.test(source)
  const withoutZeros = source.includes('.') && !isGrouped ? source.replace(/\.?0+$/, '') : source
  return JSON.stringify(value) === withoutZeros ? value : JSON.rawJSON(source)
}

/** Returns true if JSON is nested deeper than 64 levels. Code that walks through its values could then exhaust the stack. */
export const isTooDeep = (text: string): boolean => depthExceeds(text, MAX_DEPTH)

function depthExceeds(text: string, limit: number): boolean {
  if (count(text, '{', limit) + count(text, '[', limit) <= limit) return false
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (inString) {
      if (c === 0x5c) i++
      else if (c === 0x22) inString = false
    } else if (c === 0x22) inString = true
    else if (c === 0x7b || c === 0x5b) {
      if (++depth > limit) return true
    } else if (c === 0x7d || c === 0x5d) depth--
  }
  return false
}

function count(text: string, character: string, enough: number): number {
  let found = 0
  for (let at = text.indexOf(character); at >= 0 && found <= enough; at = text.indexOf(character, at + 1)) found++
  return found
}

/**
 * Returns the first of `names` that occurs twice in the outermost object of a valid JSON text; undefined when none does. Such a
 * text is ambiguous, because some programs would use the first value, and others the last.
 */
export function duplicateField(text: string, names: readonly string[]): string | undefined {
  const wanted = new Set(names)
  const seen = new Set<string>()
  for (const key of outermostKeys(text)) {
    if (wanted.has(key) && seen.has(key)) return key
    seen.add(key)
  }
  return undefined
}

function* outermostKeys(text: string): Generator<string> {
  let depth = 0
  let keyNext = false
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (character === '"') {
      const start = i
      for (i++; text[i] !== '"'; i++) if (text[i] === '\\') i++
      if (keyNext) yield JSON.parse(text.slice(start, i + 1))
      keyNext = false
    } else if (character === '{' || character === '[') {
      depth++
      keyNext = depth === 1
    } else if (character === '}' || character === ']') depth--
    else if (character === ',') keyNext = depth === 1
  }
}

/** Whether a value is an object, and neither a list nor a number that JavaScript cannot hold. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
}
