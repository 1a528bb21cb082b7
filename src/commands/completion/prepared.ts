import { type CommandShape, candidates } from './candidates.ts'
import { linesOf, typedWords } from './typed-words.ts'

/**
 * Answers `bnpl __complete` from the command tree that the build wrote, for the launcher: a shell waits for it at every press of the key,
 * and the program itself takes longer to load than to answer.
 * @param given the words after `bnpl`, as the shell passes them
 * @returns the lines to print; undefined if the values are on this machine, which the program has to read
 */
export function preparedLines(tree: CommandShape, shell: string, given: readonly string[]): string | undefined {
  const { words, hidden } = typedWords(shell, given)
  const chosen = candidates(tree, words)
  return 'found' in chosen ? linesOf(chosen.found, hidden) : undefined
}
