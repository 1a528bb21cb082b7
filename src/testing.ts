import { mkdtemp, rm } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endpointOf, KEYED_ENDPOINTS } from './contract/endpoints.ts'
import { formatDuration, parseDuration } from './domain/clock.ts'
import type { SimulatedFaultKind } from './domain/sandbox-faults.ts'
import { listenerSecretOf } from './domain/sandbox-secret.ts'
import { config } from './errors.ts'
import { type Client, createClient } from './index.ts'
import { openPrivateSandbox } from './sandbox/server/private-sandbox.ts'

export type { Client } from './index.ts'

/** An account of a sandbox: a merchant (`bnpl`) or a seller of real estate. */
export interface SandboxAccount {
  name: string
  product: 'bnpl' | 'real-estate'
  evaluationModule: boolean
  active: boolean
  apiKey: string
  publicKey: string
  entityId: string
  /** The account's keys for the sandbox's production environment. */
  production: { name: string; apiKey: string; publicKey: string }
}

/** How the payment of a transaction ended. */
export interface Payment {
  externalTrxId: string
  /** `open`: this test customer leaves the payment page before the end. */
  outcome: 'paid' | 'rejected' | 'cancelled' | 'open'
  preApproveId: string | null
  /** The number of installments; null if the transaction was not paid. */
  installments: number | null
  /** The step of a payment that was not paid, such as `ARCHIVED_FAIL`; null if it was. */
  step: string | null
  /** Why the payment was rejected, such as `RISK_REJECTED`; otherwise null. */
  reason: string | null
}

/** A lead of the real-estate account, with the outcome of its evaluation. */
export interface Lead {
  leadId: string
  outcome: string
  /** The id of the pre-approval, or null until the lead's evaluation is finished. */
  preApproveId: string | null
}

/** A request that the sandbox received. Its body is masked, and its key is not stored. */
export interface ReceivedRequest {
  /** When the request arrived, ISO 8601. */
  at: string
  method: string
  path: string
  status: number
  ms: number
  requestBody: string | null
  responseBody: string | null
}

/** The delivery of an event to a destination, with its attempts. */
export interface Delivery {
  eventId: string
  /** The event, such as `loan_approved`. */
  type: string
  /** What the event is about: the id of a transaction or of a lead. */
  subject: string
  /** The address of the destination, or null if the destination was deleted. */
  url: string | null
  state: string
  /** The attempts so far. Without an answer, `status` is null and `error` is the reason. */
  attempts: readonly { number: number; at: string; status: number | null; ms: number; error: string | null }[]
}

/**
 * Where a fault happens: at the call of a method of `Client`, when a report's link is opened (`openInforme`), when the report's file is
 * downloaded (`download`), at every call (`any`), at a webhook delivery, or at a payment on the payment page (`page`).
 */
export type FaultPlace =
  | Exclude<keyof Client, 'close' | symbol>
  | 'openInforme'
  | 'download'
  | 'any'
  | 'delivery'
  | 'page'

/** How to start a sandbox. */
export interface SandboxOptions {
  /** Whether the payment page decides in place of the customer and redirects to the shop immediately, so that a test needs no browser. */
  customer?: boolean
  /** The port on this machine. The default is any free port. `false` opens no port, for tests that only use `client()`. */
  port?: number | false
  /** Receives failures of the sandbox itself. Without this function, such a failure ends the running test as an unhandled rejection. */
  onError?(error: unknown): void
}

/** A fault of the next requests, deliveries or payments. At least one of `kind`, `status`, `delayMs`, `cut` and `truncate` must be set. */
export interface Fault {
  /** One of the names that `bnpl sandbox fault kinds` lists. Faults of deliveries and payments must have a `kind`. */
  kind?: SimulatedFaultKind
  /** How many requests pass before the first request with the fault. The default is 0. */
  skip?: number
  /** How many requests have the fault. The default is 1. Null means all requests until the fault is cleared. */
  times?: number | null
  /** Answers with this status, from 400 to 599, and does not process the request. */
  status?: number
  /** The `ERR_…` code of the answer with `status`. */
  code?: string
  /** The `Retry-After` of the answer with `status`, in seconds. */
  retryAfter?: number
  /** Delays the answer by this many ms. */
  delayMs?: number
  /** Closes the connection without an answer, after the request was processed. With `before`, closes it before the request is processed. */
  cut?: boolean
  before?: boolean
  /** Closes the connection after this many bytes of the answer's body. */
  truncate?: number
}

