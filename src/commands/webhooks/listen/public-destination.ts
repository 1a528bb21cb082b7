import type { ApiClient } from '../../../client/client.ts'
import type { Context } from '../../../context.ts'
import { INTEGRATIONS, type VerificationScheme } from '../../../contract/integrations.ts'
import { destinationsAt, idText, isId, secretOf } from '../../../domain/destination.ts'
import { SANDBOX } from '../../../domain/sandbox-accounts.ts'
import { BnplError, config, tellable } from '../../../errors.ts'
import type { BugChannel } from '../../../receiver/bug-channel.ts'
import type { Inbox, OwnDestination } from '../../../receiver/inbox.ts'
import type { RotatingSecrets } from '../../../receiver/verification/rotating-secrets.ts'
import { nextCommand } from '../../global-options.ts'
import { historyKey } from '../../history-notes.ts'
import type { Stop } from '../../long-run.ts'
import { idOf, listDestinations, registerOnce, removalOf } from '../destinations.ts'
import { noteSandboxSecret } from '../signature-options.ts'
import type { ListenPlan } from './plan.ts'

export interface PublicDestination {
  /** The secret in the answer to the registration; undefined if the answer had none, or if the destination already existed. */
  secret: string | undefined
  /** Removes the destination if this or an earlier listener created it. If this fails, shows the command that removes it. Never throws. */
  remove(): Promise<void>
}

const REMOVE_MS = 2000

/** What the inbox stores about the destination of the present account, for the next listener if this one is killed. */
interface DestinationNote {
  read(): Promise<OwnDestination | undefined>
  write(destination: OwnDestination | undefined): Promise<void>
}

/** Returns the note of the present account. Listeners of other accounts cannot remove its destination, so they do not see this note. */
async function noteIn(inbox: Inbox, context: Context): Promise<DestinationNote> {
  const account = historyKey(await context.settings())
  return {
    read: () => inbox.ownDestination(account),
    write: (destination) => inbox.setOwnDestination(account, destination),
  }
}

interface GoingPublic {
  inbox: Inbox
  secrets: RotatingSecrets
  stop: Pick<Stop, 'wanted'>
  bugs: Pick<BugChannel, 'mind'>
}

/**
 * Registers the address of `--public-url`, and returns the destination. Returns undefined without the option.
 * If the listener is stopped during the registration, waits up to `REMOVE_MS` for the answer, so that the new destination can be removed.
 * If no answer arrives in this time, throws the error that stopped the listener, or returns undefined if no error stopped it.
 * @throws `config` if no secret is known
 */
export async function goPublic(
  context: Context,
  plan: ListenPlan,
  { inbox, secrets, stop, bugs }: GoingPublic,
): Promise<PublicDestination | undefined> {
  const { publicUrl } = plan
  if (publicUrl === undefined) return undefined
  const registering = registerWithSecret(context, inbox, { ...plan, publicUrl }, secrets)
  const settled = new AbortController()
  const stopped = stop.wanted.then(async (reason) => {
    await context.clock.sleep(REMOVE_MS, settled.signal)
    context.output.say(
      `No answer arrived, but ${publicUrl} may have been registered. ${removedWith(context, { id: '', url: publicUrl })}`,
    )
    if (reason) throw reason
    return undefined
  })
  bugs.mind(registering)
  // After the registration nobody awaits this promise, so ignore its rejection.
  stopped.catch(() => {})
  try {
    return await Promise.race([registering, stopped])
  } finally {
    settled.abort()
  }
}

async function registerWithSecret(
  context: Context,
  inbox: Inbox,
  plan: PublicPlan,
  secrets: RotatingSecrets,
): Promise<PublicDestination> {
  const destination = await registerPublic(context, inbox, plan, secrets.current().length > 0)
  if (destination.secret !== undefined) secrets.learn(destination.secret)
  if (secrets.current().length > 0) return destination
  await destination.remove()
  throw config(
    'no secret is set, and the service sent no secret for this destination; without a secret anybody could send events',
    `Set BNPL_WEBHOOK_SECRET, or give --secret-file or --secret-stdin. If the destination existed before, its secret is not shown again. To get a new secret, remove the destination with ${removalOf(context, plan.publicUrl)}, then start the listener again`,
    'NO_WEBHOOK_SECRET',
  )
}

