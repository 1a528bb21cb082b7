import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endpointOf, KEYED_ENDPOINTS } from './contract/endpoints.ts'
import { formatDuration, parseDuration } from './domain/duration.ts'
import type { HarmKind } from './domain/sandbox-faults.ts'
import { listenerSecretOf } from './domain/sandbox-secret.ts'
import { config } from './errors.ts'
import { type Client, createClient } from './index.ts'
import { openPrivateSandbox } from './sandbox/server/private-sandbox.ts'

export type { Client } from './index.ts'

/** An account of a sandbox: a merchant (`bnpl`) or a real-estate partner. */
export interface SandboxAccount {
  name: string
  product: 'bnpl' | 'real-estate'
  evaluationModule: boolean
  active: boolean
  apiKey: string
  publicKey: string
  entityId: string
  /** Its keys of the production environment. */
  production: { name: string; apiKey: string; publicKey: string }
}

/** How the payment of a transaction ended. */
export interface Payment {
  externalTrxId: string
  outcome: 'paid' | 'rejected' | 'cancelled'
  preApproveId: string | null
  /** Null unless it was paid. */
  installments: number | null
}

/** A lead in the funnel. */
export interface Lead {
  leadId: string
  outcome: string
  /** Null until its evaluation is finished. */
  preApproveId: string | null
}

/** A request that the sandbox got. Bodies are masked; keys are not kept. */
export interface ReceivedRequest {
  /** ISO 8601. */
  at: string
  method: string
  path: string
  status: number
  ms: number
  requestBody: string | null
  responseBody: string | null
}

/** An event on its way to a destination. */
export interface Delivery {
  eventId: string
  /** `loan_approved`, `new_lead` or `pre_approve`. */
  type: string
  /** Its subject: a transaction or a lead. */
  subject: string
  /** Null if the destination was deleted. */
  url: string | null
  state: string
  /** The status is null if there was no answer; `error` is the reason. */
  attempts: readonly { number: number; at: string; status: number | null; ms: number; error: string | null }[]
}

/** The place of a fault: a call (its method of `Client`), the link of a report, its download, every call, a delivery, or a payment on the page. */
export type FaultPlace =
  | Exclude<keyof Client, 'close' | symbol>
  | 'openInforme'
  | 'download'
  | 'any'
  | 'delivery'
  | 'page'

/** How a sandbox is started. */
export interface SandboxOptions {
  /** Whether the payment page decides by itself and leads back at once, so that a test opens it without a browser. */
  customer?: boolean
  /** The port on this machine; any free one unless given. `false`: none, for tests that use `client()` alone. */
  port?: number | false
  /** Gets failures of the sandbox itself; they end the test that is running (an unhandled rejection) unless given. */
  onFault?(error: unknown): void
}

/** A fault of the next requests, deliveries or payments. One of `kind`, `status`, `delayMs`, `cut` and `truncate` is needed. */
export interface Fault {
  /** One of the names that `bnpl sandbox fault kinds` lists; the only choice for deliveries and payments. */
  kind?: HarmKind
  /** How many requests pass before it applies; 0 by default. */
  skip?: number
  /** How many requests it applies to: 1 by default; null for all, until it is cleared. */
  times?: number | null
  /** The answer is this status, from 400 to 599, and nothing is done. */
  status?: number
  /** The `ERR_…` of that answer. */
  code?: string
  /** Its `Retry-After`, in seconds. */
  retryAfter?: number
  /** The answer is delayed by this many ms. */
  delayMs?: number
  /** The connection is closed without an answer: after the request was processed, or before that with `before`. */
  cut?: boolean
  before?: boolean
  /** The connection is closed after this many bytes of the answer. */
  truncate?: number
}

/** A customer whose evaluation a real-estate partner asked for. */
export interface LeadRequest {
  /** A national id; an invented one unless given. */
  rut?: string
  outcome?: 'approved' | 'rejected'
  /** Milliseconds of the sandbox’s time until the evaluation is finished; 0 for at once. */
  evaluateInMs?: number
}

