import type { OptionValues, Command as TypedCommand } from '@commander-js/extra-typings'
import type { Context } from '../context.ts'

/** A command of commander. The TypeScript types of its arguments and options are derived from the declared flags. */
export type Command<Args extends unknown[] = [], Options extends OptionValues = NoOptions> = TypedCommand<Args, Options>

/** The type of the options of a command that has not declared an option yet. */
export type NoOptions = Record<never, never>

/** The type of the options that a command's handler receives. `C` is the type that the chain of `.option(…)` returns. */
export type OptionsOf<C> = C extends TypedCommand<infer _, infer Options> ? Options : never

/**
 * A function that turns a handler into an action of commander. `cli.ts` provides this function, so that a command needs no global variable.
 * The handler receives the context, the options and the arguments.
 */
export type Act = <Options extends OptionValues, Args extends unknown[]>(
  handler: (context: Context, options: Options, ...args: Args) => Promise<void>,
) => (...given: [...Args, Options, unknown]) => Promise<void>

/** Adds the arguments, options, examples and action to a command, or adds its subcommands. */
export type Define = (command: Command, act: Act) => void

/** The part of a command that `examples` needs, whatever the command's type. */
interface Helped {
  addHelpText(where: 'after', text: () => string): unknown
}

/** Adds examples to the end of a help text. Each example has two parts: what the command does, then the command line. */
export function examples(command: Helped, list: readonly (readonly [what: string, line: string])[]): void {
  command.addHelpText(
    'after',
    () => `\nExamples:\n${list.map(([what, line]) => `  # ${what}\n  $ ${folded(line)}`).join('\n')}\n`,
  )
}

/** Maximum width of an example line after its indent, in columns. */
const EXAMPLE_WIDTH = 76

/** Breaks a long command line for a shell, only before an option, a pipe or a second command, never inside quotes. */
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

/**
 * Adds a value to the earlier values of an option that may be repeated. A variadic option of commander would also take the next argument.
 */
export const repeatable = (value: string, before: readonly string[] = []): string[] => [...before, value]
