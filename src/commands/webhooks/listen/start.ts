import type { Context } from '../../../context.ts'
import { isLoopback } from '../../../domain/addresses.ts'
import type { Clock } from '../../../domain/clock.ts'
import { SANDBOX } from '../../../domain/sandbox-accounts.ts'
import { type BnplError, config, failureOf, usage } from '../../../errors.ts'
import { shownAddress } from '../../../http-server/address.ts'
import { namesOfHost } from '../../../http-server/door.ts'
import { type Close, closeAll } from '../../../lifetime.ts'
import { type BugChannel, bugChannel, type OnError, watchedInbox } from '../../../receiver/bug-channel.ts'
import { createReadiness, serveHealth } from '../../../receiver/health/health-server.ts'
import type { Inbox, LastListener } from '../../../receiver/inbox.ts'
import { type Receiver, selfTest, startReceiver } from '../../../receiver/receiver.ts'
import { countOf } from '../../../terminal/numbers.ts'
import { commandLine, isPowerShell, optionWords, setVariable } from '../../../text/shell-word.ts'
import { toJson } from '../../../text/visible.ts'
import { nextCommand } from '../../global-options.ts'
import { prepareLongRun, prepareReadyFile, type ReadyFile, type Stop, takeStop } from '../../long-run.ts'
import { openReceiversInbox } from '../inbox.ts'
import { LISTEN_PORT, type ListenPlan } from './plan.ts'
import { goPublic, type PublicDestination, registerInSandbox } from './public-destination.ts'
import { listenSecrets, receiverSettings } from './receiver-settings.ts'
import { besideView, createView, drawsTable, type View } from './view.ts'

/**
 * Receives deliveries until the listener is stopped. If the program itself fails, throws its first error, because
 * later errors may be consequences.
 */
export async function startListening(context: Context, plan: ListenPlan): Promise<void> {
  prepareLongRun(context.world)
  await context.untraced()
  const bugs = bugChannel()
  try {
    await receive(context, plan, bugs)
  } finally {
    bugs.rethrow()
  }
}

async function receive(context: Context, plan: ListenPlan, bugs: BugChannel): Promise<void> {
  const { world, output, clock } = context
  const stop = takeStop(world)
  context.onClose(async () => stop.release())
  const readyFile =
    plan.readyFile === undefined ? undefined : await prepareReadyFile(world.cwd, plan.readyFile, world.isAlive)
  const secrets = await listenSecrets(context, plan, bugs.report)
  context.onClose(async () => secrets.stop())
  const inbox = await claimedInbox(context, plan, bugs)
  await readyFile?.clear()

  const health = await startHealth(context, plan, inbox, bugs.report)
  const seen = await createView(context, plan, stop, inbox)
  const view = health ? health.watch(seen) : seen
  const settings = await receiverSettings(context, plan, { inbox, secrets, view, onError: bugs.report })
  const receiver = await startReceiver(settings)
  const address = shownAddress(plan.host, receiver.port, plan.path)
  const beside = besideView(context, view)
  let destination: PublicDestination | undefined
  const listen = async (): Promise<Error | undefined> => {
    destination =
      plan.inSandbox && !inbox.shared
        ? await registerInSandbox(beside, ownAddress(plan, receiver.port), { inbox, secrets, scheme: plan.scheme })
        : await goPublic(beside, plan, { inbox, secrets, stop, bugs })
    await selfTest({ ...settings, port: receiver.port, id: settings.selfTestId })
    health?.opened()
    const watched = health && { metricsUrl: `${health.url}/metrics` }
    await readyFile?.write(`${toJson({ url: address, scheme: plan.scheme, pid: world.pid, ...watched })}\n`)
    await view.ready(address)
    if (watched) output.note(`Metrics are at ${watched.metricsUrl}, readiness at /readyz on the same port.`)
    return Promise.race([stop.wanted, bugs.raised])
  }
  await untilEnded(listen, () => ({ clock, stop, health, view, receiver, destination, readyFile }))
}

const ownAddress = ({ host, path }: ListenPlan, port: number): string =>
  shownAddress(isLoopback(host) ? host : '127.0.0.1', port, path)

