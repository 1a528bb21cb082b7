import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

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
 * A catalogue as the program ships and reads it: the places of its parts, then a hash table of 36 parts, then blocks of 64 lines. Only the
 * parts with what is printed are read, so that a start does not wait for the others. The English texts are in the code already, so the
 * catalogue has only a digest of each, except for those with values.
 *
 * A place has four characters, which are a number of characters in base 36: those of the parts, and that of the end.
 * Behind them is the number of blocks with English texts, in the same form. The last part has frequent phrases: that in line 5 is replaced by
 * the character 5 in the lines of the blocks, where this character is in no text.
 *
 * Each part of the hash table has 36 buckets. The first characters of a digest are the numbers of its part and bucket, in base 36. A bucket
 * has the rest of each digest, with a character for the number of a block and one for that of a line. Behind a tab are the groups of texts
 * with values, by only one more character of their digests: groups with the same characters share a line.
 *
 * A line is a list of texts, as JSON without the brackets and the outer quotes. First are blocks whose lines have one text each, then blocks
 * whose lines have a group of texts with values. The last blocks have the English texts of these groups, line by line; their first line has
 * the words inside a text by which groups are found. The languages are apart because the package is smaller that way.
 */
export type PackedCatalogue = string

/** A packed catalogue, of which parts are read: a string or a file. */
export interface StoredCatalogue {
  slice(from: number, to: number): string
}

/**
 * An English text with values, and a function that returns the other text. The values have numbers in place of names: `{}` in the English
 * text, `{0}`, `{0:text}` and `{0:fila|filas}` in the other. If the values come in the same order, the numbers may be left out.
 */
export type PackedPattern = readonly [english: string, text: () => string]

const NAMED = /\{([a-z]\w*)\}/gi
const INSERTED = /\{([a-z]\w*)((?::[^{}]*)?)\}/gi

/** What makes a catalogue smaller in the package. It takes the build a second. */
interface Smaller {
  /** Returns lines in the best order. */
  inOrder: (lines: readonly string[]) => readonly string[]
  /** Returns frequent phrases of lines, each with a code: a character that is not in the lines. A phrase contains no code. */
  codesFor: (lines: readonly string[]) => readonly (readonly [code: string, phrase: string])[]
}

/**
 * Packs a catalogue. Throws if two English texts have the same digest: then one of them must be worded differently.
 * @param first the other texts that are the first lines, for readers that know their numbers
 * @param smaller makes the package smaller
 */
