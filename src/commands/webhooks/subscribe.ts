import type { Context } from '../../context.ts'
import { INTEGRATIONS } from '../../contract/integrations.ts'
import { BnplError, usage } from '../../errors.ts'
import { shellQuoted } from '../../text/shell-word.ts'
import { visible } from '../../text/visible.ts'
import { type Command, type Define, examples, type OptionsOf, offer } from '../command.ts'
import { nextCommand } from '../global-options.ts'
import { readIdentifier } from '../option-values.ts'
import { fieldText } from './destination-table.ts'
import { addressAmong, readDestinationUrl } from './destinations.ts'
import { register } from './registration.ts'

const EVENTS: readonly string[] = INTEGRATIONS['real-estate'].events

const addOptions = (command: Command) =>
  command
    .argument('[url]', 'https address that will receive the events')
    .requiredOption('--event <event...>', `events to receive: ${EVENTS.join(', ')}`)
    .option('--filter <key=value...>', 'send this filter as filters[key]=value; for example outcome=approved')
    .option(
      '--filters-json <json>',
      'send the filters in this JSON object, whose values are strings, numbers or booleans',
    )
    .option(
      '--project <id>',
      'receive only events of this project. The project is sent in the field that the profile setting projectField names',
    )
    .option('--if-missing', 'do nothing if the address is already subscribed')
    .option('--save-secret', 'store the secret in the profile and do not show it')

type Options = OptionsOf<ReturnType<typeof addOptions>>

export const define: Define = (command, act) => {
  addOptions(command).action(
    act(async (context, options, text) => {
      const url = await readDestinationUrl(context, await addressAmong(context, text, options.event, options.filter))
      const body = {
        url,
        eventTypes: readEvents(context, options.event),
        ...readFilters(options),
        ...(options.project === undefined
          ? {}
          : {
              [(await context.settings()).service.answers.projectField.text]: readIdentifier(
                '--project',
                options.project,
              ),
            }),
      }
      const send: Parameters<typeof register>[2]['send'] = async (api) =>
        (await api.call('subscribeWebhook', { params: {}, body: body as never })).data
      const destination = await register(context, options, { url, scheme: 'token', send }).catch((error: unknown) =>
        Promise.reject(withCommand(context, error, url)),
      )
      const given = destination.eventTypes
      if (Array.isArray(given) && body.eventTypes.some((event) => !given.includes(event))) {
        context.output.warn(
          `this destination receives only ${visible(fieldText(given))}. Its events cannot be changed. To get other events, run ${nextCommand(context, 'bnpl webhooks rm', [], [`--url ${shellQuoted(url)}`])}, then subscribe again`,
        )
      }
    }),
  )
  offer(command, '--event', EVENTS)
  examples(command, [
    [
      'approved evaluations of one project',
      'bnpl webhooks subscribe https://crm.example/leads --event pre_approve --filter outcome=approved --project P-7',
    ],
    ['both events', 'bnpl webhooks subscribe https://crm.example/leads --event new_lead pre_approve --save-secret'],
  ])
}

function readEvents(context: Context, given: readonly string[]): string[] {
  const events = [...new Set(given.flatMap((each) => each.split(',')))]
  if (events.length === 0) throw usage('--event has no event', `Use one of: ${EVENTS.join(', ')}`, 'INVALID_EVENT')
  const unknown = events.find((event) => !EVENTS.includes(event))
  if (unknown === undefined) return events
  if ((INTEGRATIONS.bnpl.events as readonly string[]).includes(unknown)) {
    throw usage(
      `${unknown} needs no subscription, because every BNPL destination receives it`,
      `Register the destination with: ${nextCommand(context, 'bnpl webhooks add URL')}`,
      'INVALID_EVENT',
    )
  }
  throw usage(`“${unknown}” is not an event`, `Use one of: ${EVENTS.join(', ')}`, 'INVALID_EVENT')
}

function readFilters({ filter, filtersJson }: Options): { filters?: Record<string, string> } {
  if (filter && filtersJson !== undefined)
    throw usage('--filter and --filters-json cannot be used together', 'Use only one of these options.')
  if (filtersJson !== undefined) return { filters: readFiltersJson(filtersJson) }
  if (!filter) return {}
  const filters: Record<string, string> = {}
  for (const each of filter) {
    const at = each.indexOf('=')
    if (at < 1)
      throw usage(`--filter “${each}” has no key`, 'Write the filter as key=value, for example outcome=approved.')
    filters[each.slice(0, at)] = each.slice(at + 1)
  }
  return { filters }
}

function readFiltersJson(text: string): Record<string, string> {
  let value: unknown
  try {
    // The text may come from a file with a byte order mark: "$(cat filters.json)".
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw usage('--filters-json is not JSON', `Write the filters as '{"outcome":"approved"}'.`, 'INVALID_FILTERS')
  }
  if (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((each) => ['string', 'number', 'boolean'].includes(typeof each))
  )
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, String(each)]))
  throw usage(
    '--filters-json must be an object whose values are strings, numbers or booleans',
    `Write the filters as '{"outcome":"approved"}'.`,
    'INVALID_FILTERS',
  )
}

/** Returns the error. If the account may be a BNPL account, the hint of the returned error is the command for BNPL accounts. */
function withCommand(context: Context, error: unknown, url: string): unknown {
  if (!(error instanceof BnplError) || error.advice?.id !== 'register-as-bnpl') return error
  return error.withHint(
    `If this is a BNPL account, register the address with: ${nextCommand(context, 'bnpl webhooks add', [url])}`,
  )
}
