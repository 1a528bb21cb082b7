/** Matches text in which every character takes one column: Latin letters, digits, and the punctuation of our own texts. */
const PLAIN = /^[ -~¡-¬®-ɏ–—‘’“”•…→]*$/

type Measure = (text: string) => number

/** Returns a function that measures a text in columns. The library that measures texts is loaded only if a text does not match `PLAIN`. */
export async function measureFor(texts: readonly string[]): Promise<Measure> {
  if (texts.every((text) => PLAIN.test(text))) return (text) => text.length
  const { default: stringWidth } = await import('string-width')
  return stringWidth
}

/** The smallest width of a line, in columns, even if the terminal is narrower. Shorter lines would be hard to read. */
export const LEAST_ROOM = 20

/**
 * Returns a text broken into lines of at most `width` columns. A word that must not be broken may be wider. `indent` is put before every
 * line except the first.
 */
export function wrap(text: string, width: number, indent = '', measure = (part: string) => part.length): string {
  return brokenLines(text, Math.max(LEAST_ROOM, width), measure).join(`\n${indent}`)
}

/** Breaks a text between words, but never inside a match of `whole`. A match that is wider than a line gets its own line. */
function wrapAround(whole: RegExp, text: string, width: number, indent: string, measure?: Measure): string {
  const inside = [...text.matchAll(whole)].map(([match]) => match)
  const [before = '', ...between] = text.split(whole)
  // In place of each space that must not be broken, put a private-use character, which no displayed text contains.
  const joined = between.reduce((made, part, i) => `${made}${inside[i]?.replaceAll(' ', HARD_SPACE)}${part}`, before)
  return wrap(joined, width, indent, measure).replaceAll(HARD_SPACE, ' ')
}

/** Matches a command line of bnpl inside a sentence. Its arguments end at a bracket, or before a comma, semicolon or full stop. */
const COMMAND = /`[^`]*`|\bbnpl(?: (?:(?:\$?'(?:[^'\\]|\\.)*')+|[^\s,;(`']+?(?=\.?(?:[\s,;(`']|$))))+/g

/** Breaks one of our sentences between words, but never inside a command that users paste. */
export const wrapWords = (text: string, width: number, indent: string, measure?: Measure): string =>
  wrapAround(COMMAND, text, width, indent, measure)

/** Matches an option with its value, or the words before the first option. A quoted text is one word. */
const PART = /(?:^|-)(?:\$'(?:[^'\\]|\\.)*'|'[^']*'|"[^"]*"|\\.|[^\s'"\\]| (?!-))*/g

/**
 * Breaks a command line into lines that a shell reads as one command: each line except the last ends with a backslash. An option and its
 * value stay on one line, even if this line is then wider than `width`. The second line and the following ones are indented.
 */
export function continuedCommand(command: string, width: number): string[] {
  const parts = command.match(PART) ?? []
  // Do not break a text that the parts do not cover completely, such as a shell comment with an apostrophe.
  if (command.length <= width || parts.join(' ') !== command) return [command]
  const lines: string[] = []
  for (const part of parts) {
    const longer = `${lines.at(-1)} ${part}`
    if (lines.length > 0 && longer.length <= width - BACKSLASH.length) lines.splice(-1, 1, longer)
    else lines.push(lines.length === 0 ? part : `    ${part}`)
  }
  return lines.map((line, i) => (i < lines.length - 1 ? `${line}${BACKSLASH}` : line))
}

const BACKSLASH = ' \\'

const HARD_SPACE = '\ue000'

/**
 * Breaks a text into lines. A word that is wider than a line is broken, for example in Chinese, which has no spaces. A word of ASCII
 * characters is never broken, because it may be an id, an address or a token, which users copy.
 */
export function brokenLines(text: string, room: number, measure: Measure): string[] {
  const lines: string[] = []
  let line = ''
  let taken = 0
  // Measure each word only once, because the text may come from a large answer.
  for (const word of text.split(' ')) {
    const columns = measure(word)
    if (line === '' ? columns <= room : taken + 1 + columns <= room) {
      taken += line === '' ? columns : 1 + columns
      line = line === '' ? word : `${line} ${word}`
      continue
    }
    if (line !== '') lines.push(line)
    const isWhole = columns <= room || WHOLE.test(word) || word.includes(HARD_SPACE)
    const parts = isWhole ? [word] : [...partsOf(word, room, measure)]
    for (const part of parts.slice(0, -1)) lines.push(part)
    line = parts.at(-1) ?? ''
    taken = measure(line)
  }
  return [...lines, line]
}

const WHOLE = /^[!-~]*$/

let graphemes: Intl.Segmenter | undefined

/** Returns the longest start of a text that fits into a line; at least one character. */
export const fitting = (text: string, room: number, measure: Measure): string =>
  partsOf(text, room, measure).next().value ?? ''

/** Returns the parts of a text that each fit into a line. Each has at least one character. */
function* partsOf(text: string, room: number, measure: Measure): Generator<string, undefined> {
  let part = ''
  let taken = 0
  graphemes ??= new Intl.Segmenter()
  for (const { segment } of graphemes.segment(text)) {
    const columns = measure(segment)
    if (part !== '' && taken + columns > room) {
      yield part
      part = ''
      taken = 0
    }
    part += segment
    taken += columns
  }
  yield part
}