type PublicPlan = Pick<ListenPlan, 'scheme'> & { publicUrl: string }

/**
 * Registers the address of `--public-url`. If a killed listener left a destination at a different address, this function removes that
 * destination. If a killed listener left a destination at this address, this function deletes that destination and registers the address
 * again, because the service shows a secret only once. But if the service had sent no secret, and a secret is set, this function uses that
 * destination. If somebody else created a destination at this address, this function uses it and never removes it.
 */
async function registerPublic(
  context: Context,
  inbox: Inbox,
  plan: PublicPlan,
  knowsSecret: boolean,
): Promise<PublicDestination> {
  const { publicUrl: url, scheme } = plan
  const api = await context.api()
  const note = await noteIn(inbox, context)
  const left = await note.read()
  const destinations = await listDestinations(api)
  const [present] = destinationsAt(destinations, url, scheme)
  const own = present !== undefined && idOf(present) === left?.id
  if (left && !own && destinationsAt(destinations, left.url).some((each) => idOf(each) === left.id)) {
    await remover(context, note, api, left)()
  }
  if (present && (!own || (knowsSecret && left?.sentSecret === false))) {
    context.output.note(
      own
        ? 'An earlier listener left this destination behind. This listener uses the destination and removes it at the end.'
        : 'This address is already registered. The listener uses that destination and does not remove it at the end.',
    )
    return {
      secret: undefined,
      remove: own ? remover(context, note, api, { id: idOf(present), url }) : async () => {},
    }
  }
  if (present) {
    context.output.note(
      'An earlier listener left this destination behind, and its secret is lost. Registering it again.',
    )
    await api.call('deleteWebhook', { params: { id: idOf(present) }, body: {} })
  }
  const register = () => registerOnce(context, url, scheme, (client) => send(client, plan))
  let { destination, how } = await register()
  if (how === 'found' && !knowsSecret && secretOf(destination) === undefined) {
    await discard(context, api, { id: String(destination.id), url })
    destination = (await register()).destination
  }
  try {
    const secret = secretOf(destination)
    const made = { id: await idOfMade(api, plan, destination), url, sentSecret: secret !== undefined }
    await note.write(made)
    return { secret, remove: remover(context, note, api, made) }
  } catch (error) {
    context.output.say(
      `The destination ${url} is registered, but its id could not be read or stored. ${removedWith(context, { id: '', url })}`,
    )
    throw error
  }
}

/** Deletes a destination whose secret was lost. The service shows a secret only once. */
async function discard(context: Context, api: ApiClient, { id, url }: OwnDestination): Promise<void> {
  context.output.note('The destination was registered, but its secret was lost with the answer. Registering it again.')
  await api.call('deleteWebhook', { params: { id }, body: {} }).catch((error: unknown) => {
    context.output.say(
      `The destination ${url} could not be removed and is still registered. ${removedWith(context, { id, url })}`,
    )
    throw error
  })
}

async function send(api: ApiClient, { publicUrl: url, scheme }: PublicPlan) {
  if (scheme === 'hmac') return (await api.call('registerWebhook', { params: {}, body: { url } })).data
  const eventTypes = [...INTEGRATIONS['real-estate'].events]
  return (await api.call('subscribeWebhook', { params: {}, body: { url, eventTypes } as never })).data
}

