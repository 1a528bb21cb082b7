import { DESTINATION_LIMIT } from '../../contract/integrations.ts'
import { destinationsAt, idText, isId } from '../../domain/destination.ts'
import { BnplError, tellable } from '../../errors.ts'
import { shellQuoted } from '../../text/shell-word.ts'
import { nextCommand } from '../global-options.ts'
import { idOf, listDestinations } from '../webhooks/destinations.ts'
import { heldAgainst, type Probe, type Seen, type SmokeRun, skippedCheck } from './run.ts'

/** Returns the check that registers a destination and deletes it again. */
export function webhookChecks(run: SmokeRun): Probe[] {
  return [{ name: 'registration', changes: true, look: () => registration(run) }]
}

/** The beginning of the address that is registered in a sandbox. The destination is deleted at once, so nothing is delivered. */
const SANDBOX_URL = 'https://smoke.example/webhooks'

async function registration(run: SmokeRun): Promise<Seen> {
  const { options, isSandbox } = run
  const url = options.webhookUrl ?? (isSandbox ? `${SANDBOX_URL}/${run.externalTrxId}` : undefined)
  if (url === undefined) return skippedCheck('--webhook-url is missing')
  const api = await run.context.api()
  const before = await listDestinations(api)
  if (options.webhookUrl === undefined && before.length >= DESTINATION_LIMIT)
    return skippedCheck(`the account has ${before.length} destinations, so no other can be registered`)
  if (destinationsAt(before, url).length > 0)
    return skippedCheck('this address was already registered, so it was not changed')
  let answered = false
  try {
    const { data } = await api.probe('registerWebhook', { params: {}, body: { url } })
    answered = true
    const made = destinationsAt(await listDestinations(api), url)
    for (const each of made) await api.call('deleteWebhook', { params: { id: idOf(each) }, body: {} })
    if (made.length > 0) return heldAgainst('listWebhooks', made, 'registered, listed, and deleted again')
    await removeMade(run, url, idIn(data))
    return { status: 'fail', detail: 'the registration was accepted, but the destination is not in the list' }
  } catch (error) {
    if (answered || !leavesNothing(error)) await removeMade(run, url)
    throw error
  }
}

/** Whether a failed registration certainly created no destination, because the request was not sent or was refused. */
function leavesNothing(error: unknown): boolean {
  if (!(error instanceof BnplError)) return false
  const { exchange } = error
  return exchange === undefined || exchange.outcome === 'not_sent' || Math.floor(Number(exchange.status) / 100) === 4
}

/** Returns the id in the answer to the registration; undefined if that answer, which the specification does not show, has no id. */
const idIn = (data: unknown): string | undefined =>
  typeof data === 'object' && data !== null && 'id' in data && isId(data.id) ? idText(data.id) : undefined

/** The time limit for removing the destination, in ms. The removal also runs after Ctrl-C. */
const REMOVE_MS = 10_000

/**
 * Removes the destination that the check registered. If this fails, prints the command with which the user can remove
 * the destination. Never throws.
 */
async function removeMade({ context }: SmokeRun, url: string, known?: string): Promise<void> {
  try {
    const { DEFAULT_RETRY } = await import('../../client/retry.ts')
    const api = await context.apiFor({
      signal: AbortSignal.timeout(REMOVE_MS),
      pacing: { ready: () => undefined, pause: () => {} },
      retry: DEFAULT_RETRY,
      onWait: () => {},
      what: 'delete the destination of this check',
    })
    const ids = known === undefined ? destinationsAt(await listDestinations(api), url).map(idOf) : [known]
    for (const id of ids) await api.call('deleteWebhook', { params: { id }, body: {} })
  } catch (error) {
    const command = nextCommand(context, `bnpl webhooks rm --url ${shellQuoted(url)}`)
    const why = error instanceof BnplError ? tellable(error) : `no answer within ${REMOVE_MS / 1000} s`
    context.output.say(
      `The destination ${url} may still be registered (${why}). Remove the destination with: ${command}`,
    )
  }
}
