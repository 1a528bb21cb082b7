import { randomBytes } from 'node:crypto'
import { SPECIFICATION } from '../../contract/description.ts'
import type { Transport, WireRequest } from '../../contract/wire.ts'
import { keptFolder } from '../../disk/kept-files.ts'
import type { Notice } from '../../disk/private.ts'
import type { Clock } from '../../domain/clock.ts'
import { BnplError, failureOf } from '../../errors.ts'
import { type Close, closeAll } from '../../lifetime.ts'
import { addressesOf, isWindowAddress, type SandboxAddresses } from '../addresses.ts'
import { createSandbox, type Sandbox, type SandboxOptions, tickEvery } from '../sandbox.ts'
import { CONTROL_PREFIX, createWindowKeys, isControlAddress, type WindowKeys } from '../service/access.ts'
import { databaseRefusal, isDatabaseFailure, refusalAnswer } from '../service/refusal.ts'
import { listAccounts, type SandboxPartner } from '../store/partners.ts'
import { newerThanKnown, openStore, proveWritable, type StorePlace } from '../store/sqlite.ts'
import type { Store } from '../store/store.ts'
import { provesToken } from './hello.ts'
import { alreadyRunning, announce, isAnswering, type RunningSandbox, readRunning, runningAt } from './running.ts'
import { dataFileOf } from './sandbox-client.ts'
import { type ExchangeEnd, startTransportServer, type TransportServer } from './transport-server.ts'

export interface ServeOptions {
  stateDir: string
  dataFile: string | undefined
  host: string
  port: number
  allowHosts?: readonly string[]
  /** The address of the sandbox behind a proxy or a load balancer, without a slash at the end. By default the sandbox's own address. */
  publicUrl?: string | undefined
  allowHttp: boolean
  isPrivate?: boolean
  customer?: boolean
  description?: SandboxOptions['description']
  window?: SandboxOptions['window']
  clock: Clock
  random: () => number
  pid: number
  /** Called when a request was answered or cut off. Not called for control actions or requests of the window. */
  onCall?(call: ExchangeEnd): void
  notice?: Notice
  onError(error: unknown): void
  onRecovery(): void
}

export interface ServedSandbox {
  running: RunningSandbox
  /**
   * The sandbox that already runs on this state folder, and that other commands continue to use; undefined if no sandbox runs there. The
   * new sandbox beside it stores its state only in memory.
   */
  beside: RunningSandbox | undefined
  addresses: SandboxAddresses
  partners: readonly SandboxPartner[]
  windowLink(): string
  /** Ends the sandbox. When this resolves, the answers in progress have been sent, the port is free, and the store is closed. */
  close(): Promise<void>
}

const TICK_MS = 500

const DRAIN_MS = 3_000

/**
 * Starts to serve a sandbox. When this resolves, the sandbox answers requests. Throws `config` when a sandbox already runs on the state
 * folder (unless the new sandbox's state is in memory), when the port is taken, or when the data cannot be used.
 */
export async function serveSandbox(options: ServeOptions): Promise<ServedSandbox> {
  const other = await readRunning(options.stateDir)
  const beside = other && (await isAnswering(other)) ? other : undefined
  if (beside && options.dataFile !== undefined) throw alreadyRunning(beside)
  const undo: Close[] = []
  const close = async () => {
    const failures = await closeAll(undo)
    if (failures.length > 0) throw failureOf(failures)
  }
  try {
    const store = await openStore(placeOf(options), options.notice)
    undo.push(async () => store.close())
    try {
      proveWritable(store)
    } catch (error) {
      throw store.failure(error)
    }
    const { publicUrl, allowHosts = [] } = options
    const server = await startTransportServer({
      ...options,
      allowHosts: publicUrl ? [...allowHosts, hostOf(publicUrl)] : allowHosts,
      onEnd: (end) => {
        if (!isOwnCall(end)) options.onCall?.(end)
      },
    })
    undo.push(() => server.close())
    const { clock, pid, dataFile = null, description = SPECIFICATION } = options
    const controlToken = randomBytes(24).toString('base64url')
    const running = await runningAt(server.baseUrl, pid, clock.now(), { controlToken, dataFile, description })
    const windowKeys = createWindowKeys(running.baseUrl, clock)
    undo.push(await startAnswering(store, server, { ...running, windowKeys }, options))
    if (!(await provesToken(running.baseUrl, running.controlToken))) throw deaf(running.baseUrl)
    if (beside === undefined) undo.push(await announce(options.stateDir, running))
    const partners = listAccounts(store.db)
    const addresses = addressesOf(publicUrl ?? running.baseUrl)
    return { running, beside, addresses, partners, windowLink: windowKeys.link, close }
  } catch (error) {
    throw failureOf([error, ...(await closeAll(undo))])
  }
}

