import type { Client } from '../../client/client.ts'
import type { Context } from '../../context.ts'
import { INTEGRATIONS } from '../../contract/integrations.ts'
import { BnplError, tellable } from '../../errors.ts'
import type { Inbox } from '../../receiver/inbox.ts'
import { destinationsAt, listDestinations, type Registered, registerOnce } from './destinations.ts'
import type { ListenPlan } from './listen.ts'
import { secretOf } from './secret-kept.ts'

/** The destination that stands for as long as the listener runs. */
export interface PublicDestination {
  /** The secret of the 201; undefined when it showed none, or the destination was there already. */
  secret: string | undefined
  /** Removes it, if it is ours, within `ms`; what cannot be removed is said, with the command that does. Never throws. */
  remove(ms: number): Promise<void>
}

/**
 * Registers the public address, or takes the destination that is there. One that an earlier listener on this inbox left behind (it
 * was killed) is ours; when its secret is not known any more it is made anew.
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
  const [present] = destinationsAt(await listDestinations(api), url, scheme)
  if (present && (knowsSecret || present.id !== left?.id)) {
    const own = present.id === left?.id
    context.output.note(
      own
        ? 'An earlier listener left this destination behind; it is used, and removed at the end.'
        : 'This address is registered already; that destination is used, and stays at the end.',
    )
    return { secret: undefined, remove: own ? remover(context, inbox, api, { id: present.id, url }) : async () => {} }
  }
  if (present) await api.call('deleteWebhook', { params: { id: present.id }, body: {} })
  const registered: Registered = await registerOnce(context, url, scheme, (client) => send(client, plan))
  const id = typeof registered.destination.id === 'string' ? registered.destination.id : await idOf(api, plan)
  const own = { id, url }
  await inbox.setOwnDestination(own)
  return { secret: secretOf(registered.destination), remove: remover(context, inbox, api, own) }
}

async function send(api: Client, { publicUrl: url, scheme }: ListenPlan & { publicUrl: string }) {
  if (scheme === 'hmac') return (await api.call('registerWebhook', { params: {}, body: { url } })).data
  const eventTypes = [...INTEGRATIONS['real-estate'].events]
  return (await api.call('subscribeWebhook', { params: {}, body: { url, eventTypes } as never })).data
}

/** The body of the 201 is not shown by the specification (gap 6); the list has the id. */
async function idOf(api: Client, { publicUrl, scheme }: ListenPlan & { publicUrl: string }): Promise<string> {
  const found = destinationsAt(await listDestinations(api), publicUrl, scheme).at(-1)
  return found?.id ?? ''
}

function remover(context: Context, inbox: Inbox, api: Client, { id, url }: { id: string; url: string }) {
  return async (ms: number): Promise<void> => {
    const timeout = Promise.withResolvers<'late'>()
    const timer = setTimeout(() => timeout.resolve('late'), ms)
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
    const why = outcome === 'late' ? `no answer within ${ms} ms` : tellable(outcome)
    context.output.say(`The destination ${url} could not be removed: ${why}. Remove it with: bnpl webhooks rm ${id}`)
  }
}