/** The whole service, with a state of its own in memory, for one test. */
export interface Sandbox extends AsyncDisposable {
  /** Base address of the service; nothing listens there with `port: false`. */
  baseUrl: string
  /** Address of its payment page. */
  paymentUrl: string
  /** The variables that the command line and the examples read: `{ ...process.env, ...sandbox.env }`. */
  env: Readonly<Record<string, string>>
  accounts: readonly SandboxAccount[]
  /** The account of a product; of `bnpl` unless given. */
  account(product?: 'bnpl' | 'real-estate'): SandboxAccount
  /** A client of an account, which needs no port. */
  client(account?: SandboxAccount): Client
  /** Pays a transaction as its customer would on the page. Throws `BnplError` when it cannot be paid. */
  pay(externalTrxId: string, options?: { reject?: boolean; installments?: number }): Promise<Payment>
  /** A lead enters the funnel of the real-estate partner. */
  lead(request?: LeadRequest): Promise<Lead>
  clock: {
    /** The sandbox’s time. */
    now(): Promise<Date>
    /** Moves it ahead, by ms or a text such as `11m`: tokens and links expire, retries come due. */
    advance(by: number | string): Promise<Date>
  }
  /** Arms a fault. @returns disarms it */
  fault(place: FaultPlace, fault: Fault): Promise<() => Promise<void>>
  /** The requests that it got, oldest first. */
  requests(): Promise<ReceivedRequest[]>
  /** The webhook deliveries with every attempt, oldest first. */
  deliveries(): Promise<Delivery[]>
  /** Waits until every delivery that is due was attempted, at most `ms` (5 s). */
  delivered(ms?: number): Promise<void>
  /** Saves the state. @returns restores it; may be called repeatedly */
  snapshot(): Promise<() => Promise<void>>
  /** Ends the sandbox: its port is released and its state is deleted. */
  close(): Promise<void>
}

const DELIVERED_MS = 5_000
/** More than a test can send. */
const ALL = 1_000_000

/** The paths that the specification does not show, as the sandbox has them. */
const PATHS = Object.fromEntries(
  KEYED_ENDPOINTS.map(endpointOf).flatMap(({ pathSetting, path }) =>
    pathSetting === undefined ? [] : [[pathSetting, path]],
  ),
)

const CLOCK = {
  now: Date.now,
  monotonic: () => performance.now(),
  sleep: async (ms: number, signal?: AbortSignal) => void (await sleep(ms, undefined, signal ? { signal } : {})),
}

/** Starts a sandbox: `await using sandbox = await startSandbox()`. Throws `BnplError` (`config`) when the port is taken. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, customer = false, onFault = (error: unknown) => void Promise.reject(error) } = options
  const folders: string[] = []
  const served = await openPrivateSandbox({
    port: port === false ? undefined : port,
    customer,
    clock: CLOCK,
    random: Math.random,
    onFault,
  })
  const { baseUrl, paymentUrl, accounts, control, transport } = served
  const account = (product: SandboxAccount['product'] = 'bnpl') => {
    const found = accounts.find((each) => each.product === product && each.active)
    if (found === undefined) throw config(`the sandbox has no active ${product} account`)
    return found
  }
  const close = async () => {
    await served.close()
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
  }
  const { apiKey, publicKey, entityId } = account()
  return {
    baseUrl,
    paymentUrl,
    accounts,
    account,
    env: {
      BNPL_BASE_URL: baseUrl,
      BNPL_PAYMENT_URL: paymentUrl,
      BNPL_API_KEY: apiKey,
      BNPL_PUBLIC_KEY: publicKey,
      BNPL_ENTITY_ID: entityId,
      BNPL_WEBHOOK_SECRET: listenerSecretOf(apiKey),
    },
    client: (of = account()) =>
      createClient({
        baseUrl,
        apiKey: of.apiKey,
        transport,
        paths: PATHS,
      }),
    pay: (externalTrxId, how = {}) => control('pay', { externalTrxId, ...how }),
    lead: (request = {}) => control('lead', { ...request }),
    clock: {
      now: async () => new Date((await control('status')).now),
      advance: async (by) => new Date((await control('clock', { advanceMs: inMs(by) })).now),
    },
    async fault(place, fault) {
      const { id } = await control('faultAdd', { endpoint: place, ...fault })
      return async () => void (await control('faultClear', { id }).catch(() => {}))
    },
    requests: async () => (await control('requests', { limit: ALL })).toReversed(),
    deliveries: async () => (await control('deliveries', { limit: ALL })).toReversed(),
    delivered: (ms = DELIVERED_MS) => served.idle(ms),
    async snapshot() {
      const folder = await mkdtemp(join(tmpdir(), 'bnpl-snapshot-'))
      folders.push(folder)
      const file = join(folder, 'state.db')
      await control('snapshotSave', { file })
      return async () => void (await control('snapshotLoad', { file }))
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function inMs(by: number | string): number {
  const ms = typeof by === 'number' ? by : parseDuration(by)
  if (ms !== undefined && Number.isSafeInteger(ms) && ms >= 0) return ms
  throw config(`“${by}” is not a duration: write ms, or a text such as ${formatDuration(660_000)}`)
}
