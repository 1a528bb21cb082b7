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
