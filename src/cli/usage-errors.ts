import { platform } from 'node:os'
import type { Command, CommanderError } from 'commander'
import { NO_WAY_BACK, TOPIC_NAMES } from '../commands/command.ts'
import type { World } from '../context.ts'
import { type BnplError, usage } from '../errors.ts'
import { ENGLISH } from '../language/language.ts'
import { commandMeant } from '../language/typed-words.ts'
import { optionWords } from '../text/shell-word.ts'
import { didYouMean } from '../text/similar.ts'

/** Whether commander ended because it showed a help text. */
const isHelp = ({ code }: Pick<CommanderError, 'code'>): boolean =>
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
  const other = meantBy(said, named) ?? meantInSpanish(complaint, named, typed)
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
  // PowerShell would not pass an unquoted -- on.
  const dashes = platform() === 'win32' ? '"--"' : '--'
  const afterDashes = `To pass an argument that begins with a dash, write ${dashes} before it. See: ${named} --help`
  if (NEGATIVE.test(unknownOption))
    return `A number or a duration cannot be negative. ${takesArguments ? afterDashes : `See: ${named} --help`}`
  if (takesArguments && !unknownOption.startsWith('--')) return afterDashes
  if (!/key(?!ring)|secret|token|password/i.test(unknownOption)) return undefined
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

const MEANT: Readonly<Record<string, string>> = {
  'bnpl login': 'bnpl profiles add NAME',
  'bnpl auth': 'bnpl profiles add NAME',
  'bnpl configure': 'bnpl profiles add NAME',
  'bnpl config': 'bnpl profiles show',
  'bnpl whoami': 'bnpl profiles show',
  'bnpl status': 'bnpl doctor',
  'bnpl listen': 'bnpl webhooks listen',
  'bnpl trigger': 'bnpl webhooks trigger EVENT --to URL',
  'bnpl events': 'bnpl webhooks events',
  'bnpl logs': 'bnpl sandbox requests',
  'bnpl open': 'bnpl sandbox open',
  'bnpl pay': 'bnpl pay-url',
  'bnpl token': 'bnpl widget-token',
  'bnpl refund': 'bnpl cancel TRX',
  'bnpl exit-code': 'bnpl help exit-codes',
  ...Object.fromEntries(TOPIC_NAMES.map((topic) => [`bnpl ${topic}`, `bnpl help ${topic}`])),
  'bnpl env': 'bnpl help environment',
  'bnpl man': 'bnpl help manual',
  'bnpl version': 'bnpl --version',
  'bnpl webhooks ls': 'bnpl webhooks list',
  'bnpl webhooks create': 'bnpl webhooks add URL',
  'bnpl webhooks delete': 'bnpl webhooks rm ID',
  'bnpl profiles ls': 'bnpl profiles list',
  'bnpl profiles create': 'bnpl profiles add NAME',
  'bnpl profiles delete': 'bnpl profiles rm NAME',
  'bnpl history ls': 'bnpl history list',
  'bnpl history delete': 'bnpl history rm TRX',
  'bnpl leads ls': 'bnpl leads list',
  'bnpl informe link': 'bnpl informe get ID',
  'bnpl sandbox diff': 'bnpl sandbox changes',
  'bnpl sandbox mark': 'bnpl sandbox snapshot save mark',
  'bnpl sandbox snapshot restore': 'bnpl sandbox snapshot load NAME',
}

/** Options of other programs, each with the global option of bnpl that does the same. */
const MEANT_OPTIONS: Readonly<Record<string, string>> = {
  '--format': '--output FORMAT',
  '--account': '--profile NAME',
  '--debug': '--verbose',
  '--silent': '--quiet',
}

export const MEANT_COMMANDS: readonly string[] = [...new Set(Object.values(MEANT))]

const EVALUATION_LINE =
  'Name the evaluation with an option: --rut with the national id, or --lead-id with the id of the lead'
const API_LINE = 'Give the method first: bnpl api GET /path'

/** Options that name an id, the commands that take this id as an argument instead, and the placeholder of the argument. */
const ID_ARGUMENTS: readonly (readonly [option: RegExp, commands: RegExp, placeholder: string])[] = [
  [/^--(trx|external-trx-id)$/, /^bnpl (verify|history (show|get|rm)|sandbox pay)$/, 'TRX'],
  [/^--pre-approve-id$/, /^bnpl (informe (get|show|download|open)|sandbox revise)$/, 'PREAPPROVEID'],
  [/^--lead-id$/, /^bnpl leads (get|show)$/, 'LEADID'],
]

/** Commands of a payment that take no arguments, with the options that they need beside `--trx`. */
const ONLY_OPTIONS: Readonly<Record<string, string>> = {
  'bnpl evaluate': '--rut … --amount N',
  'bnpl select': '--installments N',
  'bnpl widget-token': '--amount N --email …',
  'bnpl pay-url': '--email … --success-url … --error-url …',
}

