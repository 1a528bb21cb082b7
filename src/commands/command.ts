import type { OptionValues, Command as TypedCommand } from '@commander-js/extra-typings'
import type { Context } from '../context.ts'

/** A command whose arguments and options are typed by the flags they are declared with. */
export type Command<Args extends unknown[] = [], Options extends OptionValues = NoOptions> = TypedCommand<Args, Options>

/** The options of a command that has declared none yet. */
export type NoOptions = Record<never, never>

/** The options that the flags of a command declare, as its handler gets them. `C` is the type that the chain of `.option(…)` returns. */
export type OptionsOf<C> = C extends TypedCommand<infer _, infer Options> ? Options : never

/**
 * Turns a handler into commander's action; `cli.ts` provides it, so that a command never sees a global. The handler gets its world, its
 * options as the flags declare them, and its arguments.
 */
export type Act = <Options extends OptionValues, Args extends unknown[]>(
  handler: (context: Context, options: Options, ...args: Args) => Promise<void>,
) => (...given: [...Args, Options, unknown]) => Promise<void>

/** Adds a command's arguments, options, examples and action (for a noun: its subcommands). */
export type Define = (command: Command, act: Act) => void

/** The part of a command that `examples` needs, whatever the command's type. */
interface Helped {
  addHelpText(where: 'after', text: () => string): unknown
}

/** Adds examples to the end of a help text. Each is a line that says what the command does, and then the command. */
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
 * Collects the values of an option that may be repeated, one for each use. A variadic option would also take the argument after its value.
 */
export const repeatable = (value: string, before: readonly string[] = []): string[] => [...before, value]
