import { endpointOf, type KeyedEndpoint, matchEndpoint } from '../../contract/endpoints.ts'
import { environmentOf } from '../../sandbox/addresses.ts'
import type { RequestRow } from '../../sandbox/store/tables.ts'
import { asItIs, commandLine, optionWords, quotedForBash, shellQuoted } from '../../text/shell-word.ts'
import { visible } from '../../text/visible.ts'

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
  cancelLoan: { command: 'cancel', argument: 'externalTrxId' },
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
  addEntity: {
    command: 'entities add',
    options: { externalEntityId: '--external-id', name: '--name', label: '--label', isActive: '--active' },
  },
  listEntities: { command: 'entities list' },
  setEntity: {
    command: 'entities set',
    argument: 'entityId',
    options: { name: '--name', isActive: '--active' },
  },
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
    else if (filter !== undefined && match.name === 'subscribeWebhook')
      words.push('--filter', shellPair(filter, value, shellQuoted))
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

/** Returns a call as a curl command for bash. The key and each masked value become shell variables. */
export function asCurl(
  baseUrl: string,
  { method, path }: Pick<RequestRow, 'method' | 'path'>,
  sent: Record<string, unknown>,
): string {
  const match = matchEndpoint(method, environmentOf(path).inside.split('?')[0] ?? '')
  const words = ['curl', '-sS']
  if (method !== 'GET') words.push('-X', method)
  if (match === undefined || endpointOf(match.name).auth === 'key')
    words.push('-H', '"Authorization: Bearer $BNPL_API_KEY"')
  for (const [name, value] of pairsOf(sent))
    words.push('--data-urlencode', shellPair(formName(name), value, quotedForBash))
  words.push(...asItIs(path), address(`${baseUrl}${path}`))
  return words.join(' ')
}

/** Returns the fields of a form, with lists and records written with brackets. */
function pairsOf(sent: Record<string, unknown>): [name: string, value: string][] {
  return Object.entries(sent).flatMap(([name, value]) => pairsIn(name, value))
}

function pairsIn(name: string, value: unknown): [name: string, value: string][] {
  if (Array.isArray(value)) return value.flatMap((item) => pairsIn(`${name}[]`, item))
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  return Object.entries(value).flatMap(([key, item]) => pairsIn(`${name}[${key}]`, item))
}

/** Encodes the name of a field, because curl encodes only the value. */
const formName = (name: string): string => name.replace(/[^A-Za-z0-9_.[\]-]/gu, encodeURIComponent)

function address(url: string): string {
  return url
    .split(/•+/)
    .map((part) => (part === '' ? '' : quotedForBash(part)))
    .join('"$VALUE"')
}

/** Whether a value was masked. In a command, a masked value becomes a shell variable that the user sets. */
const isMasked = (value: string): boolean => /•{2,}/.test(value)

/** Returns a word for a shell, quoted if necessary. A masked value becomes `"$NAME"`. @param name of the value's field */
function shellWord(value: string, name: string): string {
  if (isMasked(value)) return `"$${variableOf(name)}"`
  return shellQuoted(value)
}

/** Returns the text `name=value` as one word for a shell. */
function shellPair(name: string, value: string, quoted: (text: string) => string): string {
  if (!isMasked(value)) return quoted(`${name}=${value}`)
  return `${quoted(`${name}=`)}"$${variableOf(name)}"`
}

function variableOf(name: string): string {
  const word = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_')
  return word.replace(/^[_\d]+|_+$/g, '').toUpperCase() || 'VALUE'
}