/** What the command line contains, besides the mistake. */
interface Typed {
  profile?: string | undefined
  /** Whether the texts are in English. */
  inEnglish?: boolean
  /** Whether there are more arguments than the command takes. */
  hasSurplus?: boolean
}

/**
 * Returns a hint for an id that is an option where it should be an argument, or the other way round; undefined for any other mistake.
 * @param complaint commander's message
 * @param known the command line up to the last known word
 */
function idElsewhere(complaint: string, known: string, { profile, hasSurplus }: Typed): string | undefined {
  const account = profile === undefined ? '' : ` ${optionWords('-p', profile)}`
  const option = /^unknown option '(--[\w-]+)/.exec(complaint)?.[1] ?? ''
  const argument = ID_ARGUMENTS.find(([name, commands]) => name.test(option) && commands.test(known))?.[2]
  if (argument !== undefined) return `Write the id as an argument: ${known} ${argument}${account}`
  const needed = Object.hasOwn(ONLY_OPTIONS, known) ? ONLY_OPTIONS[known] : undefined
  if (needed === undefined || !hasSurplus || option !== '') return undefined
  return `Write each value as an option. For the transaction id, use --trx: ${known} --trx TRX ${needed}${account}`
}

/**
 * Returns a hint with the command or the option that the user probably meant; undefined when it is not known.
 * @param complaint commander's message, such as `unknown command 'listen'`, `unknown option '--format'` or `missing required argument 'path'`
 * @param known the command line up to the unknown word, such as `bnpl webhooks`
 */
function meantBy(complaint: string, known: string): string | undefined {
  if (known === 'bnpl evaluations get' && complaint.startsWith('too many arguments')) return EVALUATION_LINE
  if (known === 'bnpl api' && complaint.startsWith('missing required argument')) return API_LINE
  const option = /^unknown option '(--[a-z]+)'/.exec(complaint)?.[1]
  if (option !== undefined) return Object.hasOwn(MEANT_OPTIONS, option) ? `Use: ${MEANT_OPTIONS[option]}` : undefined
  const typed = `${known} ${/^unknown command '([a-z-]+)'/.exec(complaint)?.[1]}`
  return Object.hasOwn(MEANT, typed) ? `Use: ${MEANT[typed]}` : undefined
}

/** Returns a hint in Spanish with the command that a Spanish word stands for; undefined for any other word. */
function meantInSpanish(complaint: string, known: string, { inEnglish = true }: Typed): string | undefined {
  const word = /^unknown command '([^']+)'/.exec(complaint)?.[1]
  const meant = word === undefined ? undefined : commandMeant(known, word)
  if (meant === undefined) return undefined
  return inEnglish ? `Usa: ${meant} (textos en español: BNPL_LANG=es)` : `Use: ${meant}`
}

/**
 * Returns the error for an option that the command does not have, if another option is missing. Commander complains only about the missing
 * option, which is probably the unknown one with a typing mistake. Returns any other error unchanged.
 */
export function misspelt(
  error: Pick<CommanderError, 'code' | 'message'>,
  command: Command,
): Pick<CommanderError, 'code' | 'message'> {
  if (error.code !== 'commander.missingMandatoryOptionValue') return error
  // Commander puts unknown options among the arguments.
  const unknown = command.args.find((word) => /^--\w/.test(word))
  if (unknown === undefined) return error
  const flag = unknown.replace(/=.*$/s, '')
  const known = command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => long ?? [])
  const meant = didYouMean(flag, known).replace(/^\. (.*)$/, ' ($1)')
  return { code: 'commander.unknownOption', message: `error: unknown option '${flag}'${meant}` }
}

interface Missing {
  description: string
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
  const problemOf = await problemsOf(missing.option)
  const message = questionOf((world.io.inLanguage ?? ENGLISH)(missing.description))
  const value = await prompts.input({ message, validate: (text) => problemOf(text) ?? true })
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
    return found && { description: found.description, option: undefined }
  }
  if (code !== 'commander.missingMandatoryOptionValue') return undefined
  const found = command.options.find(({ flags }) => flags === named)
  return found?.long ? { description: found.description, option: found.long } : undefined
}

function questionOf(description: string): string {
  const words = description.replace(/ \([^)]*\)|;.*$/g, '')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

async function problemsOf(option: string | undefined): Promise<(text: string) => string | undefined> {
  const { problemOf, readEmail, readInstallments } = await import('../commands/option-values.ts')
  return (text) => {
    if (text.trim() === '') return 'Type a value, or press Ctrl-C to stop.'
    if (option === '--email') return problemOf(() => readEmail(text, 'this'))
    if (option === '--installments') return problemOf(() => readInstallments(text, 'this'))
    return undefined
  }
}
