import { rutCheckCharacter } from '../domain/rut.ts'
import { plainForm } from '../text/plain-form.ts'
import type { StandIns } from './stand-ins.ts'

/** Finds people in texts: by the form of a value, such as an e-mail address, and by the names and ids that `learn` received. */
export interface PeopleFinder {
  learn(kind: 'rut' | 'email' | 'digits' | 'words', text: string): void
  replace(text: string): string
  /**
   * Replaces names of people in a field name or an error code. A person's name is replaced only where it is a whole word, so
   * `ingresoTotal` is not changed because of the name `soto`.
   */
  replaceInName(text: string): string
}

const EMAIL = /[^\s@"'“”<>(),;:/?#=&[\]{}|\\]{1,64}@[^\s@"'“”<>(),;:/?#=&[\]{}|\\]{1,190}/gu
/** A national id with a dash or dots. Its check digit may be wrong. */
const RUT_WRITTEN =
  /(?<!\d)0{0,4}(?:\d{1,3}(?:[., ]\d{3}){1,2}\s?[-‐‑‒–—―−]?\s?[\dkK]|\d{6,9}\s?[-‐‑‒–—―−]\s?[\dkK])(?!\d)/g
/** Digits that are a national id only if the check digit is right. */
const RUT_BARE = /(?<!\d)0{0,4}(\d{7,8})[ _/]?([\dkK])(?!\d)/g
const PHONE =
  /(?<!\d)(?:\(?(?:\+|00)?56\)?[\s.-]?)?\(?0?9\)?(?:[\s.-]?\d{4}[\s.-]?\d{4}|(?: \d\d){4})(?!\d)|\+\d[\d\s().-]{7,16}\d/g
const LANDLINE = /(?<![\p{L}\d])\(?0?\d{1,2}\)?[\s.-]\d{3,4}[\s.-]\d{4}(?![\p{L}\d])/gu
const CARD = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g
const IBAN = /(?<![\p{L}\d])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![\p{L}\d])/gu

const DASH = /[\p{Pd}−]/u

const MOST_PEOPLE = 64

const SHORT_WORD = 4

interface Literal {
  folded: string
  replaced(found: string): string
}

/** Creates a finder that knows no person yet. */
export function createPeopleFinder(standIns: StandIns): PeopleFinder {
  const known = new Map<string, Literal>()
  const remember = (text: string, replaced: Literal['replaced']) => {
    const folded = fold(plainForm(text))
    if (known.delete(folded) === false && known.size >= MOST_PEOPLE * 4) known.delete(known.keys().next().value ?? '')
    known.set(folded, { folded, replaced })
  }
  const byName = (text: string): string => {
    let changed = text
    let folded = fold(text)
    for (const { folded: name, replaced } of known.values()) {
      for (let at = folded.indexOf(name); at >= 0; at = folded.indexOf(name, at + 1)) {
        const end = at + name.length
        if (name.length < SHORT_WORD && (isLetter(folded[at - 1]) || isLetter(folded[end]))) continue
        const standIn = replaced(changed.slice(at, end))
        changed = changed.slice(0, at) + standIn + changed.slice(end)
        folded = fold(changed)
        at += standIn.length - 1
      }
    }
    return changed
  }
  const byForm = (text: string): string =>
    text
      .replace(EMAIL, standIns.email)
      .replace(RUT_WRITTEN, standIns.rut)
      .replace(RUT_BARE, (each, body: string, check: string) => (isValidRut(body + check) ? standIns.rut(each) : each))
      .replace(PHONE, standIns.digits)
      .replace(LANDLINE, standIns.digits)
      .replace(CARD, (each) => (isCard(each) ? standIns.digits(each) : each))
      .replace(IBAN, standIns.opaque)
  const replaced = (text: string, names: (text: string) => string): string => {
    const inText = (each: string) => (known.size === 0 ? byForm(each) : names(byForm(each)))
    if (/^[\x00-\x7f]*$/.test(text)) return inText(text)
    // Another spelling of the same characters, or an invisible character, must not hide a person.
    const plain = plainForm(text.replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, ''))
    const clean = inText(plain)
    return clean === plain ? text : clean
  }
  return {
    learn(kind, given) {
      const text = plainForm(given)
      if (kind === 'words') for (const [word] of text.matchAll(/[\p{L}\p{M}]{2,}/gu)) remember(word, standIns.words)
      else if (kind === 'email') {
        const local = text.slice(0, Math.max(0, text.indexOf('@')))
        if (local.length >= SHORT_WORD) remember(local, (found) => standIns.opaque(fold(found)))
      } else if (kind === 'rut') {
        const [digits = ''] = text.replace(/[.,\s]/g, '').split(DASH)
        const body = DASH.test(text) ? digits : digits.slice(0, -1)
        for (const each of [digits, body]) if (each.length >= 6) remember(each, standIns.rut)
      } else {
        const digits = text.replace(/\D/g, '')
        if (digits.length >= 6) remember(digits, standIns.digits)
        if (digits.length > 8) remember(digits.slice(-8), standIns.digits)
      }
    },
    replace: (text) => replaced(text, byName),
    replaceInName: (text) => replaced(text, (found) => inWords(found, [...known.values()])),
  }
}

