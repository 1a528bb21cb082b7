import type { Command, CommanderError } from 'commander'
import type { World } from '../context.ts'
import { BnplError } from '../errors.ts'

interface Missing {
  message: string
  option: string | undefined
}

/**
 * Asks at the terminal for the value that a command line lacks, until the value is valid. Returns the whole command
 * line; undefined if no question can be asked, or if the error is not about a missing value. Throws `Interrupted` on
 * Ctrl-C.
 * @param requireService throws `config` if no service is configured. Called before a question whose answer is for the service
 */
export async function askedFor(
  error: Pick<CommanderError, 'code' | 'message'>,
  command: Command,
  argv: readonly string[],
  world: World,
  requireService: () => Promise<void>,
): Promise<string[] | undefined> {
  const missing = missingOf(error, command)
  const { input = true } = command.optsWithGlobals<{ input?: boolean }>()
  if (missing === undefined || !input || !world.io.stdinIsTty || !world.io.stderrIsTty) return undefined
  if (callsService(command)) await requireService()
  const { createPrompts } = await import('../terminal/prompts.ts')
  const prompts = await createPrompts(world.io, true, world.signal)
  const check = await checkOf(missing.option)
  const value = await prompts.input({ message: missing.message, validate: (text) => problemOf(text, check) ?? true })
  const end = argv.indexOf('--')
  const own = end === -1 ? [...argv] : argv.slice(0, end)
  const operands = end === -1 ? [] : argv.slice(end + 1)
  if (missing.option !== undefined)
    return [...own, `${missing.option}=${value}`, ...(end === -1 ? [] : argv.slice(end))]
  return end === -1 && !value.startsWith('-') ? [...own, value] : [...own, '--', ...operands, value]
}

/** The commands that call the service with the values that `askedFor` asks for. `informe get` and `leads get` are named by their group. */
const CALLS_SERVICE = ['select', 'widget-token', 'informe', 'leads', 'api', 'subscribe']

const callsService = (command: Command): boolean =>
  CALLS_SERVICE.includes(command.name()) || (command.parent !== null && callsService(command.parent))

function missingOf({ code, message }: Pick<CommanderError, 'code' | 'message'>, command: Command): Missing | undefined {
  const named = /'([^']+)'/.exec(message)?.[1]
  if (code === 'commander.missingArgument') {
    const found = command.registeredArguments.find((each) => each.name() === named)
    return found && { message: questionOf(found.description), option: undefined }
  }
  if (code !== 'commander.missingMandatoryOptionValue') return undefined
  const found = command.options.find(({ flags }) => flags === named)
  return found?.long ? { message: questionOf(found.description), option: found.long } : undefined
}

function questionOf(description: string): string {
  const words = description.replace(/ \([^)]*\)|;.*$/g, '')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

async function checkOf(option: string | undefined): Promise<(text: string) => unknown> {
  const { readEmail, readInstallments } = await import('../commands/option-values.ts')
  switch (option) {
    case '--email':
      return (text) => readEmail(text, 'this')
    case '--installments':
      return (text) => readInstallments(text, 'this')
    default:
      return () => {}
  }
}

function problemOf(text: string, check: (text: string) => unknown): string | undefined {
  if (text.trim() === '') return 'Type a value, or press Ctrl-C to stop.'
  try {
    check(text)
    return undefined
  } catch (error) {
    const words = error instanceof BnplError ? error.message : 'this value is not valid'
    return words.charAt(0).toUpperCase() + words.slice(1)
  }
}
