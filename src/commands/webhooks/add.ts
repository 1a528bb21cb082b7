import type { ApiClient } from '../../client/client.ts'
import { registered } from '../../client/registered.ts'
import type { Context } from '../../context.ts'
import { DESTINATION_LIMIT, eventsInWords, INTEGRATIONS, type VerificationScheme } from '../../contract/integrations.ts'
import { destinationsAt, idText, isId, secretOf, withoutSecret } from '../../domain/destination.ts'
import { sandboxTraits } from '../../domain/sandbox-accounts.ts'
import { BnplError, config, usage } from '../../errors.ts'
import { isRecord } from '../../text/json-text.ts'
import { visible } from '../../text/visible.ts'
import { type Command, type Define, examples, type OptionsOf, offer } from '../command.ts'
import { nextCommand, noteOtherRequests } from '../global-options.ts'
import { readIdentifier, refuseChangedValue } from '../option-values.ts'
import {
  addressAmong,
  fieldText,
  type ListedDestination,
  listDestinations,
  readDestinationUrl,
  registerOnce,
  removalOf,
  renderDestination,
  slots,
} from './destinations.ts'

const ALWAYS_SENT = eventsInWords('bnpl')

export const define: Define = (command, act) => {
  command
    .argument('[url]', `https address that will receive ${ALWAYS_SENT}`)
    .option('--if-missing', 'do nothing if the address is already registered')
    .option('--save-secret', 'store the secret in the profile and do not show it')
    .option(
      '--event <event...>',
      `is ignored with a warning, because this registration is always for ${ALWAYS_SENT} (for other events: \`bnpl webhooks subscribe\`)`,
    )
    .option('--filter <key=value...>', 'is ignored with a warning, because this registration has no filters')
    .action(
      act(async (context, options, text) => {
        const url = await readDestinationUrl(context, await addressAmong(context, text, options.event, options.filter))
        const ignored = [options.event && '--event', options.filter && '--filter'].filter(
          (option) => option !== undefined,
        )
        const [one, other] = ignored
        if (one !== undefined) {
          const said = other === undefined ? `${one} is not sent` : `${one} and ${other} are not sent`
          context.output.warn(
            `${said}, because the service ignores events and filters in this registration and reports no error. This destination gets ${ALWAYS_SENT} and nothing else. For ${eventsInWords('real-estate')}, run: ${nextCommand(context, 'bnpl webhooks subscribe', [url], ['--event …'])}`,
          )
        }
        const send: Parameters<typeof register>[2]['send'] = async (api) =>
          (await api.call('registerWebhook', { params: {}, body: { url } })).data
        await register(context, options, { url, scheme: 'hmac', send })
      }),
    )
  examples(command, [
    [
      'in a deployment script that runs often',
      'bnpl webhooks add https://shop.example/webhooks --if-missing --save-secret',
    ],
  ])
}

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

export const defineSubscribe: Define = (command, act) => {
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
          `this destination receives only ${visible(fieldText(given))}. Its events cannot be changed. To get other events, run ${removalOf(context, url)}, then subscribe again`,
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
  if (events.length === 0) throw usage('--event has no event', `Use one of: ${EVENTS.join(', ')}.`, 'INVALID_EVENT')
  const unknown = events.find((event) => !EVENTS.includes(event))
  if (unknown === undefined) return events
  if ((INTEGRATIONS.bnpl.events as readonly string[]).includes(unknown)) {
    throw usage(
      `${unknown} needs no subscription, because every BNPL destination receives it`,
      `Register the destination with: ${nextCommand(context, 'bnpl webhooks add URL')}`,
      'INVALID_EVENT',
    )
  }
  throw usage(`“${unknown}” is not an event`, `Use one of: ${EVENTS.join(', ')}.`, 'INVALID_EVENT')
}