/** Whether the last character of a RUT (without dots and dash) is its check digit. */
export const isValidRut = (text: string): boolean =>
  rutCheckCharacter(text.slice(0, -1)) === text.slice(-1).toUpperCase()

function isCard(text: string): boolean {
  const sum = [...text.replace(/\D/g, '')]
    .reverse()
    .map((digit, i) => (i % 2 === 1 ? Number(digit) * 2 : Number(digit)))
    .reduce((total, each) => total + (each > 9 ? each - 9 : each), 0)
  return sum % 10 === 0
}

const isLetter = (c: string | undefined) => c !== undefined && /\p{L}/u.test(c)

/** Replaces names that are whole words. `idMaria` counts as two words, and so do two names without a space (`mariasoto`). */
function inWords(text: string, names: readonly Literal[]): string {
  const folded = fold(text)
  const spans = names.flatMap(({ folded: name, replaced }) => {
    const found = []
    for (let at = folded.indexOf(name); at >= 0; at = folded.indexOf(name, at + 1))
      found.push({ at, end: at + name.length, replaced, isWord: /^\p{L}+$/u.test(name) })
    return found
  })
  if (spans.length === 0) return text
  const edges = Array.from({ length: text.length + 1 }, (_, i) => i).filter((i) => isEdge(text, i))
  const [starts, ends] = [new Set(edges), new Set(edges)]
  for (const { at, end } of spans.toSorted((a, b) => a.at - b.at)) if (starts.has(at)) starts.add(end)
  for (const { at, end } of spans.toSorted((a, b) => b.end - a.end)) if (ends.has(end)) ends.add(at)
  const whole = spans.filter(({ at, end, isWord }) => !isWord || (starts.has(at) && ends.has(end)))
  let made = ''
  let done = 0
  for (const { at, end, replaced } of whole.sort((a, b) => a.at - b.at || b.end - a.end)) {
    if (at < done) continue
    made += text.slice(done, at) + replaced(text.slice(at, end))
    done = end
  }
  return made + text.slice(done)
}

function isEdge(text: string, i: number): boolean {
  const [before, after, next] = [text[i - 1], text[i], text[i + 1]]
  if (!isLetter(before) || !isLetter(after)) return true
  if (!isCapital(after)) return false
  return !isCapital(before) || (isLetter(next) && !isCapital(next))
}

const isCapital = (c: string | undefined) => c !== undefined && /\p{Lu}/u.test(c)

/** Returns a text in lower case without accents. It has as many characters as before, so that positions stay valid. */
function fold(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase()
  return Array.from({ length: text.length }, (_, i) => {
    const c = text.charAt(i)
    const plain = c.normalize('NFD').charAt(0).toLowerCase()
    return plain.length === 1 ? plain : c
  }).join('')
}
