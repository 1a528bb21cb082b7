import { type PackedPattern, type StoredCatalogue, textsIn } from './packing.ts'

/** Returns one of our texts in the language of the user. Any other text is returned unchanged. */
export interface Words {
  (text: string): string
  /** Returns a text unchanged, and remembers it and its lines, so that they are not translated later, for example those of a table. */
  keep(text: string): string
}

/** Makes the text of a part that was found. What is only looked for is never made, because its values may have many texts inside. */
type Found = () => string

interface Pattern {
  /** The texts around the placeholders; one more than there are values. */
  literals: readonly string[]
  text: () => string
  /** How many characters are not in placeholders. If several patterns match, the one with the most is right. */
  weight: number
}

/** Matches an item of a list, and the word before the last item. */
const ITEM = /(?<=“)[^“”]+(?=”)|(?<=^|, | and | or )[^“”,]+?(?=$|, | and | or )|(?<= )(?:and|or)(?= )/g

/** Matches what we add to names: how many more there are, how many rows have a value in a column, and that a name is the code of an answer. */
const BESIDE_NAMES = /(?<= )and (?:\d+ )?more$|in \d+ of \d+ rows(?=\))|(?<![^ ])answer code [^ ,]+ \(\d+\)/g

/** No text of bnpl is longer, in characters. */
const LONGEST = 4000
const MOST_KEPT = 20_000

/** A pattern such as “{a} with {b}” would fit sentences that are not in the catalogue. So its values must be short. */
const LIGHT = 12
const isShort = (value: string): boolean => value.split(' ').length <= 3

/** A text that begins with a value would also fit a line of cells, such as a setting and its description, whose gaps then are in a value. */
const fits = ({ literals, text, weight }: Pattern, value: string, at: number): boolean =>
  (!isCount(text(), at) || /^[\d.,]+$/.test(value)) &&
  (literals[0] !== '' || (!value.includes('  ') && (weight >= LIGHT || isShort(value) || text().includes('|'))))

/** Whether a value must be a number, because the text has its plural. */
const isCount = (text: string, at: number): boolean =>
  text.includes('|') && text.split(`{${at}:`).some((part, i) => i > 0 && /^[^{}]*\|/.test(part))

