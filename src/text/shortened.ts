/** Returns a text whose end is replaced with `…` if it has more than `max` characters. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text
  // An emoji, for example, consists of two units. The first one must not remain alone.
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Returns the first `most` words, joined by `separator`. If there are more words, says how many. */
export function firstOf(words: readonly string[], most: number, separator = ', '): string {
  const more = words.length - most
  return more > 0 ? `${words.slice(0, most).join(separator)} and ${more} more` : words.join(separator)
}
