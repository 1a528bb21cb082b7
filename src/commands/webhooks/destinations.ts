import type { ApiClient } from '../../client/client.ts'
import type { Context } from '../../context.ts'
import type { ResponseData } from '../../contract/endpoints.ts'
import { DESTINATION_LIMIT, type VerificationScheme } from '../../contract/integrations.ts'
import { hasHost, isLoopback } from '../../domain/addresses.ts'
import { destinationsAt, idText } from '../../domain/destination.ts'
import { BnplError, usage } from '../../errors.ts'
import { renderFields, renderWithWhole, tableOn } from '../../terminal/table.ts'
import { maskAddress } from '../../text/masking.ts'
import { optionWords } from '../../text/shell-word.ts'
import { nextCommand } from '../global-options.ts'
import { ask } from '../option-values.ts'

export type ListedDestination = ResponseData<'listWebhooks'>[number]

/** Returns the id of a destination as text, because ids may be text or numbers. */
export const idOf = ({ id }: Pick<ListedDestination, 'id'>): string => idText(id)

/**
 * Returns the address of a destination. Throws `usage` unless it is https (specification, "Delivery rules"), or http to
 * this machine with the sandbox.
 */
export async function readDestinationUrl(context: Context, text: string): Promise<string> {
  const refuse = (reason: string, hint?: string) =>
    usage(`“${maskAddress(text)}” cannot be a destination: ${reason}`, hint, 'INVALID_DESTINATION')
  if (/[\u0000-\u0020\u007f]/.test(text)) throw refuse('it contains a space or a control character')
  if (!URL.canParse(text) || !hasHost(text))
    throw refuse('it is not an absolute address', 'Write the whole address, such as https://shop.example/webhooks')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') throw refuse('it must not contain a user name or a password')
  if (url.protocol === 'https:') return text
  if (url.protocol === 'http:' && isLoopback(url.hostname) && (await towardsSandbox(context))) return text
  throw refuse('it must begin with https://', 'Use http://127.0.0.1:… only with the sandbox: -p sandbox')
}

/**
 * Returns the address argument of a command that has options with several values. In `--event new_lead https://…`
 * commander reads the address as a value of the option, so those values are searched too. A missing address is asked
 * for on a terminal. Without a terminal, throws `usage`.
 */
export async function addressAmong(
  context: Context,
  given: string | undefined,
  ...lists: (string[] | undefined)[]
): Promise<string> {
  if (given !== undefined) return given
  for (const list of lists) {
    const at = list?.findIndex((value) => /^https?:\/\//i.test(value)) ?? -1
    if (at >= 0) return String(list?.splice(at, 1)[0])
  }
  if (context.options.input) return ask(context, 'receiver', String)
  throw usage('the address of your receiver is missing', 'Add the address, such as https://shop.example/webhooks')
}

async function towardsSandbox(context: Context): Promise<boolean> {
  const settings = await context.settings()
  if (settings.environment.value === 'sandbox') return true
  const base = settings.baseUrl?.value
  return base !== undefined && isLoopback(new URL(base).hostname)
}

/** Returns the destinations of this account. Throws as `ApiClient.call` does (specification, "Webhook registration"). */
export async function listDestinations(api: ApiClient): Promise<ListedDestination[]> {
  return (await api.call('listWebhooks', { params: {}, body: {} })).data
}

interface Registered {
  destination: Record<string, unknown>
  /** `found` when the destination existed before, or when an attempt without an answer created it. */
  how: 'created' | 'found'
}

/**
 * Registers a destination. After a call without a clear answer, reads the list, and sends the registration again only if the destination
 * is not in the list. So a destination is not created twice, which would use another of the ten places of the account.
 */
export async function registerOnce(
  context: Context,
  url: string,
  scheme: VerificationScheme,
  send: (api: ApiClient) => Promise<Record<string, unknown>>,
): Promise<Registered> {
  const api = await context.api()
  const attempt = async (): Promise<Registered> => ({ destination: await send(api), how: 'created' })
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof BnplError)) throw error
    if (error.code === 'ERR_WEBHOOK_URL_NOT_HTTPS' && URL.canParse(url) && isLoopback(new URL(url).hostname))
      throw error.withHint(HTTP_HINT)
    if (error.kind !== 'outcome-unknown') throw await withSlots(context, api, error)
    context.output.note(`${error.message}; checking whether the destination was registered`)
    const [found] = destinationsAt(await listDestinations(api).catch(() => Promise.reject(error)), url, scheme)
    if (found) return { destination: found, how: 'found' }
    return attempt()
  }
}

const HTTP_HINT =
  'Start the sandbox with: bnpl sandbox start --allow-http — or leave the registration to the listener: bnpl webhooks listen -p sandbox'

async function withSlots(context: Context, api: ApiClient, error: BnplError): Promise<BnplError> {
  const isExplained = error.hint !== undefined && error.advice?.id !== 'check-request-and-key'
  if (error.kind !== 'refused' || isExplained) return error
  const used = (await listDestinations(api).catch(() => [])).length
  if (used < DESTINATION_LIMIT) return error
  return error.withHint(
    `Remove a destination: ${nextCommand(context, 'bnpl webhooks rm ID')} (ids: ${nextCommand(context, 'bnpl webhooks list')}). ${slots(used)}.`,
  )
}

/** Returns the command that removes the destinations at an address. */
export const removalOf = (context: Context, url: string): string =>
  nextCommand(context, 'bnpl webhooks rm', [], [optionWords('--url', url)])

/** Returns text such as `3 of 10 destinations used`. */
export const slots = (used: number): string => `${used} of ${DESTINATION_LIMIT} destinations used`

/** Returns the table of destinations, and how many of the ten possible destinations are used. */
export async function renderDestinations(
  context: Context,
  destinations: readonly ListedDestination[],
): Promise<string> {
  const { style } = context.output
  const used = style.dim(slots(destinations.length))
  if (destinations.length === 0) return `No destinations. ${used}`
  const table = await renderWithWhole(
    destinations,
    [
      { title: 'Id', value: idOf },
      { title: 'Scheme', value: ({ verificationScheme }) => verificationScheme ?? '' },
      { title: 'Events', value: (each) => fieldText(each.eventTypes), shrinks: true },
    ],
    { title: 'Address', value: ({ url }) => url, at: 3 },
    tableOn(context.output),
  )
  return `${table}\n\n${used}`
}

/** Returns one destination as text for people, without its secret. */
export function renderDestination(context: Context, destination: Record<string, unknown>): Promise<string> {
  const shown = [
    ['Id', destination.id],
    ['Address', destination.url],
    ['Scheme', destination.verificationScheme],
    ['Events', destination.eventTypes],
    ['Filters', destination.filters],
    ['Project', destination.projectId],
  ] as const
  return renderFields(
    shown.filter(([, value]) => value !== undefined && value !== null).map(([name, value]) => [name, fieldText(value)]),
    context.output,
  )
}

/** Returns a field's value as text for people. A number that JavaScript cannot represent exactly keeps all its digits. */
export function fieldText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(fieldText).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