export function packed(
  catalogue: Catalogue,
  first: readonly string[] = [],
  smaller: Smaller = { inOrder: (lines) => [...lines].sort(), codesFor: () => [] },
): PackedCatalogue {
  const texts = new Map<string, string>()
  const groups = new Map<string, [english: string, text: string][]>()
  const inside = new Set<string>()
  const frequency = new Map<string, number>()
  for (const word of Object.keys(catalogue).flatMap((english) => english.split(' ')))
    frequency.set(word, (frequency.get(word) ?? 0) + 1)
  for (const [english, text] of Object.entries(catalogue)) {
    const names = [...english.matchAll(NAMED)].map(([, name = '']) => name)
    if (names.length === 0) {
      texts.set(english, lineOf([text]))
      continue
    }
    if (names.length > 10) throw new Error(`a text may have 10 values: ${english}`)
    if (english.includes('{}')) throw new Error(`a text with values may not contain {}: ${english}`)
    const shape = english.replace(NAMED, '{}')
    const group = groupOf(shape, frequency)
    const [, word] = INSIDE.exec(group) ?? []
    if (word !== undefined) inside.add(word)
    const digest = digestOf(group).slice(0, OF_GROUP)
    groups.set(digest, [...(groups.get(digest) ?? []), [shape, numbered(text, names, shape)]])
  }
  const ofGroups = [...groups].map(([digest, patterns]) => ({
    digest,
    english: lineOf(patterns.map(([english]) => english)),
    other: lineOf(patterns.map(([, text]) => text)),
  }))
  const firstLines = first.map((text) => lineOf([text]))
  const plain = [
    ...new Set([...firstLines, ...smaller.inOrder([...new Set(texts.values())].filter(isNot(firstLines)))]),
  ]
  const order = smaller.inOrder([...new Set(ofGroups.map(({ other }) => other))])
  const words = [...inside].join(' ')
  const byOrder = [
    { digest: '', english: words, other: '' },
    ...ofGroups.sort((a, b) => order.indexOf(a.other) - order.indexOf(b.other)),
  ]
  const lines = [plain, byOrder.map(({ other }) => other), byOrder.map(({ english }) => english)]
  const codes = smaller.codesFor(lines.flat())
  // The launcher reads the first lines without the code for phrases, and the words as they are.
  const asTheyAre = new Set([...firstLines, words])
  const shorter = (line: string) =>
    asTheyAre.has(line) ? line : codes.reduce((made, [code, phrase]) => made.replaceAll(phrase, code), line)
  const blocks = lines.map((each) => inBlocks(each.map(shorter)))
  const [before = 0, ofEnglish = 0] = [(blocks[0]?.length ?? 0) + (blocks[1]?.length ?? 0), blocks[2]?.length ?? 0]

  const table = Array.from({ length: BASE }, () => Array.from({ length: BASE }, () => ''))
  const enter = (digest: string, gap: string, block: number, line: number) => {
    const buckets = table[numberOf(digest, 0)] ?? []
    const bucket = buckets[numberOf(digest, 1)] ?? ''
    buckets[numberOf(digest, 1)] =
      `${bucket}${bucket.includes(gap) ? '' : gap}${digest.slice(2)}${asCharacter(block)}${asCharacter(line)}`
  }
  const digests = new Set<string>()
  const numbers = new Map(plain.map((line, i) => [line, i]))
  for (const [english, line] of texts) {
    const digest = digestOf(english)
    if (digests.has(digest)) throw new Error(`another text has the same digest as this text: ${english}`)
    digests.add(digest)
    const number = numbers.get(line) ?? 0
    enter(digest, '', Math.floor(number / LINES), number % LINES)
  }
  for (const [i, { digest }] of byOrder.entries())
    if (i > 0) enter(digest, GROUPS, before + Math.floor(i / LINES), i % LINES)

  const parts = [
    ...table.map((buckets) => buckets.map((bucket) => `${bucket} `).join('')),
    ...[...blocks.flat(), phrasesByCode(codes)].map((each) => each.map((line) => `${line}\n`).join('')),
  ]
  const starts = [(parts.length + 2) * PART]
  for (const part of parts) starts.push((starts.at(-1) ?? 0) + part.length)
  return [...[...starts, ofEnglish].map((number) => inBase36(number, PART)), ...parts].join('')
}

/**
 * Returns a text with numbers in place of names, or without both if the values come in order. The forms for a number, and two values with
 * nothing between them, are found by their numbers.
 * @param shape the English text, with `{}` in place of names
 */
function numbered(text: string, names: readonly string[], shape: string): string {
  const numbers: number[] = []
  const made = text.replace(INSERTED, (whole, name: string, form: string) => {
    if (!names.includes(name)) return whole
    numbers.push(names.indexOf(name))
    return `{${names.indexOf(name)}${form}}`
  })
  return numbers.every((number, i) => number === i) && !made.includes('|') && !/\}\s*\{/.test(shape)
    ? made.replace(/\{\d+(?=[:}])/g, '{')
    : made
}

/** Returns lines of which each is the phrase whose code is the character with the number of the line, or empty. */
function phrasesByCode(codes: readonly (readonly [code: string, phrase: string])[]): string[] {
  const phrases: string[] = []
  for (const [code, phrase] of codes) phrases[code.charCodeAt(0)] = phrase
  return Array.from(phrases, (phrase) => phrase ?? '')
}

