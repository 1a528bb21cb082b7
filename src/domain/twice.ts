/**
 * The name of a field that stands twice in the outermost object of a JSON text, which programs read differently: some take the first,
 * some the last.
 * @param text of an object, valid JSON
 * @param names what it is asked for, where anything else may stand twice
 * @returns undefined when each stands once
 */
export function fieldThatStandsTwice(text: string, names: readonly string[]): string | undefined {
  // Nearly every text is done with here: an escape could spell a name in other letters.
  if (!text.includes('\\u') && names.every((name) => isOnce(text, `"${name}"`))) return undefined
  const seen = new Set<string>()
  for (const key of outermostKeys(text)) {
    if (names.includes(key) && seen.has(key)) return key
    seen.add(key)
  }
  return undefined
}

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
