import type { Context } from '../context.ts'
import { commandLine } from '../domain/shell-word.ts'

/**
 * A command to run next, under the profile that was named for this one. What came from outside is an operand, or is in the options as `optionWords`
 * gives it; see `commandLine`.
 */
export function nextCommand(
  context: Context,
  words: string,
  operands: readonly string[] = [],
  options: readonly string[] = [],
): string {
  const { profile } = context.options
  return commandLine(words, operands, [...options, ...(profile === undefined ? [] : [`-p ${profile}`])].join(' '))
}
