/**
 * Finds a field that occurs twice in the outermost object of a JSON text. Programs read such a text differently: some use the first value,
 * others the last.
 * @param text the valid JSON text of an object
 * @param names the fields to look for; other fields may occur twice
 * @returns the name of the first duplicate, undefined when there is none
 */
export function duplicateField(text: string, names: readonly string[]): string | undefined {
  // This quick check is enough for nearly every text. Only a text with `\u` escapes can contain a name in another spelling.
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
