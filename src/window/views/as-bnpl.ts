import { type KeyedEndpoint, matchEndpoint } from '../../contract/endpoints.ts'
import { environmentOf } from '../../sandbox/addresses.ts'
import type { RequestRow } from '../../sandbox/store/tables.ts'
import { commandLine, optionWords } from '../../text/shell-word.ts'
import { visible } from '../../text/visible.ts'
import { isMasked, pairsOf, shellPair, shellWord } from './as-curl.ts'

/**
 * `argument` is the field of the request that becomes the argument of the command. `options` maps other fields to options. A field without
 * an option is left out, such as `entityId`, which the profile contains.
 */
interface Command {
  command: string
  argument?: string
  options?: Readonly<Record<string, string>>
}

const COMMANDS: Readonly<Record<KeyedEndpoint, Command>> = {
  evaluate: { command: 'evaluate', options: { idNumber: '--rut', amount: '--amount', externalTrxId: '--trx' } },
  select: {
    command: 'select',
    options: {
      installmentOption: '--installments',
      preApproveId: '--pre-approve-id',
      externalTrxId: '--trx',
      amount: '--amount',
    },
  },
  startWidget: { command: 'widget-token', options: { email: '--email', amount: '--amount', externalTrxId: '--trx' } },
  verifyLoan: { command: 'verify', argument: 'externalTrxId' },
  registerWebhook: { command: 'webhooks add', argument: 'url' },
  subscribeWebhook: {
    command: 'webhooks subscribe',
    argument: 'url',
    options: { 'eventTypes[]': '--event', filters: '--filters-json' },
  },
  listWebhooks: { command: 'webhooks list' },
  deleteWebhook: { command: 'webhooks rm', argument: 'id' },
  getInforme: { command: 'informe get', argument: 'preApproveId' },
  evaluationByRut: { command: 'evaluations get', options: { rut: '--rut' } },
  evaluationByLead: { command: 'evaluations get', options: { leadId: '--lead-id' } },
  listLeads: { command: 'leads list' },
  getLead: { command: 'leads get', argument: 'leadId' },
}

/** Fields that the command takes from the profile, or that the service ignores. */
const FROM_THE_PROFILE: readonly string[] = ['entityId']

/**
 * Returns the bnpl command that makes a request; null if there is none. Fields that the command cannot send are named in a comment.
 * @param profile the profile of the caller's account
 */
export function asBnpl(
  { method, path }: Pick<RequestRow, 'method' | 'path'>,
  sent: Record<string, unknown>,
  profile: string,
): string | null {
  const match = matchEndpoint(method, environmentOf(path).inside.split('?')[0] ?? '')
  // There is no command for the link of a report, because the link contains its own key, which is not stored.
  if (match === undefined || match.name === 'openInforme') return null
  const { command, argument, options = {} } = COMMANDS[match.name]
  let operand: string | undefined
  const words: string[] = []
  const unknown: string[] = []
  for (const [name, value] of [...Object.entries(match.params), ...pairsOf(sent).flatMap(eachEvent)]) {
    const option = options[name]
    const filter = /^filters\[(.+)\]$/.exec(name)?.[1]
    if (name === argument) operand = value
    else if (option !== undefined)
      words.push(isMasked(value) ? `${option} ${shellWord(value, name)}` : optionWords(option, value))
    else if (filter !== undefined && match.name === 'subscribeWebhook') words.push('--filter', shellPair(filter, value))
    else if (!FROM_THE_PROFILE.includes(name)) unknown.push(name)
  }
  const given = [...words, '-p', profile].join(' ')
  const left = unknown.length === 0 ? '' : ` # without ${visible(unknown.join(', '))}`
  // A masked operand becomes `"$NAME"`. `commandLine` would put it in single quotes, in which a shell replaces no variables.
  const line =
    operand !== undefined && isMasked(operand)
      ? `bnpl ${command} ${shellWord(operand, argument ?? '')} ${given}`
      : commandLine(`bnpl ${command}`, operand === undefined ? [] : [operand], given)
  return line + left
}

/**
 * Splits a field with a list of event types into one field for each event type. Returns any other field as it is. The name of the field
 * with the list has several spellings (gap 27).
 */
function eachEvent([name, value]: [string, string]): [string, string][] {
  if (!/^eventTypes(\[\d*\])?$/.test(name)) return [[name, value]]
  return value.split(',').map((event) => ['eventTypes[]', event.trim()])
}
