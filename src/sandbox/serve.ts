import { randomBytes } from 'node:crypto'
import { type Close, closeAll } from '../closing.ts'
import type { Transport, WireResponse } from '../contract/wire.ts'
import { keptFolder } from '../disk/kept-files.ts'
import type { Notice } from '../disk/private.ts'
import type { Clock } from '../domain/clock.ts'
import { BnplError, failureOf } from '../errors.ts'
import { describeDatabase } from '../postgres/address.ts'
import type { DatabasePlan } from '../postgres/pool.ts'
import { createSandbox } from './app.ts'
import { CONTROL_PREFIX } from './control-address.ts'
import { addressesOf } from './conventions.ts'
import { knock } from './knock.ts'
import { dataFileOf, type SandboxPartner } from './link.ts'
import { type Listening, listen } from './listen.ts'
import { processMark } from './process-mark.ts'
import { alreadyRunning, announce, isAnswering, type Running, readRunning } from './running.ts'
import { proveWritable } from './store/condition.ts'
import { asPartner, listPartners } from './store/partners.ts'
import { openStore, type Store, type StorePlace } from './store/store.ts'
import { createUpkeep } from './upkeep.ts'
import { isWindowAddress } from './window/addresses.ts'
import { createEntrance, type Entrance } from './window/entrance.ts'

/** A call that was answered, or cut (`status` is then undefined). */
export interface ServedCall {
  method: string
  /** As it came: it may hold secrets and ids of people. */
  url: string
  status: number | undefined
  ms: number
}

export interface ServeOptions {
  /** Where other commands of this machine look for it. */
  stateDir: string
  /** Its file; undefined for a state that is in a database, or gone when it closes. */
  dataFile: string | undefined
  /** The database that others may serve too. */
  database?: DatabasePlan | undefined
  host: string
  port: number
  allowHosts?: readonly string[]
  /**
   * Where others reach it (behind a proxy or a balancer), without a slash at the end: part of the links it gives out. Its own address
   * unless given.
   */
  publicUrl?: string | undefined
  /** Destinations on loopback may be plain http. */
  allowHttp: boolean
  clock: Clock
  random: () => number
  pid: number
  /** Told of every call but those that drive or watch it. */
  onCall?(call: ServedCall): void
  /** Says that a file of its state was open to others, and is closed now. */
  notice?: Notice
  onFault(error: unknown): void
  /** Told when a database that did not work works again. */
  onRecovery(): void
}

export interface ServedSandbox {
  running: Running
  /** The addresses that others use. */
  addresses: ReturnType<typeof addressesOf>
  partners: readonly SandboxPartner[]
  /** A link to its window that lets one browser in, once. */
  windowLink(): string
  /** Ends it: no command finds it any more, answers under way end, the port is free, the state is closed. */
  close(): Promise<void>
}

/** How often what is due by the sandbox's clock is done, in ms. */
const TICK_MS = 500

/** How long deliveries under way may take once it stops, in ms. */
const DRAIN_MS = 3_000

/**
 * Serves a sandbox until it is closed; when this resolves it has answered a call over its own socket.
 * Throws `config` when one already runs on the state folder, the port is taken, or its data cannot be used.
 */
export async function serveSandbox(options: ServeOptions): Promise<ServedSandbox> {
  const other = await readRunning(options.stateDir)
  if (other && (await isAnswering(other))) throw alreadyRunning(other)
  const undo: Close[] = []
  const close = async () => {
    const failures = await closeAll(undo)
    if (failures.length > 0) throw failureOf(failures)
  }
  try {
    const store = await openStore(placeOf(options), options.notice)
    undo.push(() => store.close())
    await proveWritable(store).catch((error: unknown) => {
      throw store.failure(error)
    })
    const { publicUrl, allowHosts = [] } = options
    const server = await listen({ ...options, allowHosts: publicUrl ? [...allowHosts, hostOf(publicUrl)] : allowHosts })
    undo.push(() => server.close())
    const running = await describe(options, server)
    const entrance = createEntrance(running.baseUrl)
    undo.push(await answerWith(store, server, { ...running, entrance }, options))
    if (!(await knock(running.baseUrl, running.controlToken))) throw deaf(running.baseUrl)
    undo.push(await announce(options.stateDir, running))
    const partners = (await listPartners(store.db)).map(asPartner)
    const addresses = addressesOf(publicUrl ?? running.baseUrl)
    return { running, addresses, partners, windowLink: entrance.link, close }
  } catch (error) {
    throw failureOf([error, ...(await closeAll(undo))])
  }
}

/** As a request names it: without the port that goes without saying, which the door takes for 80. */
function hostOf(publicUrl: string): string {
  const { hostname, port } = new URL(publicUrl)
  return `${hostname}:${port || 80}`
}

function placeOf({ stateDir, dataFile, database }: ServeOptions): StorePlace {
  if (database) return { database }
  const folder = dataFile === dataFileOf(stateDir) ? 'ours' : 'theirs'
  return { file: dataFile ?? ':memory:', folder }
}

async function describe({ clock, pid, dataFile, database }: ServeOptions, { baseUrl }: Listening): Promise<Running> {
  return {
    pid,
    processMark: (await processMark(pid)) ?? null,
    ...addressesOf(baseUrl),
    controlToken: randomBytes(24).toString('base64url'),
    startedAt: new Date(clock.now()).toISOString(),
    dataFile: dataFile ?? null,
    database: database ? describeDatabase(database.address) : null,
  }
}

/** Answers, and does what falls due. @returns ends both within `DRAIN_MS`: no new caller, and what is under way is waited for */
async function answerWith(
  store: Store,
  server: Listening,
  { baseUrl, controlToken, entrance }: Running & { entrance: Entrance },
  { clock, random, allowHttp, onCall, stateDir, publicUrl, ...options }: ServeOptions,
): Promise<() => Promise<void>> {
  let isOver = false
  const upkeep = createUpkeep(store, options, () => sandbox)
  const onFault = (error: unknown) => {
    // A delivery that outlives the sandbox has nowhere to write; it is sent again when there is one.
    if (!isOver) upkeep.failed(error)
  }
  const own = { baseUrl: publicUrl ?? baseUrl, controlToken, entrance, snapshotDir: keptFolder(stateDir, 'snapshots') }
  const sandbox = await createSandbox({ store, clock, random, allowHttp, onFault, ...own })
  server.serve(onCall ? observed(upkeep.transport, clock, onCall) : upkeep.transport)
  let working: Promise<void> | undefined
  const timer = setInterval(() => {
    working ??= upkeep.tick().finally(() => {
      working = undefined
    })
  }, TICK_MS)
  return async () => {
    clearInterval(timer)
    await Promise.all([server.close(), (working ?? Promise.resolve()).then(() => sandbox.deliverer.idle(DRAIN_MS))])
    isOver = true
  }
}

function observed(transport: Transport, clock: Clock, onCall: (call: ServedCall) => void): Transport {
  return async (request) => {
    const started = clock.monotonic()
    let answer: WireResponse | undefined
    try {
      answer = await transport(request)
      return answer
    } finally {
      const { pathname } = new URL(request.url)
      if (!pathname.startsWith(`${CONTROL_PREFIX}/`) && !isWindowAddress(pathname)) {
        onCall({ method: request.method, url: request.url, status: answer?.status, ms: clock.monotonic() - started })
      }
    }
  }
}

const deaf = (baseUrl: string) =>
  new BnplError('config', `the sandbox is bound to ${baseUrl}, but a call to itself gets no answer`, {
    code: 'NO_SELF_TEST',
    hint: 'A firewall or another program stands before this port: choose another with --port N.',
  })
