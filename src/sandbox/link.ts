import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { findProblem } from '../contract/problem.ts'
import { type Transport, WireFault, type WireResponse } from '../contract/wire.ts'
import { KEPT_FILES } from '../disk/kept-files.ts'
import type { Notice } from '../disk/private.ts'
import type { Clock } from '../domain/clock.ts'
import { BnplError, type ErrorKind } from '../errors.ts'
import { describeDatabase } from '../postgres/address.ts'
import type { DatabasePlan } from '../postgres/pool.ts'
import { CONTROL_PREFIX, CONTROL_TOKEN_HEADER } from './control-address.ts'
import { addressesOf, DEFAULT_PORT } from './conventions.ts'
import { isAnswering, readRunning } from './running.ts'

/** A partner account of the sandbox. */
export interface SandboxPartner {
  name: string
  product: 'bnpl' | 'real-estate'
  evaluationModule: boolean
  active: boolean
  apiKey: string
  publicKey: string
  entityId: string
}

/** The sandbox as the command line sees it: the running one over HTTP, else the embedded one in this process. */
export interface SandboxLink {
  /** True when it runs as a server of its own. */
  served: boolean
  baseUrl: string
  paymentUrl: string
  dashboardUrl: string
  /** The file of its state; null when that is in a database, or in memory. */
  dataFile: string | null
  /** The database of its state, as people are told of it; null where there is none. */
  database: string | null
  partners: readonly SandboxPartner[]
  transport: Transport
  /**
   * Drives it: pay, reset, clock, … (`sandbox/controls` names them). Throws `not-found`, `refused`, `usage` or `service`; `network` when a
   * served one goes away or takes too long.
   * @param workMs time that the action takes by itself
   */
  control(action: string, input?: Record<string, unknown>, workMs?: number): Promise<unknown>
  close(): Promise<void>
}

export interface LinkOptions {
  stateDir: string
  clock: Clock
  random: () => number
  network: () => Promise<Transport>
  /** Ends what takes its time, with its reason. */
  signal: AbortSignal
  /** The database of its state where none is served here; undefined for the file. */
  database: () => Promise<DatabasePlan | undefined>
  /** Says that a file of its state was open to others, and is closed now. */
  notice?: Notice
  /** Told when the end is put off for deliveries under way; `maxMs` is how long they may take in all. */
  onWait?: (maxMs: number) => void
}

/** How long a command waits for the deliveries it caused, in ms; what is not sent by then is sent by the next sandbox that runs. */
const DELIVERIES_WAIT_MS = 6_000
/** How long a wait may be before somebody is told of it, in ms. */
const WAIT_UNTOLD_MS = 500

/** The file that holds the embedded sandbox's state, and a served one's unless told otherwise. */
export const dataFileOf = (stateDir: string): string => join(stateDir, KEPT_FILES.sandbox.name)

/**
 * Links to the sandbox: the one that runs on this state folder, else one in this process, on the database that is named or its own file.
 * Throws `config` when its data cannot be used, `network` when the database cannot be reached.
 */
export async function linkSandbox(options: LinkOptions): Promise<SandboxLink> {
  const running = await readRunning(options.stateDir)
  if (running && (await isAnswering(running))) {
    return makeLink({
      ...running,
      served: true,
      signal: options.signal,
      transport: await options.network(),
      close: async () => {},
    })
  }
  const [{ openStore }, { createSandbox }] = await Promise.all([import('./store/store.ts'), import('./app.ts')])
  const baseUrl = `http://127.0.0.1:${DEFAULT_PORT}`
  const controlToken = randomBytes(24).toString('base64url')
  const database = await options.database()
  const dataFile = dataFileOf(options.stateDir)
  const store = await openStore(database ? { database } : { file: dataFile }, options.notice)
  const { random, signal, clock } = options
  // Nothing beyond this machine reaches an embedded sandbox, so receivers on it need no certificate.
  const { transport, deliverer } = await createSandbox({ store, clock, random, baseUrl, controlToken, allowHttp: true })
  const close = async () => {
    const timer = setTimeout(() => options.onWait?.(DELIVERIES_WAIT_MS), WAIT_UNTOLD_MS)
    await deliverer.idle(DELIVERIES_WAIT_MS).finally(() => clearTimeout(timer))
    await store.close()
  }
  const state = database
    ? { dataFile: null, database: describeDatabase(database.address) }
    : { dataFile, database: null }
  return makeLink({ ...addressesOf(baseUrl), ...state, served: false, signal, transport, controlToken, close })
}

type Reached = Omit<SandboxLink, 'partners' | 'control'> & { controlToken: string; signal: AbortSignal }

async function makeLink(reached: Reached): Promise<SandboxLink> {
  const { served, baseUrl, paymentUrl, dashboardUrl, dataFile, database, transport, close } = reached
  const control = controlOf(reached)
  const partners = (await control('partners')) as SandboxPartner[]
  return { served, baseUrl, paymentUrl, dashboardUrl, dataFile, database, partners, transport, control, close }
}

const KINDS: Readonly<Record<number, ErrorKind>> = { 400: 'usage', 401: 'config', 404: 'not-found' }

/** How long a served sandbox may take for an action, besides the work itself, in ms; and the longest that a timer knows. */
const CONTROL_MS = 30_000
const LONGEST_MS = 2 ** 31 - 1

function controlOf({ baseUrl, transport, controlToken, signal }: Reached): SandboxLink['control'] {
  const lost = (error: unknown): Promise<WireResponse> => {
    if (!(error instanceof WireFault)) throw error
    if (signal.aborted) throw signal.reason
    const why = error.kind === 'timeout' ? 'gave no answer in time' : 'went away before it answered'
    throw new BnplError('network', `the sandbox at ${baseUrl} ${why}; what was asked for may have been done`, {
      code: 'SANDBOX_LOST',
      hint: 'Does it still run? bnpl sandbox status',
      cause: error,
    })
  }
  return async (action, input = {}, workMs = 0) => {
    const { status, body } = await transport({
      method: 'POST',
      url: `${baseUrl}${CONTROL_PREFIX}/${action}`,
      headers: { 'content-type': 'application/json', [CONTROL_TOKEN_HEADER]: controlToken },
      body: Buffer.from(JSON.stringify(input)),
      timeoutMs: Math.min(CONTROL_MS + workMs, LONGEST_MS),
      maxBytes: 64 * 1024 * 1024,
      signal,
    }).catch(lost)
    const text = new TextDecoder().decode(body)
    if (status === 200) return (JSON.parse(text) as { data: unknown }).data
    const { code, message } = findProblem(text)
    const kind = KINDS[status] ?? (status >= 500 ? 'service' : 'refused')
    throw new BnplError(kind, message ?? `the sandbox answered ${status}`, code === undefined ? {} : { code })
  }
}
