import { accessSync, constants, readFileSync } from 'node:fs'

/**
 * The texts of a language: for each English text, the text in this language. A `{name}` in the English text is any value. In the other
 * text:
 * - `{name}` is the value as it is
 * - `{name:text}` is the value in this language, because the value is itself one of our texts
 * - `{name:list}` is a list such as `a, “b” and c`, of which each item may be one of our texts
 * - `{name:names}` is a list such as `a, b and 3 more`, of which only the last words are ours
 * - `{name:quoted}` is the value with the quotes of this language, because it has what the service said in it
 * - `{name:fila|filas}` is the form for the number in the value: for one, and for the others
 */
export type Catalogue = Readonly<Record<string, string>>

/**
 * A catalogue as the program ships and reads it: the place of each block, then a hash table, then blocks of 64 lines, each the JSON of a
 * text. Only the blocks with lines that are printed are read, so that a start does not wait for the others. The English texts are in the code
 * already, so the catalogue has only a digest of each.
 *
 * A place has four characters, which are a number of characters in base 36. The first is that of the table, and the last is that of the end.
 *
 * The hash table has 36 lines of 36 buckets. The first characters of a digest are the numbers of its line and bucket, in base 36. A bucket
 * has the rest of each digest, with a character for the number of a block and one for that of a line. That line is the other text; or a list of texts with values, which are
 * found by the digest of the words that they have in common; or, for the empty text, a list of the words inside a text that are such words.
 */
export type PackedCatalogue = string

/** A packed catalogue, of which parts are read: a string or a file. */
export interface StoredCatalogue {
  slice(from: number, to: number): string
}

/**
 * An English text with values, and the other text. The values have numbers in place of names: `{}` in the English text, `{0}`, `{0:text}`
 * and `{0:fila|filas}` in the other.
 */
export type PackedPattern = readonly [english: string, text: string]

const NAMED = /\{([a-z]\w*)\}/gi
const INSERTED = /\{([a-z]\w*)((?::[^{}]*)?)\}/gi

/**
 * Packs a catalogue. Throws if two English texts have the same digest: then one of them must be worded differently.
 * @param first the other texts that are the first lines, for readers that know their numbers
 */
export function packed(catalogue: Catalogue, first: readonly string[] = []): PackedCatalogue {
  const texts: [english: string, content: string | PackedPattern[]][] = []
  const groups = new Map<string, PackedPattern[]>()
  for (const [english, text] of Object.entries(catalogue)) {
    const names = [...english.matchAll(NAMED)].map(([, name = '']) => name)
    if (names.length === 0) {
      texts.push([english, text])
      continue
    }
    if (english.includes('{}')) throw new Error(`a text with values may not contain {}: ${english}`)
    const numbered = text.replace(INSERTED, (whole, name: string, form: string) =>
      names.includes(name) ? `{${names.indexOf(name)}${form}}` : whole,
    )
    const pattern: PackedPattern = [english.replace(NAMED, '{}'), numbered]
    const group = groupOf(pattern[0])
    groups.set(group, [...(groups.get(group) ?? []), pattern])
  }
  const inside = [...groups.keys()].flatMap((group) => INSIDE.exec(group)?.[1] ?? [])
  const lines = new Map<string, string>()
  for (const [english, content] of [...texts, ...groups, [INSIDE_WORDS, inside] as const]) {
    const digest = digestOf(english)
    if (lines.has(digest)) throw new Error(`another text has the same digest as this text: ${english}`)
    lines.set(digest, inLatin1(content))
  }
  const table = Array.from({ length: BASE }, () => Array.from({ length: BASE }, () => ''))
  const blocks: string[][] = []
  // Similar lines beside each other make the package smaller.
  const different = [...new Set([...first.map(inLatin1), ...[...lines.values()].sort()])]
  for (const [i, line] of different.entries()) {
    if (i % LINES === 0) blocks.push([])
    blocks.at(-1)?.push(line)
  }
  const places = new Map(
    different.map((line, i) => [line, asCharacter(Math.floor(i / LINES)) + asCharacter(i % LINES)]),
  )
  for (const [digest, line] of lines) {
    const buckets = table[numberAt(digest, 0)] ?? []
    buckets[numberAt(digest, 1)] += `${digest.slice(2)}${places.get(line)}`
  }
  const parts = [table.map((buckets) => buckets.join(' ')), ...blocks].map((part) => `${part.join('\n')}\n`)
  const starts = [(parts.length + 1) * PART]
  for (const part of parts) starts.push((starts.at(-1) ?? 0) + part.length)
  return [...starts.map((start) => inBase36(start, PART)), ...parts].join('')
}

/** Returns a value as JSON without characters outside Latin-1, in which the file is read fastest. */
export const inLatin1 = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The word inside a group such as `{} could {}`. */
const INSIDE = /^\{\} (\S+) \{\}$/

/**
 * Returns the group of a text with values: its first words, otherwise its last word, otherwise a word inside. A text that has no whole word
 * is in the group `{}`.
 */
function groupOf(english: string): string {
  const literals = english.split('{}')
  const [beginning] = /^\S+ (?:\S+ )?/.exec(literals[0] ?? '') ?? []
  if (beginning !== undefined) return `${beginning}{}`
  const [end] = / \S+$/.exec(literals.at(-1) ?? '') ?? []
  if (end !== undefined) return `{}${end}`
  const inside = literals.slice(1, -1).flatMap((literal) => literal.match(/ \S+(?= )/) ?? [])[0]
  return inside === undefined ? '{}' : `{}${inside} {}`
}