/** A customer for whom a real-estate account requests an evaluation. */
export interface LeadRequest {
  /** A national id. By default an invented id. */
  rut?: string
  outcome?: 'approved' | 'rejected'
  /** The time until the evaluation is finished, in ms of the sandbox's time. With 0 it is finished immediately. */
  evaluateInMs?: number
}

/** The whole service for one test, with its own state in memory. */
export interface Sandbox extends AsyncDisposable {
  /** Base address of the service. With `port: false`, no server listens there. */
  baseUrl: string
  /** Address of the payment page. */
  paymentUrl: string
  /** The variables that make a program use this sandbox. Start the program with the environment `{ ...process.env, ...sandbox.env }`. */
  env: Readonly<Record<string, string>>
  accounts: readonly SandboxAccount[]
  /** Returns the account of a product. The default is `bnpl`. */
  account(product?: 'bnpl' | 'real-estate'): SandboxAccount
  /** Returns a client for an account. It needs no port. */
  client(account?: SandboxAccount): Client
  /** Pays a transaction as its customer would on the payment page. Throws `BnplError` when the transaction cannot be paid. */
  pay(externalTrxId: string, options?: { reject?: boolean; installments?: number; rut?: string }): Promise<Payment>
  /** Creates a lead of the real-estate account. */
  lead(request?: LeadRequest): Promise<Lead>
  clock: {
    /** Returns the sandbox's time. */
    now(): Promise<Date>
    /** Moves the sandbox's time ahead, by ms or by a text such as `11m`. Tokens and links expire, and retries become due. */
    advance(by: number | string): Promise<Date>
  }
  /** Adds a fault, and returns a function that removes it. */
  fault(place: FaultPlace, fault: Fault): Promise<() => Promise<void>>
  /** Returns the requests that the sandbox received, oldest first. */
  requests(): Promise<ReceivedRequest[]>
  /** Returns the webhook deliveries with every attempt, oldest first. */
  deliveries(): Promise<Delivery[]>
  /** Waits at most `ms` (default: 5 s), until every delivery that is due was attempted. */
  delivered(ms?: number): Promise<void>
  /** Saves the state, and returns a function that restores it. That function may be called repeatedly. */
  snapshot(): Promise<() => Promise<void>>
  /** Ends the sandbox. The port is released and the state is deleted. Calls in progress and later calls throw `BnplError` (`usage`). */
  close(): Promise<void>
}

const DELIVERED_MS = 5_000
const ALL = 1_000_000

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
  if (!isBuiltin('node:sqlite'))
    throw config(
      'the sandbox of bnpl/testing needs Node 24.5 or later, as the command bnpl does',
      'Run these tests with a newer Node. Only bnpl and bnpl/webhooks also run on Node 20.',
      'OLD_NODE',
    )
  const { port = 0, customer = false, onError = (error: unknown) => void Promise.reject(error) } = options
  const folders: string[] = []
  const served = await openPrivateSandbox({
    port: port === false ? undefined : port,
    customer,
    window: async (service) => (await import('./window/window.ts')).createWindow(service),
    clock: CLOCK,
    random: Math.random,
    onError,
  })
  const { baseUrl, paymentUrl, accounts, control, transport } = served
  const account = (product: SandboxAccount['product'] = 'bnpl') => {
    const found = accounts.find((each) => each.product === product && each.active)
    if (found === undefined) throw config(`the sandbox has no active ${product} account`)
    return found
  }
  const close = async () => {
    await served.close()
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
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
  throw config(`“${by}” is not a duration. Use a number of ms, or a text such as ${formatDuration(660_000)}`)
}