const lineOf = (texts: readonly string[]): string => inLatin1(texts).slice(2, -2)

const isNot =
  (lines: readonly string[]) =>
  (line: string): boolean =>
    !lines.includes(line)

const inBlocks = (lines: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(lines.length / LINES) }, (_, i) => lines.slice(i * LINES, (i + 1) * LINES))

/** Returns a value as JSON without characters outside Latin-1, in which the file is read fastest. */
export const inLatin1 = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The word inside a group such as `{} could {}`. */
const INSIDE = /^\{\} (\S+) \{\}$/

/**
 * Returns the group of a text with values: its first words, otherwise its last word, otherwise the rarest word inside, so that few other texts
 * make the program read the group. A text that has no whole word is in the group `{}`.
 * @param frequency how often each word is in all texts
 */
function groupOf(english: string, frequency: ReadonlyMap<string, number>): string {
  const literals = english.split('{}')
  const [beginning] = /^\S+ (?:\S+ )?/.exec(literals[0] ?? '') ?? []
  if (beginning !== undefined) return `${beginning}{}`
  const [end] = / \S+$/.exec(literals.at(-1) ?? '') ?? []
  if (end !== undefined) return `{}${end}`
  const inside = literals.slice(1, -1).flatMap((literal) => literal.match(/(?<= )[\w-]+(?= )/g) ?? [])
  const oftenOf = (word: string) => frequency.get(word) ?? 0
  const [rarest] = inside.sort((a, b) => oftenOf(a) - oftenOf(b))
  return rarest === undefined ? '{}' : `{} ${rarest} {}`
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
 * Returns a catalogue in a file, which is opened when a part is asked for. A short command reads only the parts with what it prints. When the
 * program waits for something, it reads the whole file and closes it, because an update of the package may replace the file. If the file cannot
 * be read, or is not whole, all texts stay in English.
 */
export function catalogueFile(path: string): StoredCatalogue {
  let whole: Buffer | undefined
  let file: number | undefined
  const readWhole = () => {
    if (file === undefined) return
    try {
      whole ??= readFileSync(file)
    } catch {
      whole = Buffer.alloc(0)
    }
    closeSync(file)
  }
  const slice = (from: number, to: number): string => {
    if (whole !== undefined) return whole.toString('latin1', from, to)
    try {
      if (file === undefined) {
        file = openSync(path, 'r')
        setImmediate(readWhole).unref()
        const end = lengthSaid(slice(0, MOST_PARTS * PART))
        // A program that changed the line ends would have moved every text to another place.
        if (slice(end - 1, end + 1) !== '\n') whole = Buffer.alloc(0)
        return slice(from, to)
      }
      const bytes = Buffer.allocUnsafe(Math.max(0, to - from) || 0)
      return bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, from))
    } catch {
      whole = Buffer.alloc(0)
      return ''
    }
  }
  return { slice }
}

