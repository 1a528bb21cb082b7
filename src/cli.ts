import { Command, CommanderError, Help, Option } from 'commander'
import { extendedIn, HELP_WIDTH, helpIn } from './cli/help-text.ts'
import { type Act, repeatable, TOPIC_NAMES, type Command as TypedCommand } from './commands/command.ts'
import { COMMANDS, HELP_GROUP } from './commands/commands.ts'
import type { Context, GlobalOptions, World } from './context.ts'
import { parseDuration } from './domain/clock.ts'
import { DryRun, failureOf, usage } from './errors.ts'
import { ENGLISH } from './language/language.ts'
import { createStyle, type Io, type OutputFormat } from './terminal/output.ts'
import { say } from './terminal/say.ts'
import { isPowerShell } from './text/shell-word.ts'
import { visible } from './text/visible.ts'
import {
  chooseLanguage,
  languageProblem,
  refuseTypedSecrets,
  refuseWrongFiles,
  wordsOf,
} from './wiring/command-line.ts'
import { createContext } from './wiring.ts'

const HELP_COMMAND = 'help [command]'

/**
 * Runs one command line and returns the exit code. Never throws.
 * @param argv the arguments after the program's name
 */
export async function runCli(argv: readonly string[], world: World): Promise<number> {
  await chooseLanguage(argv, world)
  const { inLanguage = ENGLISH } = world.io
  const help: string[] = []
  const program = createProgram(world, (text) => help.push(text), argv[0])
  try {
    await program.parseAsync(argv.length === 0 ? ['--help'] : argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) return say(error, argv, world)
    if (error.code === 'commander.help' && program.args.includes('help')) return showHelp(program.args, argv, world)
    const { unknown, known, command } = namedBy(program)
    // Help was requested for an unknown command. Run the line again without `--help`, because then commander reports
    // the unknown command and suggests a similar name.
    if (unknown && error.code.startsWith('commander.help'))
      return runCli(
        argv.filter((word) => !HELP_WORDS.includes(word)),
        world,
      )
    // If commander printed no help text, it ended with an error. Do not test commander's exit code instead, because it depends on
    // `process.exitCode` when commander has printed a help text.
    if (help.length === 0) return askAndRun(error, command, argv, world, known)
  }
  try {
    await world.io.out(help.join(''))
    const problem = help.length > 0 ? languageProblem(world) : undefined
    if (problem !== undefined) world.io.err(`! ${inLanguage(visible(problem))}\n`)
    return 0
  } catch (error) {
    return say(error, argv, world)
  }
}

/**
 * Shows the help or the topic that the words after `help` name, and returns the exit code. Commander's own help command cannot show the
 * help of a command that is not loaded, so `help webhooks listen` and `webhooks help listen` become `webhooks listen --help`.
 * @param words the words of the command line, without the options that every command has
 */
async function showHelp(words: readonly string[], argv: readonly string[], world: World): Promise<number> {
  const asked = words.filter((word) => word !== 'help')
  const [topic] = asked.filter((word) => !word.startsWith('-'))
  if (topic !== undefined && TOPIC_NAMES.includes(topic)) return showTopic(topic, argv, world)
  return runCli([...asked, '--help'], world)
}

async function showTopic(topic: string, argv: readonly string[], world: World): Promise<number> {
  try {
    const { TOPICS } = await import('./commands/topics.ts')
    const text = topic === 'manual' ? await manual(world) : TOPICS[topic]?.(world.io.inLanguage ?? ENGLISH)
    await world.io.out(text ?? '')
    return 0
  } catch (error) {
    return say(error, argv, world)
  }
}

/** Returns the manual page in the language of the user. */
async function manual(world: World): Promise<string> {
  const { helpTextsOf, toManual } = await import('./cli/manual.ts')
  const { inLanguage = ENGLISH } = world.io
  const written: string[] = []
  const program = createProgram(world, (text) => written.push(text))
  const texts = await helpTextsOf(
    program,
    () => loadAll(program, world),
    () => written.splice(0).join(''),
  )
  return toManual(texts, world.version, inLanguage)
}

async function askAndRun(
  thrown: CommanderError,
  command: Command,
  argv: readonly string[],
  world: World,
  known: string,
): Promise<number> {
  try {
    const { askedFor, misspelt, usageOf } = await import('./cli/usage-errors.ts')
    const error = misspelt(thrown, command)
    const whole = await askedFor(error, command, argv, world, () => requireService(command, world))
    if (whole !== undefined) return runCli(whole, world)
    const { args, registeredArguments } = command
    const { profile } = command.optsWithGlobals<Partial<GlobalFlags>>()
    const inEnglish = (world.io.inLanguage ?? ENGLISH) === ENGLISH
    const typed = { profile, inEnglish, hasSurplus: args.length > registeredArguments.length }
    return say(usageOf(error, known, registeredArguments.length > 0, typed), argv, world)
  } catch (failure) {
    return say(failure, argv, world)
  }
}

