import { Command, CommanderError, Help, Option } from 'commander'
import type { Act, Command as TypedCommand } from './commands/command.ts'
import { COMMANDS } from './commands/commands.ts'
import { meantBy } from './commands/other-words.ts'
import type { Context, GlobalOptions, World } from './context.ts'
import { parseDuration } from './domain/duration.ts'
import { type BnplError, DryRun, failureOf, usage } from './errors.ts'
import type { OutputFormat } from './terminal/output.ts'
import { say } from './terminal/say.ts'
import { createStyle } from './terminal/style.ts'
import { createContext } from './wiring.ts'

/** Columns of every help text, so that it is the same wherever it is rendered. */
const HELP_WIDTH = 80

/** Runs one command line. @param argv the arguments after the program's name @returns the exit code; never throws */
export async function run(argv: readonly string[], world: World): Promise<number> {
  const help: string[] = []
  const program = createProgram(world, (text) => help.push(text))
  try {
    await program.parseAsync(asTyped(argv), { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) return say(error, argv, world)
    const { unknown, known } = namedBy(program)
    // Help was asked for of what is not there: without that wish, commander says so and what may have been meant.
    if (unknown && isHelp(error))
      return run(
        argv.filter((word) => !HELP_WORDS.includes(word)),
        world,
      )
    if (error.exitCode !== 0) return say(usageOf(error, known), argv, world)
  }
  try {
    await world.io.out(help.join(''))
    return 0
  } catch (error) {
    return say(error, argv, world)
  }
}

/** `bnpl` alone asks for help, and `help verify` is `verify --help`: by its own way commander shows a command that was not loaded. */
function asTyped(argv: readonly string[]): string[] {
  if (argv.length === 0) return ['--help']
  return argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv]
}

const HIDDEN = new Set(COMMANDS.filter(({ hidden }) => hidden).map(({ name }) => name))

const HELP_WORDS = ['--help', '-h', 'help']

const isHelp = ({ code }: CommanderError) => code === 'commander.helpDisplayed' || code === 'commander.help'

/** The command that a command line names, as it is typed, and whether a word that should name one does not. */
function namedBy(program: Command): { known: string; unknown: boolean } {
  let command = program
  let known = program.name()
  for (const word of program.args) {
    if (command.commands.length === 0) break
    if (word.startsWith('-') || HELP_WORDS.includes(word)) continue
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word))
    if (!next) return { known, unknown: true }
    command = next
    known += ` ${word}`
  }
  return { known, unknown: false }
}

/** What an option does; its default stands there as it would be typed, without quotes. */
const optionDescription = (option: Option): string =>
  new Help().optionDescription(option).replace(/default: "([^"]*)"/, 'default: $1')

/**
 * The command tree. A command's options and action are loaded when it is dispatched to (or all at once by `loadAll`).
 * @param write takes the help texts
 */
