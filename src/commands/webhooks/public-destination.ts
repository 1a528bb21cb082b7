import type { ApiClient } from '../../client/client.ts'
import type { Context } from '../../context.ts'
import { INTEGRATIONS } from '../../contract/integrations.ts'
import { BnplError, tellable } from '../../errors.ts'
import type { Inbox, OwnDestination } from '../../receiver/inbox.ts'
import { commandLine, shellQuoted } from '../../text/shell-word.ts'
import { destinationsAt, listDestinations, registerOnce } from './destinations.ts'
import type { ListenPlan } from './listen.ts'
import { secretOf } from './secret-kept.ts'

/** The destination that stands for as long as the listener runs. */
export interface PublicDestination {
  /** The secret of the 201; undefined when it showed none, or the destination was there already. */
  secret: string | undefined
  /** Removes it, if it is ours, within `REMOVE_MS`; what cannot be removed is said, with the command that does. Never throws. */
  remove(): Promise<void>
}

/** Milliseconds that the service has for a removal. */
export const REMOVE_MS = 2000

/**
 * Registers the public address, or takes the destination that is there. One that an earlier listener on this inbox left behind (it
 * was killed) is ours; when its secret is not known any more it is made anew, and one at another address is removed.
 */
export async function registerPublic(
  context: Context,
  inbox: Inbox,
  plan: ListenPlan & { publicUrl: string },
  knowsSecret: boolean,
): Promise<PublicDestination> {
  const { publicUrl: url, scheme } = plan
  const api = await context.api()
  const left = await inbox.ownDestination()
  const destinations = await listDestinations(api)
  const [present] = destinationsAt(destinations, url, scheme)
  const own = present !== undefined && present.id === left?.id
  if (left && !own && destinationsAt(destinations, left.url).some(({ id }) => id === left.id)) {
    await remover(context, inbox, api, left)()
  }
  if (present && (knowsSecret || !own)) {
    context.output.note(
      own
        ? 'An earlier listener left this destination behind; it is used, and removed at the end.'
        : 'This address is registered already; that destination is used, and stays at the end.',
    )
    return { secret: undefined, remove: own ? remover(context, inbox, api, { id: present.id, url }) : async () => {} }
  }
  if (present) await api.call('deleteWebhook', { params: { id: present.id }, body: {} })
  const register = () => registerOnce(context, url, scheme, (client) => send(client, plan))
  let { destination, how } = await register()
  if (how === 'found' && !knowsSecret && secretOf(destination) === undefined) {
    // Once: a service whose answers get lost every time is nothing to go on with.
    await discard(context, api, { id: String(destination.id), url })
    destination = (await register()).destination
  }
  try {
    const made = { id: await idOf(api, plan, destination), url }
    await inbox.setOwnDestination(made)
    return { secret: secretOf(destination), remove: remover(context, inbox, api, made) }
  } catch (error) {
    context.output.say(`The destination ${url} is registered. ${removedWith({ id: '', url })}`)
    throw error
  }
}

/** Removes a destination whose secret was in an answer that did not arrive, and is never shown again. */
async function discard(context: Context, api: ApiClient, { id, url }: OwnDestination): Promise<void> {
  context.output.note('It was, and its secret went with the answer that did not arrive: it is registered anew.')
  await api.call('deleteWebhook', { params: { id }, body: {} }).catch((error: unknown) => {
    context.output.say(`The destination ${url} is registered. ${removedWith({ id, url })}`)
    throw error
  })
}

async function send(api: ApiClient, { publicUrl: url, scheme }: ListenPlan & { publicUrl: string }) {
  if (scheme === 'hmac') return (await api.call('registerWebhook', { params: {}, body: { url } })).data
  const eventTypes = [...INTEGRATIONS['real-estate'].events]
  return (await api.call('subscribeWebhook', { params: {}, body: { url, eventTypes } as never })).data
}

/** The body of the 201 is not shown by the specification (gap 6); the list has the id. */
async function idOf(
  api: ApiClient,
  { publicUrl, scheme }: ListenPlan & { publicUrl: string },
  made: Record<string, unknown>,
): Promise<string> {
  if (typeof made.id === 'string') return made.id
  return destinationsAt(await listDestinations(api), publicUrl, scheme).at(-1)?.id ?? ''
}

/** What is to be done by hand. */
export const removedWith = ({ id, url }: OwnDestination): string =>
  `Remove it with: ${id === '' ? `bnpl webhooks rm --url ${shellQuoted(url)}` : commandLine('bnpl webhooks rm', [id])}`

function remover(context: Context, inbox: Inbox, api: ApiClient, own: OwnDestination) {
  const { id, url } = own
  return async (): Promise<void> => {
    const timeout = Promise.withResolvers<'late'>()
    const timer = setTimeout(() => timeout.resolve('late'), REMOVE_MS)
    const removal = api.call('deleteWebhook', { params: { id }, body: {} }).then(
      () => 'removed' as const,
      (error: unknown) => (error instanceof BnplError && error.kind === 'not-found' ? ('removed' as const) : error),
    )
    const outcome = await Promise.race([removal, timeout.promise])
    clearTimeout(timer)
    if (outcome === 'removed') {
      await inbox.setOwnDestination(undefined).catch(() => {})
      context.output.note(`Removed the destination ${url}.`)
      return
    }
    const why = outcome === 'late' ? `no answer within ${REMOVE_MS} ms` : tellable(outcome)
    context.output.say(`The destination ${url} could not be removed: ${why}. ${removedWith(own)}`)
  }
}
