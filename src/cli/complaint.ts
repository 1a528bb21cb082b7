import type { CommanderError } from 'commander'
import { idElsewhere, meantBy, NO_WAY_BACK, type Typed } from '../commands/other-words.ts'
import { type BnplError, usage } from '../errors.ts'

/** Whether commander ended because it showed a help text. */
export const isHelp = ({ code }: Pick<CommanderError, 'code'>): boolean =>
  code === 'commander.helpDisplayed' || code === 'commander.help'

/**
 * Turns commander's error into a `usage` error. Unexpected words are not repeated, because they may be secrets.
 * @param named the command line up to the last known word, such as `bnpl webhooks`
 * @param takesArguments whether the command takes arguments, which may begin with a dash
 * @param typed what else the command line contains
 */
export function usageOf(
  error: Pick<CommanderError, 'code' | 'message'>,
  named: string,
  takesArguments = false,
  typed: Typed = {},
): BnplError {
  if (isHelp(error)) return usage(`${named}: a command is missing`, `See: ${named} --help`)
  const complaint = error.message.replace(/^error: /, '')
  const meant = /\(Did you mean [^()]*\)/.exec(complaint)?.[0]
  const unknown = /^unknown option '(--[\w-]*|-\w)/.exec(complaint)?.[1]
  if (named === 'bnpl sandbox clock advance' && unknown !== undefined && NEGATIVE.test(unknown))
    return usage(NO_WAY_BACK.message, NO_WAY_BACK.hint, 'INVALID_DURATION')
  const said = unknown === undefined ? withoutValues(complaint) : `unknown option '${unknown}'`
  const use = idElsewhere(said, named, typed)
  const other = meantBy(said, named)
  const hint = use ?? hintFor(unknown, named, takesArguments) ?? other ?? `See: ${named} --help`
  return usage(suggesting(said, (use ?? other) === undefined ? meant : undefined), hint)
}

const NEGATIVE = /^-\d/
/** The commands that have the options `--api-key-stdin` and `--api-key-file`. */
const READS_KEY = /^bnpl profiles (add|set|set-key)$/
/** The commands that sign or verify events, and have the options `--secret-stdin` and `--secret-file`. */
const VERIFIES = /^bnpl webhooks (listen|trigger|test|verify-signature)$/

function hintFor(unknownOption: string | undefined, named: string, takesArguments: boolean): string | undefined {
  if (unknownOption === undefined) return undefined
  const afterDashes = `To pass an argument that begins with a dash, write -- before it. See: ${named} --help`
  if (NEGATIVE.test(unknownOption))
    return `A number or a duration cannot be negative. ${takesArguments ? afterDashes : `See: ${named} --help`}`
  if (takesArguments && !unknownOption.startsWith('--')) return afterDashes
  if (!/key|secret|token|password/i.test(unknownOption)) return undefined
  const noArgument = 'because a secret must not be an argument.'
  if (READS_KEY.test(named)) return `Use --api-key-stdin, --api-key-file or a hidden prompt, ${noArgument}`
  if (named === 'bnpl profiles add-secret') return `Use --secret-stdin, --secret-file or a hidden prompt, ${noArgument}`
  if (VERIFIES.test(named)) return `Use --secret-stdin, --secret-file or BNPL_WEBHOOK_SECRET, ${noArgument}`
  return `Set BNPL_API_KEY or BNPL_WEBHOOK_SECRET to pass a secret, ${noArgument} See: ${named} --help`
}

/**
 * Returns the message with commander's suggestion (`meant`) on the same line, or without a suggestion. If the hint names what was meant,
 * the suggestion is left out, because it could contradict the hint.
 */
function suggesting(said: string, meant: string | undefined): string {
  const plain = said.replace(/\s*\(Did you mean [^()]*\)/, '')
  return meant === undefined ? plain : `${plain} ${meant}`
}

/**
 * Returns commander's message without surplus arguments and unknown words, because they may be secrets. An unknown word is kept if it looks
 * like the name of a command.
 */
function withoutValues(complaint: string): string {
  return complaint
    .replace(/^(too many arguments .*? but got \d+): .*$/s, '$1')
    .replace(/^(unknown (?:option|command)) '(?![A-Za-z-]{1,40}').*$/s, '$1')
}
