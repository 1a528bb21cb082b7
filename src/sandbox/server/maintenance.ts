import type { Transport, WireRequest } from '../../contract/wire.ts'
import type { BnplError } from '../../errors.ts'
import type { Sandbox } from '../sandbox.ts'
import { CONTROL_PREFIX } from '../service/access.ts'
import { databaseRefusal, isDatabaseFailure, refusalAnswer } from '../service/refusal.ts'
import { newerThanKnown, proveWritable } from '../store/sqlite.ts'
import type { Store } from '../store/store.ts'

interface OutageListener {
  /**
   * Called with an error. The message of a database failure may be shown to users. During an outage, each kind of database failure is
   * reported only once.
   */
  onError(error: unknown): void
  onRecovery(): void
}

interface OutageReport {
  /** @param error the error that `Store.failure` returned */
  failed(error: unknown): void
  recovered(): void
  isOut(): boolean
  failures(): number
}

/** Returns an object that reports failures to the listener, but each kind of database failure only once during an outage. */
function createOutageReport({ onError, onRecovery }: OutageListener): OutageReport {
  // The file may first be locked and then read-only, and each of these failures is reported.
  const reported = new Set<string>()
  let failures = 0
  return {
    failed(error) {
      const failure = isDatabaseFailure(error) ? error.code : undefined
      if (failure === undefined || !reported.has(failure)) onError(error)
      if (failure === undefined) return
      reported.add(failure)
      failures++
    },
    recovered() {
      if (reported.size > 0) onRecovery()
      reported.clear()
    },
    isOut: () => reported.size > 0,
    failures: () => failures,
  }
}

interface Maintenance {
  transport: Transport
  /** Never throws. */
  tick(): Promise<void>
  failed(error: unknown): void
}

const VERSION_TICKS = 10

/**
 * Returns an object that keeps a sandbox running while its database does not work, or after a newer bnpl has changed the tables.
 * @param listener its functions are called with failures, and when the database works again
 */
export function createMaintenance(store: Store, listener: OutageListener, sandbox: () => Sandbox): Maintenance {
  const outage = createOutageReport(listener)
  let newer: BnplError | undefined
  let ticks = 0
  let failures = 0

  const work = async () => {
    const wasOut = outage.isOut()
    // On a nearly full disk, the small write of `proveWritable` may succeed although the data of a request does not fit. So the outage is
    // over only if nothing has failed since the last tick.
    const isQuiet = outage.failures() === failures
    failures = outage.failures()
    if (ticks++ % VERSION_TICKS === 0) newer = newerThanKnown(store)
    if (newer !== undefined) throw newer
    // A tick usually only reads, which does not show whether the database accepts writes again.
    if (wasOut) proveWritable(store)
    await sandbox().tick()
    if (wasOut && isQuiet) outage.recovered()
  }
  const failed = (error: unknown) => outage.failed(store.failure(error))
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
        outage.failed(error)
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