const ESCAPE = '\u001b'
const STYLE = /(\u001b\[[0-9;]*m)/
/**
 * Returns the parts of a text and the gaps between them, in turn: of sentences, and of the cells of a line. Parts that are not texts of bnpl
 * stay as they are. Most texts are looked at without a regular expression, because V8 would compile it at each start of the program.
 */
type Gap = (text: string) => readonly string[]
const SENTENCES: Gap = (text) => {
  const parts: string[] = []
  let from = 0
  for (let at = text.indexOf(' ', 1); at !== -1; at = text.indexOf(' ', at + 1)) {
    if (!ENDS.includes(text.charAt(at - 1))) continue
    const next = text.charAt(at + 1)
    if ((next < 'A' || next > 'Z') && next !== '“' && next !== '`') continue
    parts.push(text.slice(from, at), ' ')
    from = at + 1
  }
  parts.push(text.slice(from))
  return parts
}
const ENDS = '.!?…'
const CELLS: Gap = (text) => (text.includes('  ') ? text.split(/( {2,})/) : [text])
/** The gap between the parts of a list such as that of all differences. */
const CLAUSES: Gap = (text) => partsOf(text, '; ')
/** The gap between the parts of a line of progress. */
const DOTS: Gap = (text) => partsOf(text, ' · ')
/** Where the second of two values without a gap may begin, and how many such places are tried. */
const GAP = /[ ,;:(]/g
const MOST_ENDS = 40
/** How deep a text may be in the values of others. Ours are 3 deep, and one that a service sends could be 300 deep. */
const DEEPEST = 8
const NAME = /^[a-z][\w.-]*$/
/** What has a problem, before the problem: the name of a column or a state, and the value in it. */
const SUBJECT = /^[^:“”]{1,60}(?: “[^“”]*”)?: /
const MARK = /^[✓✗] /
const COMMENT = /^(?:# )+/
/** What is wrong with a line of a file. Otherwise, the number of the line could be in the value with which the problem begins. */
const LINE = /^line [\d.,]+: /
/** The code of the system, which is behind some errors. */
const CODE = / \([A-Z][A-Z0-9_]+\)$/

/**
 * Returns the function for the texts of a catalogue. A value is never read as a pattern, and a text takes a time that grows with its
 * length, whatever a service has put into it.
 * @param catalogue is read when the first text is asked for, which a command that prints JSON never does
 * @param language the tag of the language, for its plurals
 */
export function inCatalogue(catalogue: StoredCatalogue, language: string): Words {
  let rules: Intl.PluralRules | undefined
  const kept = new Set<string>()
  let read: ReturnType<typeof textsIn> | undefined
  const texts = () => {
    read ??= textsIn(catalogue)
    return read
  }
  const groups = new Map<string, readonly Pattern[]>()
  let depth = 0

  const patternsOf = (name: string): readonly Pattern[] => {
    const known = groups.get(name)
    if (known !== undefined) return known
    const group = texts().patternsIn(name).map(patternOf)
    // The words of other texts may be anything, and many.
    if (group.length > 0) groups.set(name, group)
    return group
  }

  /**
   * @param least the smallest weight of a pattern whose values may be long
   * @param begins whether the text must begin with words of the catalogue, and not with a value
   */
  const find = (text: string, least = 0, begins = false): Found | undefined => {
    const same = texts().textFor(text)
    if (same !== undefined) return () => same
    let best: Pattern | undefined
    let found: readonly string[] = []
    for (const name of texts().groupsFor(text))
      for (const pattern of patternsOf(name)) {
        if ((best !== undefined && pattern.weight <= best.weight) || (begins && pattern.literals[0] === '')) continue
        const values = valuesIn(text, pattern.literals)
        if (values === undefined || (pattern.weight < least && !values.every(isShort))) continue
        if (!values.every((value, i) => fits(pattern, value, i))) continue
        best = pattern
        found = values
      }
    const pattern = best
    return pattern && (() => fill(pattern, found))
  }

  /**
   * Returns the values, with another end between two that have nothing or only a space between them, if the second is one of our texts:
   * where that text begins.
   */
  const separated = ({ literals, text }: Pattern, found: readonly string[]): readonly string[] => {
    const values = [...found]
    const isText = (part: string) => part.includes(' ') && find(part, LIGHT, true) !== undefined
    for (let at = literals.length - 2; at > 0; at--) {
      const gap = literals[at] ?? ''
      if (gap.trim() !== '' || !text().includes(`{${at}:text}`)) continue
      const both = `${values[at - 1]}${gap}${values[at]}`
      const ends = [...both.matchAll(gap === '' ? GAP : / /g)].slice(0, MOST_ENDS).map(({ index }) => index)
      const end = ends.find((each) => isText(both.slice(each).trim()))
      if (end === undefined && gap !== '') continue
      values[at - 1] = both.slice(0, end)
      values[at] = end === undefined ? '' : both.slice(end + gap.length)
    }
    return values
  }

  const fill = (pattern: Pattern, found: readonly string[]): string => {
    const values = separated(pattern, found)
    let next = 0
    depth++
    const made = replaced(pattern.text(), (at, form) => {
      const value = values[at === '' ? next++ : Number(at)] ?? ''
      if (form === undefined) return value
      if (form === 'text') return depth > DEEPEST ? value : words(value)
      if (form === 'names') return quoted(eachMatch(value, BESIDE_NAMES))
      if (form === 'list') return quoted(depth > DEEPEST ? value : eachMatch(eachMatch(value, BESIDE_NAMES), ITEM))
      if (form === 'quoted') return quoted(value)
      const [one = '', other = one] = form.split('|')
      rules ??= new Intl.PluralRules(language)
      return rules.select(Number(value.replace(/\D/g, ''))) === 'one' ? one : other
    })
    depth--
    return made
  }

  const eachMatch = (text: string, parts: RegExp): string => text.replace(parts, (part) => find(part)?.() ?? part)

  /** Returns a text with the quotes of the language. */
  const quoted = (text: string): string => text.replace(/[“”]/g, (quote) => texts().textFor(quote) ?? quote)

  /** Returns sentences, and the spaces between them, in the language. Two to four sentences may be one text of the catalogue. */
  const eachSentence = (parts: readonly string[]): string => {
    let made = ''
    for (let at = 0; at < parts.length; ) {
      let end = at + 1
      let found = find(parts[at] ?? '')
      while (found === undefined && end < at + 7 && end < parts.length) {
        end += 2
        found = find(parts.slice(at, end).join(''), LIGHT)
      }
      if (found === undefined) end = at + 1
      made += `${found?.() ?? parts[at]}${parts[end] ?? ''}`
      at = end + 1
    }
    return made
  }

  /** Returns the parts of a text, if each has a text: then none of them is a value in the text of another one. */
  const eachOf = (text: string, gap: Gap, least?: number): Found | undefined => {
    const parts = gap(text)
    if (parts.length === 1) return undefined
    const all: Found[] = []
    for (const [i, part] of parts.entries()) {
      const found = i % 2 === 1 ? () => part : whole(part, least)
      if (found === undefined) return undefined
      all.push(found)
    }
    return () => all.map((found) => found()).join('')
  }

  const whole = (text: string, least?: number): Found | undefined => eachOf(text, CLAUSES, least) ?? find(text, least)

  const unit = (text: string): string => {
    if (text.length > LONGEST || kept.has(text)) return text
    // An example has a comment before its command line.
    const [comment = ''] = (text.startsWith('# ') && COMMENT.exec(text)) || []
    if (comment !== '') return `${comment}${unit(text.slice(comment.length))}`
    if (text.startsWith('$ ')) return text
    const same = texts().textFor(text)
    if (same !== undefined) return same
    const ofLine = text.startsWith('line ') && LINE.test(text) ? find(text, 0, true) : undefined
    const found = ofLine ?? eachOf(text, SENTENCES, LIGHT) ?? whole(text)
    if (found !== undefined) return found()
    // An id, a code or an address has no gaps.
    const isWord = !text.includes(' ')
    for (const gap of isWord ? [] : [SENTENCES, CELLS, DOTS]) {
      const parts = gap(text)
      if (parts.length === 1) continue
      // The first word of a line such as `database   where events are stored` is a name.
      const isName = (part: string, i: number) => gap === CELLS && i === 0 && NAME.test(part)
      const made =
        gap === SENTENCES
          ? eachSentence(parts)
          : parts.map((part, i) => (isName(part, i) ? part : (find(part)?.() ?? part))).join('')
      if (made !== text) return made
    }
    // A question or a problem at a question begins with a capital letter.
    const small = `${text.charAt(0).toLowerCase()}${text.slice(1)}`
    const meant = small === text ? undefined : find(small)?.()
    if (meant !== undefined) return `${meant.charAt(0).toUpperCase()}${meant.slice(1)}`
    if (isWord) return text
    const [before = ''] = MARK.exec(text) ?? SUBJECT.exec(text) ?? []
    const [after = ''] = CODE.exec(text) ?? []
    const rest =
      before === '' && after === '' ? undefined : find(text.slice(before.length, text.length - after.length), LIGHT)?.()
    return rest === undefined ? text : `${quoted(before)}${rest}${after}`
  }

  const inStyle = (line: string): string =>
    kept.has(line.trim())
      ? line
      : line
          .split(STYLE)
          .map((part) => (part.startsWith(ESCAPE) ? part : eachUnit(part, unit)))
          .join('')

  const words = (text: string): string => {
    if (kept.has(text.trim())) return text
    return text.includes(ESCAPE) ? text.split('\n').map(inStyle).join('\n') : eachUnit(text, unit)
  }

  return Object.assign(words, {
    keep: (text: string) => {
      if (kept.size > MOST_KEPT) kept.clear()
      for (const part of [text, ...text.split('\n')]) kept.add(part.trim())
      return text
    },
  })
}

const partsOf = (text: string, gap: string): readonly string[] =>
  text.split(gap).flatMap((part, i) => (i === 0 ? [part] : [gap, part]))

/** Returns a text with something in the place of each `{}`, `{0}`, `{:form}` and `{0:form}`. */
function replaced(text: string, by: (number: string, form: string | undefined) => string): string {
  let made = ''
  let from = 0
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1)) {
    const end = text.indexOf('}', at)
    if (end === -1) break
    const inside = text.slice(at + 1, end)
    const colon = inside.indexOf(':')
    const number = colon === -1 ? inside : inside.slice(0, colon)
    if (number.length > 1 || !'0123456789'.includes(number)) continue
    made += text.slice(from, at) + by(number, colon === -1 ? undefined : inside.slice(colon + 1))
    from = end + 1
  }
  return made + text.slice(from)
}

function patternOf([english, text]: PackedPattern): Pattern {
  const literals = english.split('{}')
  return { literals, text, weight: english.length - 2 * (literals.length - 1) }
}

/** Returns the values between the literals, from left to right, each as short as possible; undefined if the text is another one. */
function valuesIn(text: string, literals: readonly string[]): string[] | undefined {
  const start = literals[0] ?? ''
  const end = literals.at(-1) ?? ''
  if (!text.startsWith(start) || !text.endsWith(end) || text.length < start.length + end.length) return undefined
  const values: string[] = []
  let from = start.length
  const limit = text.length - end.length
  for (let i = 1; i < literals.length - 1; i++) {
    const literal = literals[i] ?? ''
    const at = text.indexOf(literal, from)
    if (at === -1 || at + literal.length > limit) return undefined
    values.push(text.slice(from, at))
    from = at + literal.length
  }
  values.push(text.slice(from, limit))
  return values
}

/** The width to which a paragraph of several lines is broken again. */
const WIDTH = 80
/** A line of at least this length may continue on the next line. */
const FULL = 45
/** A line of at least this length also continues with an option or a variable. */
const LONG = 60

/**
 * Replaces the units of a text: its lines, and the paragraphs that are written over several lines. A paragraph is one unit, because a
 * sentence has another order in another language. Indents and empty lines stay.
 */
export function eachUnit(text: string, replace: (unit: string) => string): string {
  if (!text.includes('\n')) return inPlace(text, replace)
  const lines = text.split('\n')
  const made: string[] = []
  for (let i = 0; i < lines.length; i++) {
    const from = i
    while (continues(lines[i] ?? '', lines[i + 1] ?? '')) i++
    if (from === i) {
      made.push(inPlace(lines[i] ?? '', replace))
      continue
    }
    const parts = lines.slice(from, i + 1)
    const indent = indentOf(parts[0] ?? '')
    const unit = parts.map((part) => part.trim()).join(' ')
    const replaced = replace(unit)
    if (replaced === unit) made.push(...parts)
    else made.push(...broken(replaced, WIDTH - indent.length).map((line) => `${indent}${line}`))
  }
  return made.join('\n')
}

/** Whether a line is the middle of a paragraph: the next line goes on in lower case, or after a line that ends inside a sentence. */
function continues(line: string, next: string): boolean {
  if (line.trim().length < FULL || indentOf(line) !== indentOf(next) || / {2}/.test(`${line.trim()}${next.trim()}`))
    return false
  if (/[.:\\]$/.test(line) || /^\s*((bnpl|curl|[$#]) |\w+: )/.test(next)) return false
  return /^\s*[a-z(“`]/.test(next) || (line.trim().length >= LONG && /^\s*(--[a-z]|[A-Z]+_[A-Z])/.test(next))
}

const indentOf = (line: string): string => /^ */.exec(line)?.[0] ?? ''

/** Replaces a text, and keeps the white space around it. */
function inPlace(text: string, replace: (unit: string) => string): string {
  const unit = text.trim()
  if (unit === '') return text
  const from = text.indexOf(unit)
  return `${text.slice(0, from)}${replace(unit)}${text.slice(from + unit.length)}`
}

function broken(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && longer.length <= width) lines.splice(-1, 1, longer)
    else lines.push(word)
  }
  return lines
}
