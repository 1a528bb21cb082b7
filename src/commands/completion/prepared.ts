import { type CommandShape, candidates } from './candidates.ts'
import { linesOf, typedWords } from './typed-words.ts'

/**
 * Returns the output of `bnpl __complete` without loading the whole program, because a shell waits for it at every
 * press of Tab.
 * @param given the words after `bnpl`, as the shell passes them
 * @returns the lines to print; undefined if they contain values of this machine, which only the whole program can read
 */
export function preparedLines(tree: CommandShape, shell: string, given: readonly string[]): string | undefined {
  const { words, hidden } = typedWords(shell, given)
  const chosen = candidates(tree, words)
  return 'found' in chosen ? linesOf(chosen.found, hidden) : undefined
}
