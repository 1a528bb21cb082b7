import { randomBytes } from 'node:crypto'
import {
  completeEffect,
  DELIVERY,
  DOWNLOAD,
  EVERY,
  type FaultEffect,
  type FaultPlace,
  PAGE_VISIT,
} from './fault-effect.ts'
import type { Db, Store } from './store.ts'
import { type FaultRow, fromJsonColumn, toJsonColumn } from './tables.ts'

export interface Fault extends FaultEffect {
  id: string
  endpoint: FaultPlace | typeof EVERY
  skip: number
  /** How many more requests the fault applies to. Null means all requests. */
  times: number | null
}

const ENDLESS = -1

/** Stores a fault to simulate, and returns it with its id. */
export function addFault(db: Db, fault: Omit<Fault, 'id'>, createdAt: string): Fault {
  const { endpoint, skip, times, ...effect } = fault
  const id = randomBytes(4).toString('hex')
  db.insert('faults', { id, endpoint, skip, times: times ?? ENDLESS, effect: toJsonColumn(effect), createdAt })
  return { id, ...fault }
}

/** Returns the stored faults, oldest first. */
export function listFaults(db: Db): Fault[] {
  return db.all<FaultRow>('select * from faults order by createdAt, id').map(asFault)
}

/** Deletes a fault, or all faults if `id` is undefined. Returns how many were deleted. */
export function clearFaults(db: Db, id: string | undefined): number {
  return id === undefined ? db.run('delete from faults') : db.run('delete from faults where id = ?', id)
}

/** Counts a request, and returns the fault that applies to it, if any. Two simultaneous requests are not counted as one. */
export function takeFault(store: Store, place: FaultPlace): FaultEffect | undefined {
  // Usually there is no fault, and then no transaction is needed.
  if (faultsAt(store.db, place).length === 0) return undefined
  return store.transaction((db) => takeFaultWithin(db, place))
}

/** Does the same as `takeFault`, within a transaction of the caller. */
export function takeFaultWithin(db: Db, place: FaultPlace): FaultEffect | undefined {
  let met: FaultRow | undefined
  for (const row of faultsAt(db, place)) {
    if (row.skip > 0) db.run('update faults set skip = skip - 1 where id = ?', row.id)
    else met ??= row
  }
  if (met === undefined) return undefined
  if (met.times === 1) clearFaults(db, met.id)
  else if (met.times !== ENDLESS) db.run('update faults set times = times - 1 where id = ?', met.id)
  return completeEffect(fromJsonColumn(met.effect))
}

const NO_ENDPOINTS: readonly FaultPlace[] = [DOWNLOAD, DELIVERY, PAGE_VISIT]

function faultsAt(db: Db, place: FaultPlace): FaultRow[] {
  const wider = NO_ENDPOINTS.includes(place) ? place : EVERY
  return db.all('select * from faults where endpoint in (?, ?) order by createdAt, id', place, wider)
}

function asFault({ id, endpoint, skip, times, effect }: FaultRow): Fault {
  return {
    id,
    endpoint,
    skip,
    times: times === ENDLESS ? null : times,
    ...completeEffect(fromJsonColumn(effect)),
  }
}
