import { type CommandShape, candidates } from './candidates.ts'
import { linesOf, typedWords } from './typed-words.ts'

/**
 * Returns the output of `bnpl __complete`, which a shell waits for at every press of Tab, so the whole program is
 * not loaded.
 * @param given the words after `bnpl`, as the shell passes them
 * @returns the lines to print; undefined if the whole program must read the values from this machine
 */
export function preparedLines(tree: CommandShape, shell: string, given: readonly string[]): string | undefined {
  const { words, hidden } = typedWords(shell, given)
  const chosen = candidates(tree, words)
  return 'found' in chosen ? linesOf(chosen.found, hidden) : undefined
}