/** Returns the new destination's id: from the answer to the registration, or from the list of destinations if the answer has no id. */
async function idOfMade(
  api: ApiClient,
  { publicUrl, scheme }: PublicPlan,
  made: Record<string, unknown>,
): Promise<string> {
  if (isId(made.id)) return idText(made.id)
  const last = destinationsAt(await listDestinations(api), publicUrl, scheme).at(-1)
  if (last !== undefined) return idOf(last)
  if (secretOf(made) !== undefined) return ''
  throw new BnplError(
    'service',
    'the answer to the registration has no id, and the list does not contain the address',
    {
      code: 'UNEXPECTED_ANSWER',
      hint: 'Start the listener again. If the answer is the same, ask the support of the service.',
    },
  )
}

const removedWith = (context: Context, { id, url }: OwnDestination): string =>
  `Remove the destination with: ${id === '' ? removalOf(context, url) : nextCommand(context, 'bnpl webhooks rm', [id])}`

/**
 * Returns a function that removes this listener's destination. If the removal fails, the function prints a
 * `webhooks rm` command for the user.
 */
function remover(context: Context, note: DestinationNote, api: ApiClient, own: OwnDestination) {
  const { id, url } = own
  return async (): Promise<void> => {
    const timeout = Promise.withResolvers<'late'>()
    const timer = setTimeout(() => timeout.resolve('late'), REMOVE_MS)
    const removal = api.call('deleteWebhook', { params: { id }, body: {} }).then(
      () => 'removed' as const,
      (error: unknown) => (error instanceof BnplError && error.kind === 'not-found' ? ('gone' as const) : error),
    )
    const outcome = await Promise.race([removal, timeout.promise])
    clearTimeout(timer)
    if (outcome === 'removed' || outcome === 'gone') {
      await note.write(undefined).catch(() => {})
      // Only probably: if the answer to the first attempt was lost, the second attempt does not find the destination.
      context.output.note(
        outcome === 'removed'
          ? `Removed the destination ${url}.`
          : `The destination ${url} no longer exists. It was probably removed before this listener ended.`,
      )
      return
    }
    const why = outcome === 'late' ? `no answer within ${REMOVE_MS} ms` : tellable(outcome)
    context.output.say(`The destination ${url} could not be removed (${why}). ${removedWith(context, own)}`)
  }
}

/**
 * Registers the listener's own address with the sandbox of this machine, and shows the secret. If an earlier listener
 * of this account left a different destination on this inbox, removes that destination.
 * @param address the listener's own address, such as `http://127.0.0.1:4556/webhooks`
 */
export async function registerInSandbox(
  context: Context,
  address: string,
  { inbox, secrets, scheme }: { inbox: Inbox; secrets: RotatingSecrets; scheme: VerificationScheme },
): Promise<PublicDestination> {
  const [sandbox, api, { apiKey }] = await Promise.all([context.sandbox(), context.api(), context.settings()])
  const note = await noteIn(inbox, context)
  const left = await note.read()
  const own = await sandbox.control('listener', { url: address, apiKey: apiKey?.value })
  if (left && left.id !== own.id) {
    await api.call('deleteWebhook', { params: { id: left.id }, body: {} }).catch((error: unknown) => {
      if (!(error instanceof BnplError)) throw error
    })
  }
  await note.write({ id: own.id, url: address })
  secrets.learn(own.secret)
  context.output.note(`Registered ${address} in the sandbox, until this listener ends.`)
  if (scheme === 'hmac') noteSandboxSecret(context, { values: [own.secret], source: SANDBOX }, scheme)
  else noteToken(context, own.secret)
  return { secret: own.secret, remove: remover(context, note, api, { id: own.id, url: address }) }
}

/** Shows the token of the deliveries. A handler has no use for the token, because the listener does not forward it. */
function noteToken(context: Context, token: string): void {
  const { output } = context
  output.note(`Webhook token: ${token} (the listener verifies deliveries with it, and does not forward it)`)
  output.note(
    `A handler cannot verify these events, because they have no signature. To ask the service about them: ${nextCommand(context, 'bnpl webhooks events confirm')}`,
  )
}
