import type { ApiClient } from '../../client/client.ts'
import type { Context } from '../../context.ts'
import type { VerificationScheme } from '../../contract/integrations.ts'
import { shellQuoted } from '../../text/shell-word.ts'
import { renderDestination } from './destination-table.ts'
import { type Destination, destinationsAt, listDestinations, registerOnce, slots } from './destinations.ts'
import { disposeOfSecret, keepingProfile, withoutSecret } from './secret-kept.ts'

export interface RegistrationOptions {
  ifMissing?: boolean
  saveSecret?: boolean
}

/**
 * Registers a destination (or finds it, with `--if-missing`), writes it as the result, and says what becomes of its secret and of the
 * slots.
 */
export async function register(
  context: Context,
  options: RegistrationOptions,
  wanted: { url: string; scheme: VerificationScheme; send: (api: ApiClient) => Promise<Record<string, unknown>> },
): Promise<Record<string, unknown>> {
  const { url, scheme, send } = wanted
  const profile = options.saveSecret ? await keepingProfile(context) : undefined
  const present = options.ifMissing && !context.options.dryRun ? await findPresent(context, url, scheme) : undefined
  const { destination, how } = present ?? (await registerOnce(context, url, scheme, send))
  // The secret first: it is never shown again, and stdout may be a pipe that breaks.
  if (how === 'created') {
    await disposeOfSecret(context, destination, profile).catch((error: unknown) => {
      context.output.say(
        `${url} is registered, but its secret was not kept. Remove it, then register it again: bnpl webhooks rm --url ${shellQuoted(url)}`,
      )
      throw error
    })
  }
  const shown = profile === undefined ? destination : withoutSecret(destination)
  await context.output.result(shown, () => renderDestination(context, destination))
  if (how === 'found') {
    context.output.note(
      'It was registered already; its secret is not shown again. For a new one: bnpl webhooks rm, then register again.',
    )
  } else await noteSlots(context)
  return destination
}

async function findPresent(context: Context, url: string, scheme: VerificationScheme) {
  const [destination] = destinationsAt(await listDestinations(await context.api()), url, scheme)
  return destination && { destination: destination as Record<string, unknown>, how: 'found' as const }
}

/** The destination exists; a count that cannot be had is no reason to say otherwise. */
async function noteSlots(context: Context): Promise<void> {
  if (context.options.quiet) return
  const api = await context.api()
  const destinations: Destination[] | undefined = await listDestinations(api).catch(() => undefined)
  if (destinations) context.output.note(`${slots(destinations.length)}.`)
}