/** Returns the functions that find texts in a catalogue. */
export function textsIn(catalogue: StoredCatalogue): Texts {
  const places = catalogue.slice(0, placeIn(catalogue.slice(0, PART), 0))
  const ofEnglish = placeIn(places, places.length / PART - 1)
  const blocks = places.length / PART - BASE - 3
  const firstEnglish = blocks - ofEnglish
  const read: string[] = []
  const part = (number: number) => {
    read[number] ??= catalogue.slice(placeIn(places, number), placeIn(places, number + 1))
    return read[number]
  }
  let phrases: readonly string[] | undefined
  const textsAt = (block: number, line: number): readonly string[] => {
    phrases ??= part(BASE + blocks).split('\n')
    const short = pieceOf(part(BASE + block), '\n', line)
    let whole = ''
    for (let i = 0; i < short.length; i++) whole += phrases[short.charCodeAt(i)] || short.charAt(i)
    return parsed(whole)
  }
  const bucketOf = (digest: string): string => pieceOf(part(numberOf(digest, 0)), ' ', numberOf(digest, 1))
  let inside: ReadonlySet<string> | undefined
  return {
    // Functions and not methods, because the build makes V8 compile only those together with the file.
    groupsFor: (text) => {
      const words = text.split(' ')
      const [one, two] = words
      if (words.length === 1) return new Set(['{}'])
      // Most words of a text are in no group, and looking for their groups would take longer than all the rest.
      inside ??= new Set(pieceOf(part(BASE + firstEnglish), '\n', 0).split(' '))
      const groups = new Set(words.length > 2 ? [`${one} ${two} {}`] : [])
      groups.add(`${one} {}`).add(`{} ${words.at(-1)}`)
      for (let i = 1; i < words.length - 1; i++) if (inside.has(words[i] ?? '')) groups.add(`{} ${words[i]} {}`)
      return groups.add('{}')
    },
    textFor: (english) => {
      const digest = digestOf(english)
      const bucket = bucketOf(digest)
      const rest = digest.slice(2)
      for (let at = 0; at < bucket.length && bucket.charAt(at) !== GROUPS; at += rest.length + PLACE)
        if (bucket.startsWith(rest, at))
          return textsAt(numberOf(bucket, at + rest.length), numberOf(bucket, at + rest.length + 1))[0]
      return undefined
    },
    patternsIn: (group) => {
      const digest = digestOf(group)
      const bucket = bucketOf(digest)
      for (let at = bucket.indexOf(GROUPS) + 1; at > 0 && at < bucket.length; at += 1 + PLACE) {
        if (bucket.charAt(at) !== digest.charAt(OF_GROUP - 1)) continue
        const [block, line] = [numberOf(bucket, at + 1), numberOf(bucket, at + 2)]
        let others: readonly string[] | undefined
        const otherText = (i: number) => {
          others ??= textsAt(block - ofEnglish, line)
          return others[i] ?? ''
        }
        return textsAt(block, line).map((english, i) => [english, () => otherText(i)])
      }
      return []
    },
  }
}

/** Returns the texts of a line. A file that was cut off lacks some lines. Their texts stay in English. */
function parsed(line: string): readonly string[] {
  try {
    return line === '' ? [] : JSON.parse(`["${line}"]`)
  } catch {
    return []
  }
}

/**
 * Returns one of the pieces of a text, of which each ends with the gap, by its number. Only few pieces are read, so dividing the text would
 * take longer.
 */
function pieceOf(text: string, gap: string, number: number): string {
  let from = 0
  for (let i = 0; i < number; i++) {
    from = text.indexOf(gap, from) + 1
    if (from === 0) return ''
  }
  return text.slice(from, Math.max(from, text.indexOf(gap, from)))
}

/** The gap in a bucket between texts and groups. */
const GROUPS = '\t'

/** The characters of the digest of a group: of the line, of the bucket, and one in the bucket. */
const OF_GROUP = 3

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
const MOST_PARTS = 256

/** Returns the length of a catalogue by its last place. */
const lengthSaid = (places: string): number => placeIn(places, placeIn(places, 0) / PART - 2)

const placeIn = (places: string, part: number): number =>
  Number.parseInt(places.slice(part * PART, (part + 1) * PART), BASE)

/** Returns the number of a character. */
const numberOf = (text: string, at: number): number => NUMBERS.indexOf(text.charAt(at))

const inBase36 = (value: number, length: number): string => value.toString(BASE).padStart(length, '0')

/**
 * Returns 34 bits of a text as six characters. By chance, a text that is not in a catalogue of 3000 texts without values has the digest of
 * one that is once in 7 million texts. A sender that chooses a text for its digest gets one of our texts printed, as if it had sent that text
 * itself.
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
  const rest = at(other) + at(other >>> 6) + at(other >>> 12) + at(other >>> 18)
  return at(Math.floor(place / BASE)) + at(place % BASE) + rest
}

const at = (number: number): string => NUMBERS.charAt(number & 63)
