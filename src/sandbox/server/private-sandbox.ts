import { randomBytes } from 'node:crypto'
import { type ServiceDescription, SPECIFICATION } from '../../contract/description.ts'
import { type Transport, WireFailure } from '../../contract/wire.ts'
import type { Clock } from '../../domain/clock.ts'
import { failureOf, usage } from '../../errors.ts'
import { type Close, closeAll } from '../../lifetime.ts'
import { addressesOf, type SandboxAddresses } from '../addresses.ts'
import { DEFAULT_PORT } from '../conventions.ts'
import { createSandbox, type SandboxOptions, tickEvery } from '../sandbox.ts'
import type { Service } from '../service/service.ts'
import { listAccounts, type SandboxPartner } from '../store/partners.ts'
import { announce, runningAt } from './running.ts'
import { controlOver, type SandboxClient } from './sandbox-client.ts'
import { startTransportServer, type TransportServer } from './transport-server.ts'

/**
 * Returns a transport for callers in this process. They can interrupt a request, as on a network. If the request's signal is already
 * aborted, the request is not sent. If the signal is aborted later, the caller gets an error at once, but the sandbox still carries out the
 * request.
 * @param closed a signal. When it is aborted, all calls in progress and all later calls fail with its reason
 */
function callableInProcess(transport: Transport, closed: AbortSignal): Transport {
  return async (request) => {
    const own = request.signal
    const signal = own ? AbortSignal.any([closed, own]) : closed
    const endedBy = (sent: boolean) =>
      closed.aborted ? closed.reason : new WireFailure('aborted', sent, 'interrupted', own?.reason)
    if (signal.aborted) throw endedBy(false)
    const ended = Promise.withResolvers<never>()
    const end = () => ended.reject(endedBy(true))
    signal.addEventListener('abort', end)
    try {
      return await Promise.race([transport({ ...request, signal }), ended.promise])
    } finally {
      signal.removeEventListener('abort', end)
    }
  }
}

/** A sandbox in memory, with which a merchant's program is tested. Other commands find this sandbox only after `announce`. */
export interface PrivateSandbox extends SandboxAddresses {
  accounts: readonly SandboxPartner[]
  /** After `close`, requests and calls of `control` and `idle` fail with a `usage` error. */
  transport: Transport
  control: SandboxClient['control']
  service: Service
  /** Lets the commands that use a state folder find this sandbox. */
  announce(stateDir: string, pid: number): Promise<void>
  /** Resolves when no delivery is in progress or due, but at the latest after `ms`. */
  idle(ms: number): Promise<void>
  close(): Promise<void>
}

interface PrivateSandboxOptions {
  /** 0 for any free port, undefined for no port. */
  port: number | undefined
  customer?: boolean
  description?: ServiceDescription | undefined
  window?: SandboxOptions['window']
  clock: Clock
  random: () => number
  around?: (transport: Transport) => Transport
  losesAnswer?: (deliveryId: string) => Promise<boolean>
  onError(error: unknown): void
}

const TICK_MS = 100

const DRAIN_MS = 1_000

/** Opens a private sandbox. Throws `config` when the port is taken. */
export async function openPrivateSandbox({
  port,
  customer = false,
  description = SPECIFICATION,
  window,
  clock,
  random,
  around = (transport) => transport,
  losesAnswer,
  onError,
}: PrivateSandboxOptions): Promise<PrivateSandbox> {
  const undo: Close[] = []
  try {
    // Not at the start, because a program may load this file with a Node that has no SQLite, and is then told which Node it needs.
    const { openStore } = await import('../store/sqlite.ts')
    const store = await openStore({ file: ':memory:' })
    undo.push(async () => store.close())
    let isOver = false
    const failed = (error: unknown) => {
      // A delivery that ends after the sandbox was closed cannot store its result, so its failure is not reported.
      if (!isOver) onError(error)
    }
    let server: TransportServer | undefined
    if (port !== undefined) {
      server = await startTransportServer({ host: '127.0.0.1', port, onError })
      undo.push(server.close)
    }
    const baseUrl = server?.baseUrl ?? `http://127.0.0.1:${DEFAULT_PORT}`
    const controlToken = randomBytes(24).toString('base64url')
    const sandbox = await createSandbox({
      store,
      clock,
      random,
      baseUrl,
      controlToken,
      isPrivate: true,
      customer,
      description,
      window,
      losesAnswer,
      onError: failed,
    })
    server?.answerWith(around(sandbox.transport))
    const ticks = tickEvery(TICK_MS, () => sandbox.tick().catch(failed))
    // Without `unref`, a test that forgets to close its sandbox would never end.
    ticks.unref()
    undo.push(async () => {
      await Promise.all([server?.close(), ticks.stop()])
      await sandbox.deliverer.idle(DRAIN_MS)
      isOver = true
    })
    const closing = new AbortController()
    const transport = callableInProcess(sandbox.transport, closing.signal)
    return {
      ...addressesOf(baseUrl),
      accounts: listAccounts(store.db),
      transport,
      service: sandbox.service,
      control: controlOver(transport, baseUrl, controlToken, new AbortController().signal),
      async announce(stateDir, pid) {
        const own = { controlToken, dataFile: null, description }
        await announce(stateDir, await runningAt(baseUrl, pid, clock.now(), own))
      },
      async idle(ms) {
        closing.signal.throwIfAborted()
        await sandbox.tick()
        await sandbox.deliverer.idle(ms)
      },
      async close() {
        closing.abort(
          usage(
            'the sandbox is closed',
            'Use the sandbox before you close it, or start another sandbox.',
            'SANDBOX_CLOSED',
          ),
        )
        const failures = await closeAll(undo.splice(0))
        if (failures.length > 0) throw failureOf(failures)
      },
    }
  } catch (error) {
    throw failureOf([error, ...(await closeAll(undo))])
  }
}
