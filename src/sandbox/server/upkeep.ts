import type { Transport, WireRequest } from '../../contract/wire.ts'
import type { BnplError } from '../../errors.ts'
import type { Sandbox } from '../sandbox.ts'
import { CONTROL_PREFIX } from '../service/control-access.ts'
import { createOutageReport, isTrouble, type OutageReport, troubleRefusal } from '../service/outage.ts'
import { refusalAnswer } from '../service/refusal.ts'
import { newerThanKnown, proveWritable } from '../store/condition.ts'
import type { Store } from '../store/store.ts'

/** A sandbox that is served for long: what it is kept in may stop working, be changed, and work again. */
export interface Upkeep {
  /** Answers 503 where the database is what failed. */
  transport: Transport
  /** Does what is due. Called now and then; never throws. */
  tick(): Promise<void>
  /** Something failed where nobody waits for an answer. */
  failed(error: unknown): void
}

/** How many ticks apart the version of the tables is looked at. */
const VERSION_TICKS = 10

/** @param report is told of each trouble once when it begins and once when it is over */
export function createUpkeep(store: Store, report: OutageReport, sandbox: () => Sandbox): Upkeep {
  const outage = createOutageReport(report)
  let newer: BnplError | undefined
  let ticks = 0
  let failures = 0

  const work = async () => {
    const wasOut = outage.isOut()
    // What the probe below writes may fit where a call does not.
    const isQuiet = outage.failures() === failures
    failures = outage.failures()
    if (ticks++ % VERSION_TICKS === 0) newer = await newerThanKnown(store)
    if (newer !== undefined) throw newer
    // What a tick does by itself only reads as a rule, which says nothing of a database that takes no writes.
    if (wasOut) await proveWritable(store)
    await sandbox().tick()
    if (wasOut && isQuiet) outage.worked()
  }
  const failed = (error: unknown) => outage.failed(store.failure(error))
  return {
    failed,
    tick: () => work().catch(failed),
    async transport(request) {
      if (newer !== undefined && !isHello(request)) return refusalAnswer(troubleRefusal(newer))
      try {
        return await sandbox().transport(request)
      } catch (caught) {
        const error = store.failure(caught)
        if (!isTrouble(error)) throw caught
        outage.failed(error)
        return refusalAnswer(troubleRefusal(error))
      }
    },
  }
}

/** It still runs: a command beside it must not use a state of its own instead. */
const isHello = ({ url }: WireRequest) => new URL(url).pathname === `${CONTROL_PREFIX}/hello`
