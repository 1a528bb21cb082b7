import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { ServiceDescription } from '../../contract/description.ts'
import { findProblem } from '../../contract/problem.ts'
import { type Transport, WireFailure, type WireResponse } from '../../contract/wire.ts'
import { KEPT_FILES } from '../../disk/kept-files.ts'
import type { Notice } from '../../disk/private.ts'
import type { Clock } from '../../domain/clock.ts'
import { BnplError, type ErrorKind } from '../../errors.ts'
import { addressesOf, type SandboxAddresses } from '../addresses.ts'
import { DEFAULT_PORT } from '../conventions.ts'
import { CONTROL_PREFIX, CONTROL_TOKEN_HEADER } from '../service/access.ts'
import type { ControlName, ControlResult } from '../service/control.ts'
import type { SandboxPartner } from '../store/partners.ts'
import { isAnswering, readRunning } from './running.ts'

/** The sandbox that the command line uses: the running sandbox over HTTP, otherwise an embedded sandbox in this process. */
export interface SandboxClient extends SandboxAddresses {
  served: boolean
  /** Null if the state is in memory. */
  dataFile: string | null
  /** The service that the sandbox is. */
  description: ServiceDescription
  partners: readonly SandboxPartner[]
  transport: Transport
  /**
   * Runs a control action of `service/controls`. Throws `not-found`, `refused`, `usage` or `service`. Throws `network` when a sandbox in
   * another process stops or takes too long.
   * @param workMs how long the action itself takes
   */
  control<Name extends ControlName>(
    action: Name,
    input?: Record<string, unknown>,
    workMs?: number,
  ): Promise<ControlResult<Name>>
  close(): Promise<void>
}

interface ClientOfSandboxOptions {
  stateDir: string
  clock: Clock
  random: () => number
  network: () => Promise<Transport>
  signal: AbortSignal
  /** Returns the service that the embedded sandbox is. */
  description: () => Promise<ServiceDescription>
  /** Called when a file with the sandbox's state was readable by other users and has been made private. */
  notice?: Notice
  /** Called when `close` has to wait for deliveries in progress. `maxMs` is the longest wait. */
  onWait?: (maxMs: number) => void
}

/** How long `close` waits for deliveries at most, in ms. The next sandbox repeats a delivery that takes longer, except a new_lead. */
const DELIVERIES_WAIT_MS = 6_000
const WAIT_UNREPORTED_MS = 500

/** Returns the path of the file that stores a sandbox's state by default. */
export const dataFileOf = (stateDir: string): string => join(stateDir, KEPT_FILES.sandbox.name)

/**
 * Opens the sandbox that runs on this state folder or, if none runs, a sandbox in this process. Throws `config` when the sandbox's data
 * cannot be used.
 */
export async function openSandboxClient(options: ClientOfSandboxOptions): Promise<SandboxClient> {
  const running = await readRunning(options.stateDir)
  if (running === undefined || !(await isAnswering(running))) return openEmbedded(options)
  const { baseUrl, paymentUrl, windowUrl, dataFile, description, controlToken } = running
  const transport = await options.network()
  const control = controlOver(transport, baseUrl, controlToken, options.signal)
  const state = { baseUrl, paymentUrl, windowUrl, dataFile, description }
  return { ...state, served: true, transport, control, partners: await control('partners'), close: async () => {} }
}

async function openEmbedded(options: ClientOfSandboxOptions): Promise<SandboxClient> {
  const [{ openStore }, { createSandbox }] = await Promise.all([import('../store/sqlite.ts'), import('../sandbox.ts')])
  const { random, signal, clock } = options
  const baseUrl = `http://127.0.0.1:${DEFAULT_PORT}`
  const controlToken = randomBytes(24).toString('base64url')
  const description = await options.description()
  const dataFile = dataFileOf(options.stateDir)
  const store = await openStore({ file: dataFile }, options.notice)
  // An embedded sandbox cannot be reached from other machines, so it may send deliveries to this machine over plain http.
  const sandbox = await createSandbox({ store, clock, random, baseUrl, controlToken, description, allowHttp: true })
  await sandbox.tick()
  const control = controlOver(sandbox.transport, baseUrl, controlToken, signal)
  return {
    ...addressesOf(baseUrl),
    served: false,
    dataFile,
    description,
    transport: sandbox.transport,
    control,
    partners: await control('partners'),
    async close() {
      const timer = setTimeout(() => options.onWait?.(DELIVERIES_WAIT_MS), WAIT_UNREPORTED_MS)
      await sandbox.deliverer.idle(DELIVERIES_WAIT_MS).finally(() => clearTimeout(timer))
      store.close()
    },
  }
}

const KINDS: Readonly<Record<number, ErrorKind>> = { 400: 'usage', 401: 'config', 404: 'not-found' }

/** The time limit for an action is this number plus `workMs`, in ms. */
const CONTROL_MS = 30_000
/** The longest time that a timer can wait, in ms. */
const LONGEST_MS = 2 ** 31 - 1

/** Runs control actions over a transport; see `SandboxClient.control`. */
export function controlOver(
  transport: Transport,
  baseUrl: string,
  controlToken: string,
  signal: AbortSignal,
): SandboxClient['control'] {
  const lost = (error: unknown): Promise<WireResponse> => {
    if (!(error instanceof WireFailure)) throw error
    if (signal.aborted) throw signal.reason
    const why = error.kind === 'timeout' ? 'did not answer in time' : 'stopped before it answered'
    throw new BnplError('network', `the sandbox at ${baseUrl} ${why}; the action may have been carried out`, {
      code: 'SANDBOX_LOST',
      hint: 'Check whether the sandbox still runs: bnpl sandbox status',
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
    if (status === 200) return JSON.parse(text).data
    const { code, message } = findProblem(text)
    const kind = KINDS[status] ?? (status >= 500 ? 'service' : 'refused')
    throw new BnplError(kind, message ?? `the sandbox answered ${status}`, code === undefined ? {} : { code })
  }
}
