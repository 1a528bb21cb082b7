/**
 * Puts words together that bash took apart at `=` and `:` (its COMP_WORDBREAKS): `--profile = ac` is `--profile=ac`.
 * @returns the words, and how many characters of the last one bash keeps by itself and must not be given again
 */
export function joinWords(given: readonly string[]): { words: string[]; hidden: number } {
  const words: string[] = []
  let kept = 0
  let glue = false
  for (const word of given) {
    const isBreak = word === '=' || word === ':'
    const last = words.at(-1)
    if ((isBreak || glue) && last !== undefined) {
      words[words.length - 1] = last + word
      kept = isBreak ? last.length + 1 : kept
    } else {
      words.push(word)
      kept = 0
    }
    glue = isBreak
  }
  return { words, hidden: kept }
}
