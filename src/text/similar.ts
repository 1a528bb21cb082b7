/** The limits of commander, which suggests commands and options. Profiles and codes are suggested by the same rule. */
const MOST_EDITS = 3
const LEAST_SIMILARITY = 0.4

/**
 * Returns `. Did you mean …?`, to be appended to a sentence, with the candidates that are most like a mistyped word; '' if no candidate is
 * similar. Capital and small letters are equal.
 */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const typed = word.toLowerCase()
  const near = [...new Set(candidates)].flatMap((candidate) => {
    const longer = Math.max(typed.length, candidate.length)
    const edits = candidate.length > 1 ? editsBetween(typed, candidate.toLowerCase()) : longer
    return edits <= MOST_EDITS && 1 - edits / longer > LEAST_SIMILARITY ? [{ candidate, edits }] : []
  })
  const fewest = Math.min(...near.map(({ edits }) => edits))
  const best = near.filter(({ edits }) => edits === fewest).map(({ candidate }) => candidate)
  if (best.length === 0) return ''
  return `. Did you mean ${best.length > 1 ? `one of ${best.join(', ')}` : best[0]}?`
}

/** Counts the letters that must be added, removed, replaced, or exchanged with their neighbour, to turn one word into the other. */
function editsBetween(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > MOST_EDITS) return Number.POSITIVE_INFINITY
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, j) => j)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = at(row, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1)
      const isExchange = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const exchanged = isExchange ? at(before, j - 2) + 1 : replaced
      next.push(Math.min(at(row, j) + 1, at(next, j - 1) + 1, replaced, exchanged))
    }
    before = row
    row = next
  }
  return at(row, to.length)
}

const at = (row: readonly number[], j: number): number => row[j] ?? Number.POSITIVE_INFINITY

/** Returns names in the order of their likeness to a word that the user typed, the most similar first. */
export const nearestFirst = (typed: string, names: readonly string[]): string[] =>
  names.toSorted((a, b) => sharedPairs(typed, b) - sharedPairs(typed, a))

/** Returns how many pairs of letters two names share, from 0 to 1 (the Dice coefficient). */
function sharedPairs(a: string, b: string): number {
  const [left, right] = [pairsIn(a), pairsIn(b)]
  const rest = [...right]
  const both = left.filter((pair) => {
    const at = rest.indexOf(pair)
    if (at >= 0) rest.splice(at, 1)
    return at >= 0
  }).length
  return left.length + right.length === 0 ? 0 : (2 * both) / (left.length + right.length)
}

function pairsIn(name: string): string[] {
  const text = name.slice(0, 128).toLowerCase()
  return Array.from({ length: Math.max(text.length - 1, 0) }, (_, i) => text.slice(i, i + 2))
}