async function claimedInbox(context: Context, plan: ListenPlan, bugs: BugChannel): Promise<Inbox> {
  const inbox = watchedInbox(await openReceiversInbox(context, plan.database), bugs.report)
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

/** The time limit for ending the listener, in ms. */
const END_MS = 4500
/** The time limit for the deliveries in progress, in ms. */
const DRAIN_MS = 3000

interface Listening {
  clock: Clock
  stop: Pick<Stop, 'atOnce'>
  health: Pick<Health, 'ending'> | undefined
  view: Pick<View, 'ending' | 'end'>
  receiver: Pick<Receiver, 'close'>
  destination: Pick<PublicDestination, 'remove'> | undefined
  readyFile: Pick<ReadyFile, 'remove'> | undefined
}

/**
 * Removes the destination before the receiver is closed, so that no more deliveries arrive. Returns the errors of the
 * steps that failed. The other steps still run.
 */
function endListening({ clock, stop, health, view, receiver, destination, readyFile }: Listening): Promise<unknown[]> {
  const started = clock.monotonic()
  const steps: Close[] = [
    async () => {
      health?.ending()
      view.ending()
    },
    async () => destination?.remove(),
    () => receiver.close(Math.min(DRAIN_MS, END_MS - (clock.monotonic() - started)), stop.atOnce),
    () => view.end(),
    async () => readyFile?.remove(),
  ]
  return closeAll(steps.reverse())
}

/**
 * Runs `listen` until there is a reason to stop, then ends the listener. Throws the errors of `listen` and of the steps that end the
 * listener. Without errors, throws the reason, if there is one.
 * @param listen resolves with the reason; undefined for a normal end
 * @param open returns everything that is open when `listen` has ended
 */
export async function untilEnded(listen: () => Promise<Error | undefined>, open: () => Listening): Promise<void> {
  const failures: unknown[] = []
  let reason: Error | undefined
  try {
    reason = await listen()
  } catch (error) {
    failures.push(error)
  }
  failures.push(...(await endListening(open())))
  if (failures.length > 0) throw failureOf(failures)
  if (reason) throw reason
}

interface Health {
  url: string
  watch(view: View): View
  opened(): void
  ending(): void
}

/** Serves readiness and metrics. Reports “not ready” until `opened` is called. Returns undefined without `--metrics-port`. */
async function startHealth(
  context: Context,
  plan: ListenPlan,
  inbox: Inbox,
  onError: OnError,
): Promise<Health | undefined> {
  if (plan.metrics === undefined) return undefined
  const { clock, world } = context
  const { host, port } = plan.metrics
  const { createMetrics } = await import('../../../receiver/health/metrics.ts')
  const readiness = createReadiness(inbox, clock)
  const ready = () => readiness.known() === 'ready'
  const metrics = createMetrics({ inbox, clock, version: world.version, ready })
  const hosts = namesOfHost(host, plan.publicHosts)
  const door = await serveHealth({ host, port, hosts, readiness, metrics, onError })
  context.onClose(() => door.close())
  return {
    url: shownAddress(host, door.port),
    watch: (view) => ({
      ...view,
      observe(happening) {
        metrics.observe(happening)
        if (happening.what === 'recorded') readiness.wrote()
        if (happening.what === 'not-stored') readiness.failed()
        view.observe(happening)
      },
      forwarded(event, result, next) {
        metrics.forwarded(result)
        view.forwarded(event, result, next)
      },
    }),
    opened: readiness.opened,
    ending: readiness.ending,
  }
}

/** What an account is called in a sentence. */
const NAMES: Record<LastListener['kind'], string> = { sandbox: 'the sandbox', service: 'a real account' }

/**
 * Stores in the inbox for which account the listener receives. An event does not say where it comes from, so a handler of
 * a real account would get the invented events of the sandbox that still wait, or the sandbox's handler those of customers.
 * @throws `config` if events of the other kind of account still wait
 */
async function continueInbox(context: Context, inbox: Inbox, plan: ListenPlan): Promise<void> {
  const before = await inbox.lastListener()
  const present = await accountOf(context, plan, before)
  if (before !== undefined && before.kind !== present.kind) {
    const waiting = await waitingEvents(context, inbox, plan)
    if (waiting !== undefined) throw refusal(context, { before, present, plan, waiting, shared: inbox.shared })
  }
  if (JSON.stringify(present) !== JSON.stringify(before)) await inbox.setLastListener(present)
}

async function accountOf(context: Context, plan: ListenPlan, before: LastListener | undefined): Promise<LastListener> {
  const { environment, profile } = await context.settings()
  const kind = environment.value === SANDBOX ? 'sandbox' : 'service'
  const forwardTo =
    handlerOf(plan) ?? (plan.forwardTo === undefined && before?.kind === kind ? before.forwardTo : undefined)
  return { kind, ...(profile && { profile: profile.value }), ...(forwardTo !== undefined && { forwardTo }) }
}

/** Returns the handler's address to remember; undefined if it has a query, which may contain a secret. */
const handlerOf = ({ forwardTo }: ListenPlan): string | undefined =>
  forwardTo !== undefined && new URL(forwardTo).search === '' ? forwardTo : undefined

interface Waiting {
  /** Such as `1 event`. */
  count: string
  verb: 'waits' | 'wait'
  work: 'forwarded' | 'printed'
}

/**
 * Returns the events of an earlier listener that still wait; undefined if none waits. Events that wait to be forwarded count
 * even without `--forward-to`. Otherwise events of both accounts could wait, and no later listener could tell them apart.
 */
async function waitingEvents(context: Context, inbox: Inbox, { print }: ListenPlan): Promise<Waiting | undefined> {
  const waiting = (count: number, work: Waiting['work'], more = ''): Waiting => ({
    count: `${countOf(count, 'event')}${more}`,
    verb: count === 1 ? 'waits' : 'wait',
    work,
  })
  const backlog = await inbox.backlog()
  if (backlog.waiting > 0) return waiting(backlog.waiting, 'forwarded')
  if (!print || drawsTable(context)) return undefined
  const unprinted = (await inbox.emittable(await inbox.emittedUpTo(), MOST_COUNTED)).length
  if (unprinted === 0) return undefined
  return waiting(unprinted, 'printed', unprinted === MOST_COUNTED ? ' or more' : '')
}

/** Events are read with their bodies, so not more of them are counted. */
const MOST_COUNTED = 50

interface Refused {
  before: LastListener
  present: LastListener
  plan: ListenPlan
  waiting: Waiting
  shared: boolean
}

function refusal({ world }: Context, { before, present, plan, waiting, shared }: Refused): BnplError {
  const { count, verb, work } = waiting
  const finish = listenCommand(before, plan, work === 'forwarded' ? (before.forwardTo ?? 'URL') : undefined)
  const elsewhere = shared
    ? 'Or use another database for this listener.'
    : `Or use another folder for this listener, and start it again: ${setVariable('BNPL_STATE_DIR', `${world.stateDir}-${present.kind}`, isPowerShell(world.runtime.platform, world.env))}`
  return config(
    `this inbox still has ${count} of ${NAMES[before.kind]} that ${verb} to be ${work}, and this listener is for ${NAMES[present.kind]}`,
    `Finish these events with a listener for ${NAMES[before.kind]}, and stop it afterwards: ${finish}\n${elsewhere}`,
    before.kind === 'sandbox' ? 'EVENTS_OF_THE_SANDBOX' : 'EVENTS_OF_A_SERVICE',
  )
}

/** Returns the command of a listener for an account, on the port and the database of the present listener. */
function listenCommand({ profile }: LastListener, plan: ListenPlan, forwardTo: string | undefined): string {
  const { database, databasePasswordFile } = plan.database
  const options = {
    '-p': profile,
    '--forward-to': forwardTo,
    '--port': plan.port === LISTEN_PORT ? undefined : String(plan.port),
    '--database': database,
    '--database-password-file': databasePasswordFile,
  }
  const words = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : optionWords(name, value),
  )
  return commandLine('bnpl webhooks listen', [], words.join(' '))
}
