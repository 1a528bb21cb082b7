import type { Context } from '../../../context.ts'
import { isLoopback } from '../../../domain/origin.ts'
import { usage } from '../../../errors.ts'
import { shownAddress } from '../../../http/address.ts'
import type { FaultChannel } from '../../../receiver/fault-channel.ts'
import type { Inbox } from '../../../receiver/inbox.ts'
import { toJson } from '../../../text/visible.ts'
import { nextCommand } from '../../global-options.ts'
import { prepareLongRun } from '../../long-run.ts'
import { prepareReadyFile } from '../../ready-file.ts'
import { takeStop } from '../../stop-signal.ts'
import { openReceiversInbox } from '../open-inbox.ts'
import { untilEnded } from './end.ts'
import { startHealth } from './health.ts'
import { continueInbox } from './other-account.ts'
import type { ListenPlan } from './plan.ts'
import { goPublic, type PublicDestination } from './public-destination.ts'
import { receiverSettings } from './receiver-settings.ts'
import { registerInSandbox } from './sandbox-destination.ts'
import { listenSecrets } from './secrets.ts'
import { besideView, createView } from './view/view.ts'

/**
 * Receives deliveries until the listener is stopped. If the program itself fails, throws its first error, because
 * later errors may be consequences.
 */
export async function startListening(context: Context, plan: ListenPlan): Promise<void> {
  prepareLongRun(context.world)
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
  const { world, output, clock } = context
  const stop = takeStop(world)
  context.onClose(async () => stop.release())
  const readyFile =
    plan.readyFile === undefined ? undefined : await prepareReadyFile(world.cwd, plan.readyFile, world.isAlive)
  const secrets = await listenSecrets(context, plan, faults.report)
  context.onClose(async () => secrets.stop())
  const inbox = await claimedInbox(context, plan, faults)
  await readyFile?.clear()

  const health = await startHealth(context, plan, inbox, faults.report)
  const seen = await createView(context, plan, stop, inbox)
  const view = health ? health.watch(seen) : seen
  const settings = await receiverSettings(context, plan, { inbox, secrets, view, onFault: faults.report })
  const { startReceiver } = await import('../../../receiver/receiver.ts')
  const receiver = await startReceiver(settings)
  const address = shownAddress(plan.host, receiver.port, plan.path)
  const beside = besideView(context, view)
  let destination: PublicDestination | undefined
  const listen = async (): Promise<Error | undefined> => {
    destination =
      plan.inSandbox && !inbox.shared
        ? await registerInSandbox(beside, ownAddress(plan, receiver.port), { inbox, secrets, scheme: plan.scheme })
        : await goPublic(beside, plan, { inbox, secrets, stop, faults })
    const { selfTest } = await import('../../../receiver/receiver.ts')
    await selfTest({ ...settings, port: receiver.port, id: settings.selfTestId })
    health?.opened()
    const watched = health && { metricsUrl: `${health.url}/metrics` }
    await readyFile?.write(`${toJson({ url: address, scheme: plan.scheme, pid: world.pid, ...watched })}\n`)
    await view.ready(address)
    if (watched) output.note(`Metrics are at ${watched.metricsUrl}, readiness at /readyz on the same port.`)
    return Promise.race([stop.wanted, faults.raised])
  }
  await untilEnded(listen, () => ({ clock, stop, health, view, receiver, destination, readyFile }))
}

const ownAddress = ({ host, path }: ListenPlan, port: number): string =>
  shownAddress(isLoopback(host) ? host : '127.0.0.1', port, path)

async function claimedInbox(context: Context, plan: ListenPlan, faults: FaultChannel): Promise<Inbox> {
  const { watchedInbox } = await import('../../../receiver/fault-channel.ts')
  const inbox = watchedInbox(await openReceiversInbox(context, plan.database), faults.report)
  refuseShared(context, inbox, plan)
  const { host, port } = plan
  await inbox.claim({ pid: context.world.pid, address: port === 0 ? '' : `${host}:${port}` })
  await continueInbox(context, inbox, plan)
  return inbox
}

/** Throws `usage` for --public-url with a shared inbox, because the address would be removed while other receivers still use it. */
function refuseShared(context: Context, { shared }: Inbox, { publicUrl }: ListenPlan): void {
  if (!shared || publicUrl === undefined) return
  throw usage(
    '--public-url cannot be used with a shared inbox: the address would be removed when this receiver stops, while other receivers still need it',
    `Register the address once, for all receivers: ${nextCommand(context, 'bnpl webhooks add', [publicUrl], ['--save-secret'])}`,
    'PUBLIC_URL_SHARED',
  )
}