export function createProgram(world: World, write: (text: string) => void): Command {
  const program = new Command('bnpl')
    .description(
      'Operate a BNPL integration: evaluate, pay, verify, webhooks, reports, and a sandbox of the whole service.',
    )
    .usage('<command> [options]')
    .version(world.version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .configureHelp({ helpWidth: HELP_WIDTH, showGlobalOptions: true, optionDescription })
    .configureOutput({
      writeOut: write,
      writeErr: () => {},
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    .showSuggestionAfterError(true)
  addGlobalOptions(program)
  for (const { name, summary, group, hidden = false } of COMMANDS) {
    const command = new Command(name).description(summary).helpGroup(group).copyInheritedSettings(program)
    program.addCommand(command, { hidden })
  }
  program.hook('preSubcommand', async ({ args }, command) => {
    await load(command, world)
    if (!HIDDEN.has(command.name())) return
    // Completion looks at the options of the command that the words name, without running it.
    for (const each of program.commands) if (each !== command && args.includes(each.name())) await load(each, world)
  })
  program.addHelpText('after', '\nTry it now, without keys and without a network:\n  $ bnpl walkthrough -p sandbox\n')
  return program
}

/** Loads every command's own part, for completion and for tests of the whole tree. */
export async function loadAll(program: Command, world: World): Promise<void> {
  for (const command of program.commands) await load(command, world)
}

async function load(command: Command, world: World): Promise<void> {
  const entry = COMMANDS.find(({ name }) => name === command.name())
  if (!entry || command.parent?.parent) return
  const { define } = await entry.load()
  define(command as unknown as TypedCommand, actor(world))
}

function addGlobalOptions(program: Command): void {
  program
    .option('-p, --profile <name>', 'the profile to use; `sandbox` always works')
    .addOption(
      new Option('-o, --output <format>', 'form of the result')
        .choices(['table', 'json', 'ndjson', 'csv'])
        .default('table'),
    )
    .option('--json', 'short for --output json')
    .option('--dry-run', 'print the request as a curl command and send nothing')
    .option('--timeout <duration>', 'time allowed for a request', '30s')
    .option('--no-input', 'never ask anything')
    .option('-y, --yes', 'agree to what would be asked')
    .option('--verbose', 'show every request on stderr, secrets masked')
    .option('-q, --quiet', 'no notes on stderr')
    .option('--no-color', 'no colours')
}

function actor(world: World): Act {
  return (handler) =>
    async (...given) => {
      const command = given.at(-1) as Command
      const globals = command.optsWithGlobals()
      const options = globalOptions(globals, world)
      const color = globals.color !== false
      const styles = {
        out: await createStyle(color && world.io.outColor),
        err: await createStyle(color && world.io.errColor),
      }
      world.whereabouts.command = nameOf(command)
      const context = createContext(world, options, styles)
      const failures: unknown[] = []
      try {
        await shown(context, handler(context, given.at(-2) as never, ...(given.slice(0, -2) as never)))
      } catch (error) {
        const { inWords } = await import('./commands/advice.ts')
        failures.push(inWords(error))
      }
      world.whereabouts.step = 'closing what it had opened'
      failures.push(...(await context.close()))
      if (failures.length > 0) throw failureOf(failures)
    }
}

/** The command's work; a dry run ends it with the requests as its result. */
async function shown({ output }: Context, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof DryRun)) throw error
    await output.requests(error.lines)
  }
}

/** As it is typed, without the program's name: `webhooks listen`. */
function nameOf(command: Command): string {
  const above = command.parent
  return above?.parent ? `${nameOf(above)} ${command.name()}` : command.name()
}

function globalOptions(given: Record<string, unknown>, { io }: World): GlobalOptions {
  const timeoutMs = parseDuration(String(given.timeout))
  if (timeoutMs === undefined || timeoutMs === 0)
    throw usage(`--timeout ${given.timeout} is not a duration`, 'Write it as 500ms, 30s, 2m or 1h.')
  return {
    profile: given.profile as string | undefined,
    output: given.json ? 'json' : (given.output as OutputFormat),
    dryRun: given.dryRun === true,
    timeoutMs,
    // Found out when it matters: to tell a terminal from another device costs as much as a command.
    get input() {
      return given.input !== false && io.stderrIsTty && io.stdinIsTty
    },
    yes: given.yes === true,
    verbose: given.verbose === true,
    quiet: given.quiet === true,
  }
}

/** Commander's complaint as an error of ours; what was typed after an unknown option may be a secret, so only the option's name is kept. */
function usageOf(error: CommanderError, named: string): BnplError {
  if (isHelp(error)) return usage(`${named}: a command is missing`, `See: ${named} --help`)
  const unknown = /^error: unknown option '(--[\w-]*|-\w)/.exec(error.message)?.[1]
  const said = withoutValues(error.message)
  if (unknown === undefined) return usage(said, meantBy(said, named) ?? `See: ${named} --help`)
  const meant = /\(Did you mean [^()]*\)/.exec(error.message)?.[0]
  return usage(
    `unknown option '${unknown}'${meant === undefined ? '' : ` ${meant}`}`,
    /key|secret|token|password/i.test(unknown)
      ? 'A secret is never an argument: --api-key-stdin, --api-key-file, the environment, or a hidden prompt.'
      : `See: ${named} --help`,
  )
}

/** Commander repeats what it did not expect; a word too many, or one behind a dash that is none (`—api-key=…`), may be a secret. */
function withoutValues(message: string): string {
  return message
    .replace(/^error: /, '')
    .replace(/^(too many arguments .*? but got \d+): .*$/s, '$1')
    .replace(/^(unknown (?:option|command)) '(?![\w-]{1,40}').*$/s, '$1')
}
