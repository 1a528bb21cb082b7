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

export const MEANT_COMMANDS: readonly string[] = [...new Set(Object.values(MEANT))]

const EVALUATION_LINE =
  'Name the evaluation with an option: --rut with the national id, or --lead-id with the id of the lead'
const API_LINE = 'Give the method first: bnpl api GET /path'

/**
 * Returns a hint with the command that the user probably meant; undefined when no such command is known.
 * @param complaint commander's message: `unknown command 'listen'` or `missing required argument 'path'`
 * @param known the command line up to the unknown word, such as `bnpl webhooks`
 */
export function meantBy(complaint: string, known: string): string | undefined {
  if (known === 'bnpl evaluations get' && complaint.startsWith('too many arguments')) return EVALUATION_LINE
  if (known === 'bnpl api' && complaint.startsWith('missing required argument')) return API_LINE
  const typed = `${known} ${/^unknown command '([a-z]+)'/.exec(complaint)?.[1]}`
  return Object.hasOwn(MEANT, typed) ? `Use: ${MEANT[typed]}` : undefined
}

/** The error for a negative duration of `sandbox clock advance`. Commander reads such a duration as an option. */
export const NO_WAY_BACK = {
  message: "DURATION cannot be negative, because the sandbox's time only moves ahead",
  hint: 'Give a duration such as 11m. To return to an earlier state, load a snapshot: bnpl sandbox snapshot load NAME',
} as const
