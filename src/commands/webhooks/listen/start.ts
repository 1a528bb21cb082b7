import { randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { config, usage } from '../../../errors.ts'
import type { FaultChannel } from '../../../receiver/fault-channel.ts'
import type { Inbox } from '../../../receiver/inbox.ts'
import type { Receiver, ReceiverOptions } from '../../../receiver/receiver.ts'
import type { RotatingSecrets } from '../../../receiver/verification/rotating-secrets.ts'
import { toJson } from '../../../terminal/json.ts'
import { shellQuoted } from '../../../text/shell-word.ts'
import { prepareReadyFile } from '../../ready-file.ts'
import { openDatabaseInbox } from '../open-inbox.ts'
import { signatureSettings } from '../signature-options.ts'
import { bindFailure, forwardOptions, ownHosts, shownAddress } from './forwarding.ts'
import { startHealth } from './health.ts'
import type { ListenPlan } from './listen.ts'
import { type PublicDestination, REMOVE_MS, registerPublic, removedWith } from './public-destination.ts'
import { listenSecrets } from './secrets.ts'
import { type Stop, takeStop } from './stop-signal.ts'
import { createView, type View } from './view/view.ts'

/** Milliseconds for everything at the end: removing the destination, then draining. */
const END_MS = 4500
const DRAIN_MS = 3000

/**
 * Receives until it is stopped. Order at the start: inbox, port, registration, a test delivery of its own, ready. At the end: the
 * destination is removed first, so that no more comes, then what is under way is finished.
 */
export async function listen(context: Context, plan: ListenPlan): Promise<void> {
  await context.untraced()
  const { faultChannel } = await import('../../../receiver/fault-channel.ts')
  const faults = faultChannel()
  try {
    await receive(context, plan, faults)
  } finally {
    faults.rethrow()
  }
}

async function receive(context: Context, plan: ListenPlan, faults: FaultChannel): Promise<void> {
  const stop = takeStop(context.world)
  context.onClose(async () => stop.release())
  const { world, output } = context
  const readyFile =
    plan.readyFile === undefined ? undefined : await prepareReadyFile(world.cwd, plan.readyFile, world.isAlive)
  const secrets = await listenSecrets(context, plan, faults.report)
  context.onClose(async () => secrets.stop())
  const { watchedInbox } = await import('../../../receiver/fault-channel.ts')
  const opened = (await openDatabaseInbox(context, plan.database)) ?? (await openFileInbox(context))
  const inbox = watchedInbox(opened, faults.report)
  refuseShared(inbox, plan)
  await inbox.claim({ pid: world.pid, address: plan.port === 0 ? '' : `${plan.host}:${plan.port}` })
  await readyFile?.clear()

  const health = await startHealth(context, plan, inbox, faults.report)
  const seen = await createView(context, plan, stop, inbox)
  const view = health ? health.watch(seen) : seen
  const options = await receiverOptions(context, plan, { inbox, secrets, view, faults })
  const { startReceiver } = await import('../../../receiver/receiver.ts')
  const receiver = await startReceiver(options).catch((error: unknown) => Promise.reject(bindFailure(error, plan)))
  const address = shownAddress(plan, receiver.port)
  let destination: PublicDestination | undefined
  let reason: Error | undefined
  try {
    destination = await unlessStopped(context, plan, { stop, faults }, goPublic(context, plan, inbox, secrets))
    const { selfTest } = await import('../../../receiver/self-test.ts')
    await selfTest({ ...options, port: receiver.port, id: options.selfTestId })
    health?.opened()
    const watched = health && { metricsUrl: `${health.url}/metrics` }
    await readyFile?.write(`${toJson({ url: address, scheme: plan.scheme, pid: world.pid, ...watched })}\n`)
    await view.ready(address)
    if (watched) output.note(`Metrics are on ${watched.metricsUrl}, readiness beside them on /readyz.`)
    reason = await Promise.race([stop.wanted, faults.raised])
  } finally {
    health?.ending()
    try {
      await end(context, { view, stop, destination, receiver })
    } finally {
      await readyFile?.remove()
    }
  }
  if (reason) throw reason
}

/** The end of one receiver must not take the address from the others. */
function refuseShared({ shared }: Inbox, { publicUrl }: ListenPlan): void {
  if (!shared || publicUrl === undefined) return
  throw usage(
    '--public-url registers an address for as long as one receiver runs, and several may share this inbox',
    `Register it once, for all of them: bnpl webhooks add ${shellQuoted(publicUrl)} --save-secret`,
    'PUBLIC_URL_SHARED',
  )
}

async function openFileInbox(context: Context): Promise<Inbox> {
  const { openInboxThread } = await import('../../../receiver/file/receiving-inbox.ts')
  const inbox = await openInboxThread(context.world.stateDir, context.output.warn)
  context.onClose(() => inbox.close())
  return inbox
}

async function goPublic(
  context: Context,
  plan: ListenPlan,
  inbox: Inbox,
  secrets: RotatingSecrets,
): Promise<PublicDestination | undefined> {
  const { publicUrl } = plan
  if (publicUrl === undefined) return undefined
  const destination = await registerPublic(context, inbox, { ...plan, publicUrl }, secrets.current().length > 0)
  if (destination.secret !== undefined) secrets.learn(destination.secret)
  if (secrets.current().length > 0) return destination
  await destination.remove()
  throw config(
    'the registration showed no secret, none is set, and without one anybody could send events',
    'Set BNPL_WEBHOOK_SECRET, or give --secret-file or --secret-stdin. A destination that was there already shows it no more: bnpl webhooks rm --url URL',
    'NO_WEBHOOK_SECRET',
  )
}

/** What a registration comes to. One under way when the listener is to end has `REMOVE_MS` more, so that it can be removed. */
async function unlessStopped(
  { clock, output }: Context,
  { publicUrl }: ListenPlan,
  { stop, faults }: { stop: Stop; faults: FaultChannel },
  registering: Promise<PublicDestination | undefined>,
): Promise<PublicDestination | undefined> {
  const settled = new AbortController()
  const stopped = stop.wanted.then(async (reason) => {
    await clock.sleep(REMOVE_MS, settled.signal)
    output.say(
      `It is not known whether ${publicUrl} was registered: no answer came. ${removedWith({ id: '', url: publicUrl ?? '' })}`,
    )
    if (reason) throw reason
    return undefined
  })
  faults.mind(registering)
  // Its wait is cut when the registration is settled.
  stopped.catch(() => {})
  try {
    return await Promise.race([registering, stopped])
  } finally {
    settled.abort()
  }
}

async function receiverOptions(
  context: Context,
  plan: ListenPlan,
  parts: { inbox: Inbox; secrets: RotatingSecrets; view: View; faults: FaultChannel },
): Promise<ReceiverOptions> {
  const { connectionLimit, ENOUGH_CONNECTIONS } = await import('../../../receiver/server.ts')
  const limit = connectionLimit()
  if (limit !== undefined && limit < ENOUGH_CONNECTIONS) {
    context.output.warn(
      `this process may have only ${limit} connections open at once; more are reset, and a new_lead among them is lost. Raise it: ulimit -n 4096`,
    )
  }
  return {
    host: plan.host,
    port: plan.port,
    path: plan.path,
    hosts: ownHosts(plan),
    scheme: plan.scheme,
    signature: await signatureSettings(context, plan.signature),
    secrets: parts.secrets,
    inbox: parts.inbox,
    clock: context.clock,
    selfTestId: `self-test-${randomBytes(16).toString('hex')}`,
    connectionLimit: limit,
    forward: await forwardOptions(context, plan, parts.view),
    emit: parts.view.emit,
    observe: parts.view.observe,
    onFault: parts.faults.report,
  }
}

interface Ending {
  view: View
  stop: Stop
  destination: PublicDestination | undefined
  receiver: Receiver
}

async function end({ clock }: Context, { view, stop, destination, receiver }: Ending): Promise<void> {
  const started = clock.monotonic()
  view.ending()
  await destination?.remove()
  const left = END_MS - (clock.monotonic() - started)
  try {
    await receiver.close(Math.min(DRAIN_MS, left), stop.hurry)
  } finally {
    // Also when what is known could not be written down.
    await view.end()
  }
}
