/** Columns below which lines would be harder to read than to scroll. */
export const LEAST_ROOM = 20

/**
 * Breaks a text into lines, for below one another.
 * @param width columns a line may take @param indent put before every line but the first @param measure columns a text takes
 */
export function wrap(text: string, width: number, indent = '', measure = (part: string) => part.length): string {
  return linesOf(text, Math.max(LEAST_ROOM, width), measure).join(`\n${indent}`)
}

/**
 * The lines of a text. A word that is wider than a line is broken between characters if it is of another script, and left whole if it is
 * an id, an address or a token: in pieces it could not be copied.
 */
export function linesOf(text: string, room: number, measure: (part: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (measure(longer) <= room) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    if (WHOLE.test(word)) continue
    for (let head = fitting(line, room, measure); head !== line; head = fitting(line, room, measure)) {
      lines.push(head)
      line = line.slice(head.length)
    }
  }
  return [...lines, line]
}

const WHOLE = /^[!-~]*$/

let graphemes: Intl.Segmenter | undefined

/** The longest beginning of a text that fits, one character at least. */
export function fitting(text: string, room: number, measure: (part: string) => number): string {
  if (measure(text) <= room) return text
  let head = ''
  graphemes ??= new Intl.Segmenter()
  for (const { segment } of graphemes.segment(text)) {
    if (head !== '' && measure(head + segment) > room) break
    head += segment
  }
  return head
}
