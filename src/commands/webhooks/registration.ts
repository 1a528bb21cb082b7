import type { ApiClient } from '../../client/client.ts'
import type { Context } from '../../context.ts'
import { DESTINATION_LIMIT, type VerificationScheme } from '../../contract/integrations.ts'
import { destinationsAt, idText, isId, secretOf, withoutSecret } from '../../domain/destination.ts'
import { sandboxTraits } from '../../domain/sandbox-accounts.ts'
import { config, usage } from '../../errors.ts'
import { shellQuoted } from '../../text/shell-word.ts'
import { nextCommand } from '../global-options.ts'
import { renderDestination } from './destination-table.ts'
import { type ListedDestination, listDestinations, registerOnce, slots } from './destinations.ts'

interface RegistrationOptions {
  ifMissing?: boolean
  saveSecret?: boolean
}

/**
 * Registers a destination (or finds it, with `--if-missing`) and prints it. Also prints where the secret is stored,
 * and how many of the ten possible destinations are used.
 */
export async function register(
  context: Context,
  options: RegistrationOptions,
  wanted: { url: string; scheme: VerificationScheme; send: (api: ApiClient) => Promise<Record<string, unknown>> },
): Promise<Record<string, unknown>> {
  const { url, scheme } = wanted
  const profile = options.saveSecret ? await keepingProfile(context) : undefined
  const present = options.ifMissing && !context.options.dryRun ? await findPresent(context, url, scheme) : undefined
  const { destination, how } = present ?? (await registerHere(context, wanted))
  // Handle the secret before the result is written, because the service never shows it again, and stdout may be a pipe
  // that breaks.
  if (how === 'created') {
    await disposeOfSecret(context, destination, profile).catch((error: unknown) => {
      context.output.say(
        `${url} is registered, but its secret was not stored. Register the address again after you have removed the destination with: ${nextCommand(context, 'bnpl webhooks rm', [], [`--url ${shellQuoted(url)}`])}`,
      )
      throw error
    })
  }
  const shown = profile === undefined ? destination : withoutSecret(destination)
  await context.output.result(shown, () => renderDestination(context, destination))
  if (how === 'found') {
    const remove = nextCommand(context, 'bnpl webhooks rm', [], [`--url ${shellQuoted(url)}`])
    context.output.note(
      `The address was already registered, so its secret is not shown again. To get a new secret, remove the destination, then register the address again. To remove it, run: ${remove}`,
    )
  } else await noteList(context, destination, url, scheme)
  return destination
}

/** Registers a destination. If the answer has no id, looks the destination up, because such an answer does not show that it exists. */
async function registerHere(context: Context, { url, scheme, send }: Parameters<typeof register>[2]) {
  const made = await registerOnce(context, url, scheme, send)
  const { registered } = await import('../../client/registered.ts')
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