/** Throws `config` if neither the command line, the environment nor a profile names a service. */
async function requireService(command: Command, world: World): Promise<void> {
  const { context } = await contextOf(command, world)
  try {
    const { baseUrl } = await context.settings()
    if (baseUrl === undefined) await context.api()
  } finally {
    await context.close()
  }
}

const HIDDEN = new Set(COMMANDS.filter(({ hidden }) => hidden).map(({ name }) => name))

const HELP_WORDS = ['--help', '-h', 'help']

function namedBy(program: Command): { known: string; unknown: boolean; command: Command } {
  let command = program
  let known = program.name()
  for (const word of program.args) {
    if (command.commands.length === 0) break
    if (word.startsWith('-') || HELP_WORDS.includes(word)) continue
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word))
    if (!next) return { known, unknown: !listTakesArguments(command), command }
    command = next
    known += ` ${word}`
  }
  return { known, unknown: false, command }
}

/** Whether a word that is not a command below `command` is an argument of its default command, as in `bnpl history TRX`. */
function listTakesArguments(command: Command): boolean {
  const { _defaultCommandName: name } = command as { _defaultCommandName?: string | null }
  return command.commands.some((each) => each.name() === name && each.registeredArguments.length > 0)
}

/**
 * Creates the tree of commands. The options of a command are loaded only when that command is run, or by `loadAll`.
 * @param write takes the help texts
 * @param first the first word of the command line. If it names a command, the tree has only this command, which makes the start faster.
 */
