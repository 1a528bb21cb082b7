/**
 * Returns the first of `names` that occurs twice in the outermost object of a valid JSON text; undefined when none does. Such a
 * text is ambiguous, because some programs would use the first value, and others the last.
 */
export function duplicateField(text: string, names: readonly string[]): string | undefined {
  if (names.length <= FEW && isEachOnce(text, names)) return undefined
  const wanted = new Set(names)
  const seen = new Set<string>()
  for (const key of outermostKeys(text)) {
    if (wanted.has(key) && seen.has(key)) return key
    seen.add(key)
  }
  return undefined
}

/** Up to this many names, it is quicker to search the text for each name than to read all its keys. */
const FEW = 50

/** Whether each name certainly occurs at most once. Returns false for a text with escapes, because the search could miss an escaped name. */
function isEachOnce(text: string, names: readonly string[]): boolean {
  // The letters, digits and underscores of a plain name can be escaped only as `\u`.
  const mark = names.every((name) => PLAIN.test(name)) ? '\\u' : '\\'
  return !text.includes(mark) && names.every((name) => isOnce(text, `"${name}"`))
}

const PLAIN = /^\w*$/

function isOnce(text: string, part: string): boolean {
  const first = text.indexOf(part)
  return first < 0 || text.indexOf(part, first + 1) < 0
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
