import type { ApiClient } from '../../client/client.ts'
import type { Context } from '../../context.ts'
import type { VerificationScheme } from '../../contract/integrations.ts'
import { destinationsAt, idText, isId, withoutSecret } from '../../domain/destination.ts'
import { shellQuoted } from '../../text/shell-word.ts'
import { nextCommand } from '../global-options.ts'
import { renderDestination } from './destination-table.ts'
import { type ListedDestination, listDestinations, registerOnce, slots } from './destinations.ts'
import { disposeOfSecret, keepingProfile } from './secret-kept.ts'

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
