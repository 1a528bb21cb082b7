import { completeHarm, DOWNLOAD, PAGE_VISIT } from '../../store/harm.ts'
import { fromJsonColumn, toJsonColumn } from '../../store/json-column.ts'
import type { FaultRow } from '../../store/tables.ts'
import type { Change } from './cause.ts'
import { changeOf, faultChange, waits } from './change.ts'
import { isReplaced } from './delivery-causes.ts'
import { CAME, WENT, type Work } from './work.ts'

/** Finds the causes for changes that control actions make: names of accounts, the clock, the waits before retries, and faults. */
export function addSettings(work: Work): void {
  const { diff, before, after, cause } = work
  for (const { before: was, after: is } of diff.accounts.changed) {
    const account = { kind: 'account', id: is.id, about: is.name, account: is.name } as const
    cause('control', `account ${is.id}`, { account: is.name }).changes.push(() =>
      changeOf(account, { name: was.name }, { name: is.name }),
    )
  }
  const ofSandbox = { id: 'sandbox', about: '', account: null }
  if (before.aheadMs !== after.aheadMs) {
    // The clock is moved back only by a reset or by loading a snapshot.
    const by = after.aheadMs > before.aheadMs ? cause('control', 'clock') : cause('state', 'all')
    const [was, is] = [{ aheadMs: before.aheadMs }, { aheadMs: after.aheadMs }]
    by.changes.push(() => changeOf({ ...ofSandbox, kind: 'clock' }, was, is))
  }
  if (before.steps !== after.steps) {
    const [was, is] = [{ waits: waits(before.steps) }, { waits: waits(after.steps) }]
    cause('control', 'retries').changes.push(() => changeOf({ ...ofSandbox, kind: 'retries' }, was, is))
  }
  addFaults(work)
}

function addFaults(work: Work): void {
  const { diff, describe, requests, cause } = work
  for (const row of diff.faults.came) {
    const facts = { at: row.createdAt, about: row.endpoint }
    cause('control', `fault ${row.id}`, facts).changes.push(() => describe.fault(row, CAME))
  }
  const met = ({ harm }: Pick<FaultRow, 'harm'>) => {
    const kept = toJsonColumn(completeHarm(fromJsonColumn(harm)))
    return requests.met(kept) ?? work.faultCauses.get(kept)
  }
  for (const { before, after } of diff.faults.changed) {
    ;(met(after) ?? work.unknown()).changes.push(() => faultChange(before, after))
  }
  for (const row of diff.faults.went) {
    const found = met(row) ?? (isReplaced(work) ? cause('state', 'all') : disarmed(work, row))
    found.changes.push(() => describe.fault(row, WENT))
  }
}

/**
 * Downloads and decisions on the payment page are not logged, so the log does not show whether a fault for them was used up or disarmed.
 */
const TRACELESS: readonly string[] = [PAGE_VISIT, DOWNLOAD]

const disarmed = ({ cause, unknown }: Work, { id, endpoint }: Pick<FaultRow, 'id' | 'endpoint'>) =>
  TRACELESS.includes(endpoint) ? unknown() : cause('control', `disarmed ${id}`, { about: endpoint })

/** Finds the cause for removed rows: a reset, or a loaded snapshot. */
export function addGone({ diff, describe, cause }: Work): void {
  const gone: (() => Change)[] = [
    ...diff.evaluations.went.map((row) => () => describe.evaluation(row, WENT)),
    ...diff.selections.went.map((row) => () => describe.selection(row, WENT)),
    ...diff.tokens.went.map((row) => () => describe.token(row, WENT)),
    ...diff.loans.went.map((row) => () => describe.loan(row, WENT)),
    ...diff.leads.went.map((row) => () => describe.lead(row, WENT)),
    ...diff.events.went.map((row) => () => describe.event(row, WENT)),
  ]
  if (gone.length > 0) cause('state', 'all').changes.push(...gone)
}
