import type { OptionValues, Command as TypedCommand } from '@commander-js/extra-typings'
import type { Context } from '../context.ts'

export type Command<Args extends unknown[] = [], Options extends OptionValues = NoOptions> = TypedCommand<Args, Options>

export type NoOptions = Record<never, never>

/** The type of a command's options. `C` is the type that the chain of `.option(…)` returns. */
export type OptionsOf<C> = C extends TypedCommand<infer _, infer Options> ? Options : never

/**
 * A function that turns a handler into an action of commander. The handler receives the context, the options and the
 * arguments.
 */
export type Act = <Options extends OptionValues, Args extends unknown[]>(
  handler: (context: Context, options: Options, ...args: Args) => Promise<void>,
) => (...given: [...Args, Options, unknown]) => Promise<void>

export type Define = (command: Command, act: Act) => void

/** The help texts that belong to no command, such as `bnpl help environment`. `manual` is the page for `man`. */
export const TOPIC_NAMES: readonly string[] = ['environment', 'exit-codes', 'settings', 'manual']

interface Helped {
  addHelpText(where: 'after', text: () => string): unknown
}

/** Adds examples to the end of a help text. Each has two parts: what the command does, then the command line. */
export function examples(command: Helped, list: readonly (readonly [what: string, line: string])[]): void {
  command.addHelpText(
    'after',
    () => `\nExamples:\n${list.map(([what, line]) => `  # ${what}\n  $ ${folded(line)}`).join('\n')}\n`,
  )
}

const EXAMPLE_WIDTH = 76

function folded(line: string): string {
  const lines: string[] = []
  let current = ''
  for (const piece of line.split(/ (?=-|\||&&)/)) {
    const longer = current === '' ? piece : `${current} ${piece}`
    const quoted = (current.match(/['"]/g)?.length ?? 0) % 2 === 1
    if (current === '' || quoted || longer.length + 2 <= EXAMPLE_WIDTH) current = longer
    else {
      lines.push(`${current} \\`)
      current = `    ${piece}`
    }
  }
  return [...lines, current].join('\n  ')
}

/** Returns an option as it is typed. @param name its name in the parsed options; a name in capitals is an argument */
export const flag = (name: string): string =>
  name === name.toUpperCase() ? name : `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

interface Offering {
  readonly options: readonly { readonly long?: string | undefined }[]
  readonly registeredArguments: readonly { name(): string }[]
}

const OFFERED = new WeakMap<object, readonly string[]>()

/**
 * Sets the words that completion offers for an option or an argument. commander's `choices` is not used where the command itself checks the
 * word, with its own message and hint.
 * @param name an option such as `--scheme`, or the name of an argument
 */
export function offer(command: Offering, name: string, words: readonly string[]): void {
  const taker =
    command.options.find(({ long }) => long === name) ??
    command.registeredArguments.find((argument) => argument.name() === name)
  if (taker === undefined) throw new Error(`the command does not have ${name}`)
  OFFERED.set(taker, words)
}

/** Returns the words that `offer` set for an option or an argument. */
export const offeredFor = (taker: object): readonly string[] | undefined => OFFERED.get(taker)

/**
 * Adds a value to the earlier values of an option that may be repeated. A variadic option is not used, because commander
 * would also take the next argument as a value.
 */
export const repeatable = (value: string, before: readonly string[] = []): string[] => [...before, value]

/** The error for a negative duration of `sandbox clock advance`. Commander reads such a duration as an option. */
export const NO_WAY_BACK = {
  message: "DURATION cannot be negative, because the sandbox's time only moves ahead",
  hint: 'Give a duration such as 11m. To return to an earlier state, load a snapshot: bnpl sandbox snapshot load NAME',
} as const