interface Texts {
  /** Returns the groups that may have the text with values that a text was made of. */
  groupsFor(text: string): ReadonlySet<string>
  /** Returns the other text of an English text without values. */
  textFor(english: string): string | undefined
  /** Returns the texts with values of a group. */
  patternsIn(group: string): readonly PackedPattern[]
}

/**
 * Returns a catalogue in a file. The file is read when a part is asked for, as a whole, because an update of the package may replace it while
 * the program runs. If it cannot be read then, or is not whole, all texts stay in English.
 * @throws an error of the file system if the file is missing or may not be read
 */
export function catalogueFile(path: string): StoredCatalogue {
  accessSync(path, constants.R_OK)
  let bytes: Buffer | undefined
  const read = () => {
    try {
      const whole = readFileSync(path)
      // A program that changed its line ends would have moved every text to another place.
      return lengthSaid(whole.toString('latin1', 0, MOST_PARTS * PART)) === whole.length ? whole : Buffer.alloc(0)
    } catch {
      return Buffer.alloc(0)
    }
  }
  const slice = (from: number, to: number) => {
    bytes ??= read()
    return bytes.toString('latin1', from, to)
  }
  return { slice }
}

/** Returns the functions that find texts in a catalogue. */
export function textsIn(catalogue: StoredCatalogue): Texts {
  const places = catalogue.slice(0, placeIn(catalogue.slice(0, PART), 0))
  const read: string[] = []
  const part = (number: number) => {
    read[number] ??= catalogue.slice(placeIn(places, number), placeIn(places, number + 1))
    return read[number]
  }
  const find = (english: string): unknown => {
    const digest = digestOf(english)
    const bucket = pieceOf(pieceOf(part(0), '\n', numberAt(digest, 0)), ' ', numberAt(digest, 1))
    const rest = digest.slice(2)
    for (let at = 0; at < bucket.length; at += rest.length + PLACE) {
      if (!bucket.startsWith(rest, at)) continue
      const place = at + rest.length
      const block = part(NUMBERS.indexOf(bucket.charAt(place)) + 1)
      return parsedOrNot(pieceOf(block, '\n', NUMBERS.indexOf(bucket.charAt(place + 1))))
    }
    return undefined
  }
  let inside: ReadonlySet<unknown> | undefined
  return {
    // Functions and not methods, because the build makes V8 compile only those together with the file.
    groupsFor: (text) => {
      const words = text.split(' ')
      const [one, two] = words
      if (words.length === 1) return new Set(['{}'])
      // Most words of a text are in no group, and looking for their groups would take longer than all the rest.
      inside ??= new Set(listIn(find(INSIDE_WORDS)))
      const groups = new Set(words.length > 2 ? [`${one} ${two} {}`] : [])
      groups.add(`${one} {}`).add(`{} ${words.at(-1)}`)
      for (let i = 1; i < words.length - 1; i++) if (inside.has(words[i])) groups.add(`{} ${words[i]} {}`)
      return groups.add('{}')
    },
    textFor: (english) => {
      const found = find(english)
      return typeof found === 'string' ? found : undefined
    },
    patternsIn: (group) => listIn(find(group)),
  }
}

/** A list is a group of texts with values, or the words inside. */
const listIn = (found: unknown) => (Array.isArray(found) ? found : [])

/** A file that was cut off lacks some lines. Their texts stay in English. */
function parsedOrNot(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Returns one of the pieces of a text, by its number. Only few pieces are read, so dividing the text would take longer. */
function pieceOf(text: string, gap: string, number: number): string {
  let from = 0
  for (let i = 0; i < number; i++) {
    from = text.indexOf(gap, from) + 1
    if (from === 0) return ''
  }
  const end = text.indexOf(gap, from)
  return text.slice(from, end === -1 ? undefined : end)
}

const INSIDE_WORDS = ''

const BASE = 36

/** The lines of a block. */
const LINES = 64

/** The characters of the place of a line: one for its block, and one for its number in the block. */
const PLACE = 2

/** The characters of numbers. Those of base 36 are the first ones, because a file with few different characters is packed smaller. */
const NUMBERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.:,;!?+*/=<>()[]{}#$%&'|~^@"

/** Returns a number as a character. */
function asCharacter(number: number): string {
  const character = NUMBERS[number]
  if (character === undefined) throw new Error('the catalogue has too many blocks: make them longer')
  return character
}

/** The characters of the place of a part in the catalogue. */
const PART = 4

/** More parts than a catalogue can have. */
const MOST_PARTS = 128

/** Returns the length of a catalogue by its last place. */
const lengthSaid = (places: string): number => placeIn(places, placeIn(places, 0) / PART - 1)

const placeIn = (places: string, part: number): number =>
  Number.parseInt(places.slice(part * PART, (part + 1) * PART), BASE)

const numberAt = (text: string, at: number): number => Number.parseInt(text.charAt(at), BASE)

const inBase36 = (value: number, length: number): string => value.toString(BASE).padStart(length, '0')

/**
 * Returns 34 bits of a text as six characters. By chance, a text that is not in a catalogue of 4000 texts has the digest of one that is once
 * in 5 million texts. A sender that chooses a text for its digest gets one of our texts
 * printed, as if it had sent that text itself.
 */
function digestOf(text: string): string {
  let one = 0x811c9dc5
  let other = 0x2c1b3c6d
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    one = Math.imul(one ^ unit, 0x01000193)
    other = Math.imul(other ^ unit, 0x5bd1e995)
    other ^= other >>> 15
  }
  const place = (one >>> 0) % (BASE * BASE)
  let digest = asCharacter(Math.floor(place / BASE)) + asCharacter(place % BASE)
  for (let bits = 0; bits < 24; bits += 6) digest += NUMBERS.charAt((other >>> bits) & 63)
  return digest
}