export function createProgram(world: World, write: (text: string) => void, first?: string): Command {
  const { inLanguage = ENGLISH } = world.io ?? {}
  // Commander writes its own part of a help text first, in which names of commands must stay as they are, and then the added texts.
  let formatted = ''
  const plain = new Help()
  const formatHelp: Help['formatHelp'] = (command, helper) => {
    const english = plain.formatHelp(command, helper)
    formatted = inLanguage === ENGLISH ? english : helpIn(inLanguage, english, extendedIn(command))
    return formatted
  }
  const program = new Command('bnpl')
    .description(
      'Operate a BNPL integration: evaluate, pay, verify, webhooks, reports, and a sandbox of the whole service.',
    )
    .usage('<command> [options]')
    .version(world.version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .commandsGroup(HELP_GROUP)
    .helpCommand(HELP_COMMAND, 'show help for a command')
    .configureHelp({
      helpWidth: HELP_WIDTH,
      showGlobalOptions: true,
      minWidthToWrap: 20,
      formatHelp,
      optionDescription: (each) => plain.optionDescription(each).replace(/default: "([^"]*)"/, 'default: $1'),
    })
    .configureOutput({
      writeOut: (text) => write(text === formatted ? text : inLanguage(text)),
      writeErr: () => {},
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    .showSuggestionAfterError(true)
  addGlobalFlags(program)
  const named = COMMANDS.filter(({ name, hidden }) => name === first && !hidden)
  for (const { name, summary, group, hidden = false } of named.length > 0 ? named : COMMANDS) {
    const command = new Command(name).description(summary).helpGroup(group).copyInheritedSettings(program)
    program.addCommand(command, { hidden })
  }
  // Each group of commands already has its copy of the help command. Only the program's own help command shows topics.
  program.helpCommand(HELP_COMMAND, `show help for a command, or for a topic: ${TOPIC_NAMES.join(', ')}`)
  program.hook('preSubcommand', async ({ args }, command) => {
    await load(command, world)
    if (!HIDDEN.has(command.name())) return
    // A hidden command completes a command line. It needs the options of the commands in that line, but runs none of these commands.
    const { typedWords } = await import('./commands/completion/candidates.ts')
    const [, shell = '', ...given] = args
    const { words } = typedWords(shell, given)
    for (const each of program.commands) if (each !== command && words.includes(each.name())) await load(each, world)
  })
  program.addHelpText('after', '\nTry it now, without keys and without a network:\n  $ bnpl walkthrough -p sandbox\n')
  return program
}

interface GlobalFlags {
  profile?: string
  output: OutputFormat
  json?: true
  dryRun?: true
  timeout: string
  record?: string
  recordKeep?: string[]
  input: boolean
  yes?: true
  verbose?: true
  quiet?: true
  color: boolean
}

/** Adds the options that every command has. */
function addGlobalFlags(program: Command): void {
  program
    .option('-p, --profile <name>', 'the profile to use; `sandbox` is always available')
    .addOption(
      new Option('-o, --output <format>', 'format of the result')
        .choices(['table', 'json', 'ndjson', 'csv'])
        .default('table'),
    )
    .option('--json', 'short for --output json')
    .option('--dry-run', 'print the request as a curl command and send nothing')
    .option('--timeout <duration>', 'time limit of each call; all attempts of the call share it', '30s')
    .option('--record <file>', 'append every request and answer to this file, without secrets and personal data')
    .addOption(
      new Option(
        '--record-keep <field>',
        'also record this field, which is left out by default because bnpl does not know what it contains; repeatable',
      ).argParser(repeatable),
    )
    .option('--no-input', 'never ask questions')
    .option('-y, --yes', 'answer yes to every confirmation')
    .option('--verbose', 'show requests and answers on stderr, with secrets masked')
    .option('-q, --quiet', 'print no notes on stderr')
    .option('--no-color', 'use no colours')
}

/**
 * Returns the options that every command has, converted to the values that the commands use. Throws `usage` for a time-out that is not a
 * duration.
 * @param isFormGiven whether the command line contains `--output`, even with the default value `table`
 */
function globalOptions(
  flags: GlobalFlags,
  io: Pick<Io, 'stdinIsTty' | 'stderrIsTty'>,
  isFormGiven: boolean,
): GlobalOptions {
  const timeoutMs = parseDuration(flags.timeout)
  if (timeoutMs === undefined || timeoutMs === 0)
    throw usage(
      `--timeout ${flags.timeout} is not a duration above zero`,
      'Write it as 500ms, 30s, 2m or 1h. A number without a unit means seconds.',
    )
  if (flags.record === '') throw usage('--record needs a file', 'Name a file, such as --record day.ndjson.')
  if (flags.recordKeep !== undefined && flags.record === undefined)
    throw usage(
      '--record-keep cannot be used without --record, because nothing is recorded then',
      'Name the file of the recording too, such as --record day.ndjson.',
    )
  return {
    profile: flags.profile,
    output: flags.json ? 'json' : flags.output,
    wantsTable: isFormGiven && !flags.json && flags.output === 'table',
    dryRun: flags.dryRun === true,
    timeoutMs,
    record: flags.record,
    recordKeep: flags.recordKeep ?? [],
    // Look for a terminal only when a command reads `input`, because looking takes as long as running a small command.
    get input() {
      return flags.input && io.stderrIsTty && io.stdinIsTty
    },
    yes: flags.yes === true,
    verbose: flags.verbose === true,
    quiet: flags.quiet === true,
  }
}

/** Loads the options and the action of every command. */
export async function loadAll(program: Command, world: World): Promise<void> {
  for (const command of program.commands) await load(command, world)
}

async function load(command: Command, world: World): Promise<void> {
  const entry = COMMANDS.find(({ name }) => name === command.name())
  if (!entry || command.parent?.parent) return
  const { define } = await entry.load()
  define(command as unknown as TypedCommand, actor(world))
}

function actor(world: World): Act {
  return (handler) =>
    async (...given) => {
      const command = given.at(-1)
      if (!(command instanceof Command)) throw new TypeError('commander gave no command')
      const { context, words } = await contextOf(command, world)
      const failures: unknown[] = []
      try {
        // A line that is being completed is not run, and may contain anything.
        if (!HIDDEN.has(command.name())) refuseTypedSecrets(words, world)
        refuseWrongFiles(command, world)
        const { args, own } = takenApart(given)
        const work = handler(context, own, ...args)
        // The warning comes after the command has begun, because the command chooses the form of its log first.
        const problem = HIDDEN.has(command.name()) ? undefined : languageProblem(world)
        if (problem !== undefined) context.output.warn(problem)
        await shown(context, work)
      } catch (error) {
        failures.push(await advised(error, context.options.profile))
      }
      world.whereabouts.step = 'closing files and connections'
      failures.push(...(await context.close()))
      if (failures.length > 0) throw failureOf(failures)
    }
}

/** Returns the context of a command, and the words in which no secret may be. */
async function contextOf(command: Command, world: World): Promise<{ context: Context; words: readonly string[] }> {
  const flags = command.optsWithGlobals<GlobalFlags & Record<string, unknown>>()
  const options = globalOptions(flags, world.io, command.getOptionValueSourceWithGlobals('output') === 'cli')
  const styles = {
    out: await createStyle(flags.color && world.io.outColor),
    err: await createStyle(flags.color && world.io.errColor),
  }
  world.whereabouts.command = nameOf(command)
  const words = wordsOf(command.args, flags)
  return { context: createContext(world, options, styles, words), words }
}

/** Returns the error with advice for the command line. Returns the error itself if the files of the program were removed meanwhile. */
async function advised(error: unknown, profile: string | undefined): Promise<unknown> {
  const words = await import('./commands/hints.ts').catch(() => undefined)
  return words === undefined ? error : words.inCommandWords(error, profile)
}

/** Commander passes the arguments, the options and the command in one list. Returns the arguments and the options. */
function takenApart<Args extends unknown[], Options>(given: [...Args, Options, unknown]): { args: Args; own: Options } {
  return { args: given.slice(0, -2) as Args, own: given.at(-2) as Options }
}

async function shown({ output, world }: Context, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof DryRun)) throw error
    await output.requests(error.lines)
    if (isPowerShell(world.runtime.platform, world.env))
      output.note('The command is for Git Bash, because PowerShell reads quotes and $BNPL_API_KEY differently.')
  }
}

function nameOf(command: Command): string {
  const above = command.parent
  return above?.parent ? `${nameOf(above)} ${command.name()}` : command.name()
}