function isOwnCall({ url }: ExchangeEnd): boolean {
  const { pathname } = new URL(url)
  return isControlAddress(pathname) || isWindowAddress(pathname)
}

/** Returns the host and the port of an address. A missing port becomes 80, even for https, as in the check of the header `Host`. */
function hostOf(publicUrl: string): string {
  const { hostname, port } = new URL(publicUrl)
  return `${hostname}:${port || 80}`
}

function placeOf({ stateDir, dataFile }: ServeOptions): StorePlace {
  const folder = dataFile === dataFileOf(stateDir) ? 'ours' : 'theirs'
  return { file: dataFile ?? ':memory:', folder }
}

async function startAnswering(
  store: Store,
  server: TransportServer,
  { baseUrl, controlToken, windowKeys, description }: RunningSandbox & { windowKeys: WindowKeys },
  {
    clock,
    random,
    allowHttp,
    isPrivate = false,
    customer = false,
    window,
    stateDir,
    publicUrl,
    ...options
  }: ServeOptions,
): Promise<() => Promise<void>> {
  let isOver = false
  const maintenance = createMaintenance(store, options, () => sandbox)
  const onError = (error: unknown) => {
    // After the sandbox was closed, the result of an unfinished delivery cannot be stored, and the error is not reported. The next sandbox
    // repeats the delivery, except a new_lead.
    if (!isOver) maintenance.failed(error)
  }
  const own = {
    baseUrl: publicUrl ?? baseUrl,
    controlToken,
    windowKeys,
    snapshotDir: keptFolder(stateDir, 'snapshots'),
  }
  const sandbox = await createSandbox({
    store,
    clock,
    random,
    allowHttp,
    isPrivate,
    customer,
    description,
    window,
    onError,
    ...own,
  })
  server.answerWith(maintenance.transport)
  const ticks = tickEvery(TICK_MS, maintenance.tick)
  return async () => {
    await Promise.all([server.close(), ticks.stop().then(() => sandbox.deliverer.idle(DRAIN_MS))])
    isOver = true
  }
}

const deaf = (baseUrl: string) =>
  new BnplError('config', `the sandbox is bound to ${baseUrl}, but it cannot reach itself at that address`, {
    code: 'NO_SELF_TEST',
    hint: 'Choose another port with --port N. A firewall or another program may block this port.',
  })

interface Maintenance {
  transport: Transport
  /** Never throws. */
  tick(): Promise<void>
  failed(error: unknown): void
}

const VERSION_TICKS = 10

/**
 * Returns an object that keeps a sandbox running while its database does not work, or after a newer bnpl has changed the tables.
 * @param listener its functions are called with failures, and when the database works again. During an outage, each kind of database failure
 * is reported only once. The file may first be locked and then read-only, and both are reported
 */
export function createMaintenance(
  store: Store,
  { onError, onRecovery }: Pick<ServeOptions, 'onError' | 'onRecovery'>,
  sandbox: () => Sandbox,
): Maintenance {
  const reported = new Set<string | undefined>()
  let newer: BnplError | undefined
  let ticks = 0
  let isQuiet = true

  const work = async () => {
    const wasOut = reported.size > 0
    // On a nearly full disk, the small write of `proveWritable` may succeed although the data of a request does not fit. So the outage is
    // over only if nothing has failed since the last tick.
    const wasQuiet = isQuiet
    isQuiet = true
    if (ticks++ % VERSION_TICKS === 0) newer = newerThanKnown(store)
    if (newer !== undefined) throw newer
    // A tick usually only reads, which does not show whether the database accepts writes again.
    if (wasOut) proveWritable(store)
    await sandbox().tick()
    if (!wasOut || !wasQuiet) return
    onRecovery()
    reported.clear()
  }
  const report = (error: unknown) => {
    if (!isDatabaseFailure(error)) return onError(error)
    if (!reported.has(error.code)) onError(error)
    reported.add(error.code)
    isQuiet = false
  }
  const failed = (error: unknown) => report(store.failure(error))
  return {
    failed,
    tick: () => work().catch(failed),
    async transport(request) {
      if (newer !== undefined && !isHello(request)) return refusalAnswer(databaseRefusal(newer))
      try {
        return await sandbox().transport(request)
      } catch (caught) {
        const error = store.failure(caught)
        if (!isDatabaseFailure(error)) throw caught
        report(error)
        return refusalAnswer(databaseRefusal(error))
      }
    },
  }
}

/**
 * Whether a request is the greeting (`hello`), which is always answered. Otherwise, other commands would not find this sandbox, and would
 * use an embedded one.
 */
const isHello = ({ url }: WireRequest) => new URL(url).pathname === `${CONTROL_PREFIX}/hello`
