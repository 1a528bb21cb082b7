import { optionWords } from '../text/shell-word.ts'

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
export interface Typed {
  profile?: string | undefined
  /** Whether there are more arguments than the command takes. */
  hasSurplus?: boolean
}

/**
 * Returns a hint for an id that is an option where it should be an argument, or the other way round; undefined for any other mistake.
 * @param complaint commander's message
 * @param known the command line up to the last known word
 */
export function idElsewhere(complaint: string, known: string, { profile, hasSurplus }: Typed): string | undefined {
  const account = profile === undefined ? '' : ` ${optionWords('-p', profile)}`
  const option = /^unknown option '(--[\w-]+)/.exec(complaint)?.[1] ?? ''
  const argument = ID_ARGUMENTS.find(([name, commands]) => name.test(option) && commands.test(known))?.[2]
  if (argument !== undefined) return `Write the id as an argument: ${known} ${argument}${account}`
  const needed = Object.hasOwn(ONLY_OPTIONS, known) ? ONLY_OPTIONS[known] : undefined
  if (needed === undefined || !hasSurplus) return undefined
  return `Write each value as an option. For the transaction id, use --trx: ${known} --trx TRX ${needed}${account}`
}

/**
 * Returns a hint with the command or the option that the user probably meant; undefined when it is not known.
 * @param complaint commander's message, such as `unknown command 'listen'`, `unknown option '--format'` or `missing required argument 'path'`
 * @param known the command line up to the unknown word, such as `bnpl webhooks`
 */
export function meantBy(complaint: string, known: string): string | undefined {
  if (known === 'bnpl evaluations get' && complaint.startsWith('too many arguments')) return EVALUATION_LINE
  if (known === 'bnpl api' && complaint.startsWith('missing required argument')) return API_LINE
  const option = /^unknown option '(--[a-z]+)'/.exec(complaint)?.[1]
  if (option !== undefined) return Object.hasOwn(MEANT_OPTIONS, option) ? `Use: ${MEANT_OPTIONS[option]}` : undefined
  const typed = `${known} ${/^unknown command '([a-z]+)'/.exec(complaint)?.[1]}`
  return Object.hasOwn(MEANT, typed) ? `Use: ${MEANT[typed]}` : undefined
}

/** The error for a negative duration of `sandbox clock advance`. Commander reads such a duration as an option. */
export const NO_WAY_BACK = {
  message: "DURATION cannot be negative, because the sandbox's time only moves ahead",
  hint: 'Give a duration such as 11m. To return to an earlier state, load a snapshot: bnpl sandbox snapshot load NAME',
} as const