function readFilters({ filter, filtersJson }: Options): { filters?: Record<string, string> } {
  if (filter && filtersJson !== undefined)
    throw usage('--filter and --filters-json cannot be used together', 'Use only one of these options.')
  if (filtersJson !== undefined) return { filters: readFiltersJson(filtersJson) }
  if (!filter) return {}
  const filters: Record<string, string> = {}
  for (const each of filter) {
    const at = each.indexOf('=')
    refuseChangedValue('--filter', each)
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
  if (isRecord(value) && Object.values(value).every((each) => ['string', 'number', 'boolean'].includes(typeof each)))
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

interface RegistrationOptions {
  ifMissing?: boolean
  saveSecret?: boolean
}

/**
 * Registers a destination (or finds it, with `--if-missing`) and prints it. Also prints where the secret is stored,
 * and how many of the ten possible destinations are used.
 */
async function register(
  context: Context,
  options: RegistrationOptions,
  wanted: { url: string; scheme: VerificationScheme; send: (api: ApiClient) => Promise<Record<string, unknown>> },
): Promise<Record<string, unknown>> {
  const { url, scheme } = wanted
  const profile = options.saveSecret ? await keepingProfile(context) : undefined
  noteOtherRequests(context)
  const present = options.ifMissing && !context.options.dryRun ? await findPresent(context, url, scheme) : undefined
  const { destination, how } = present ?? (await registerHere(context, wanted))
  // Handle the secret before the result is written, because the service never shows it again, and stdout may be a pipe
  // that breaks.
  if (how === 'created') {
    await disposeOfSecret(context, destination, profile).catch((error: unknown) => {
      context.output.say(
        `${url} is registered, but its secret was not stored. Register the address again after you have removed the destination with: ${removalOf(context, url)}`,
      )
      throw error
    })
  }
  const shown = profile === undefined ? destination : withoutSecret(destination)
  await context.output.result(shown, () => renderDestination(context, destination))
  if (how === 'found') {
    context.output.note(
      `The address was already registered, so its secret is not shown again. To get a new secret, remove the destination, then register the address again. To remove it, run: ${removalOf(context, url)}`,
    )
  } else await noteList(context, destination, url, scheme)
  return destination
}

/** Registers a destination. If the answer has no id, looks the destination up, because such an answer does not show that it exists. */
async function registerHere(context: Context, { url, scheme, send }: Parameters<typeof register>[2]) {
  const made = await registerOnce(context, url, scheme, send)
  const { destination, lookedUp } = await registered(await context.api(), made.destination, { url, scheme })
  if (lookedUp) context.output.note('The answer to the registration has no id, so the list of destinations was read.')
  return { ...made, destination }
}

async function findPresent(context: Context, url: string, scheme: VerificationScheme) {
  const [destination] = destinationsAt(await listDestinations(await context.api()), url, scheme)
  return destination && { destination, how: 'found' as const }
}

/** Reads the list of destinations, and says how many are used, and whether the address is registered more than once. */
async function noteList(
  context: Context,
  { id }: Record<string, unknown>,
  url: string,
  scheme: VerificationScheme,
): Promise<void> {
  if (context.options.quiet) return
  const api = await context.api()
  const destinations: ListedDestination[] | undefined = await listDestinations(api).catch(() => undefined)
  if (destinations === undefined) return
  context.output.note(`${slots(destinations.length)}.`)
  const times = destinationsAt(destinations, url, scheme).length
  if (times < 2) return
  const remove = isId(id)
    ? `Remove the new registration with: ${nextCommand(context, 'bnpl webhooks rm', [idText(id)])}`
    : `Find the ids with: ${nextCommand(context, 'bnpl webhooks list')}`
  context.output.warn(
    `${url} is registered ${times} times now, and each registration gets its own deliveries, so an event can arrive ${times} times. ${remove}. With --if-missing, an address is not registered again.`,
  )
}

/**
 * Returns the profile that will store the secret. Throws `usage` without a profile, and for the sandbox, which cannot store a
 * secret. Must be called before anything is sent.
 */
async function keepingProfile(context: Context): Promise<string> {
  const { profile } = await context.settings()
  if (profile !== undefined && sandboxTraits(profile.value) === undefined) return profile.value
  throw usage(
    profile === undefined
      ? '--save-secret stores the secret in a profile, but no profile is in use'
      : '--save-secret cannot be used with the sandbox, because no profile of the sandbox can store a secret',
    profile === undefined
      ? 'Name a profile with --profile. Or leave out --save-secret: then the secret is printed.'
      : 'Leave out --save-secret, so that the secret is printed. Or run `bnpl webhooks listen -p sandbox --public-url URL`, which registers the address and needs no stored secret.',
    'NO_PROFILE',
  )
}

/**
 * Adds the secret to the profile. The older secrets stay valid for other destinations and during a rotation. Throws
 * `config` or `output` when the secret cannot be stored.
 */
async function keepSecret(context: Context, profile: string, secret: string): Promise<void> {
  const store = await context.profiles()
  await store.update((file) => {
    const kept = file.profiles[profile]
    if (kept === undefined)
      throw config(`the profile ${profile} no longer exists`, 'List the profiles: bnpl profiles list', 'NO_PROFILE')
    const secrets = [secret, ...(kept.webhookSecrets ?? []).filter((each) => each !== secret)]
    return {
      ...file,
      profiles: { ...file.profiles, [profile]: { ...kept, webhookSecrets: secrets.slice(0, DESTINATION_LIMIT) } },
    }
  })
}

/**
 * Stores the secret of a new destination in the profile, or prints it on stderr, because the service never shows it
 * again.
 * @param profile the profile in which the secret is stored; undefined to print the secret
 */
async function disposeOfSecret(
  context: Context,
  destination: Record<string, unknown>,
  profile: string | undefined,
): Promise<void> {
  const secret = secretOf(destination)
  if (secret === undefined) {
    context.output.warn(
      'the answer contains no secret. Ask the support of the service for the secret, then set BNPL_WEBHOOK_SECRET, or write the secret to a file for --secret-file',
    )
  } else if (profile !== undefined) {
    await keepSecret(context, profile, secret)
    context.output.note(`The secret is stored in profile ${profile}, where bnpl webhooks listen reads it.`)
  } else if (context.output.forPeople) {
    // Print the secret only in output for people. JSON and CSV results already contain it, and a log of stderr must not contain it.
    context.output.say(`Secret (shown only once, so keep it): ${secret}`)
  }
}
