import { visible } from '../../text/visible.ts'
import type { Completion } from './candidates.ts'

/**
 * Returns the words of a command line in the form that `candidates` needs.
 * @param shell the shell that split the line: bash, zsh or fish
 * @param given the words after `bnpl`, as the shell passes them
 * @returns `hidden`: the shell keeps this many characters at the beginning of the last word, so they must not be
 * printed again
 */
export function typedWords(shell: string, given: readonly string[]): { words: readonly string[]; hidden: number } {
  return shell === 'bash' ? joinWords(given) : { words: given, hidden: 0 }
}

/**
 * Returns the lines that the completion scripts read.
 * @param hidden how many characters to leave out at the beginning of each value, because the shell keeps them
 */
export function linesOf(found: readonly Completion[], hidden: number): string {
  return found.map((each) => `${line(each, hidden)}\n`).join('')
}

const line = ({ value, about }: Completion, hidden: number) =>
  visible(value.slice(hidden)) + (about === '' ? '' : `\t${visible(about)}`)

/** Returns the words of a line. Joins words that bash split at `=` and `:` (its COMP_WORDBREAKS), for example `--profile = ac`. */
function joinWords(given: readonly string[]): { words: string[]; hidden: number } {
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
