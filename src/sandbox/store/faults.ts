import { randomBytes } from 'node:crypto'
import { completeHarm, DELIVERY, DOWNLOAD, EVERY, type FaultPlace, type Harm, PAGE_VISIT } from './harm.ts'
import { fromJsonColumn, toJsonColumn } from './json-column.ts'
import type { Store } from './store.ts'
import type { Db, FaultRow } from './tables.ts'

export interface Fault extends Harm {
  id: string
  endpoint: FaultPlace | typeof EVERY
  skip: number
  /** How many more requests the fault applies to. Null means all requests. */
  times: number | null
}

const ENDLESS = -1

/** Stores a fault to simulate, and returns it with its id. */
export async function addFault(db: Db, fault: Omit<Fault, 'id'>, createdAt: string): Promise<Fault> {
  const { endpoint, skip, times, ...harm } = fault
  const id = randomBytes(4).toString('hex')
  await db
    .insertInto('faults')
    .values({ id, endpoint, skip, times: times ?? ENDLESS, harm: toJsonColumn(harm), createdAt })
    .execute()
  return { id, ...fault }
}

/** Returns the stored faults, oldest first. */
export async function listFaults(db: Db): Promise<Fault[]> {
  return (await rowsOf(db)).map(asFault)
}

/** Deletes a fault, or all faults if `id` is undefined. Returns how many were deleted. */
export async function clearFaults(db: Db, id: string | undefined): Promise<number> {
  const all = db.deleteFrom('faults')
  const { numDeletedRows } = await (id === undefined ? all : all.where('id', '=', id)).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Counts a request, and returns the fault that applies to it, if any. Two simultaneous requests are not counted as one. */
export async function takeFault(store: Store, place: FaultPlace): Promise<Harm | undefined> {
  // Usually there is no fault, and then no transaction is needed.
  if ((await rowsOf(store.db, place)).length === 0) return undefined
  return store.transaction((db) => takeFaultWithin(db, place))
}

/** Does the same as `takeFault`, within a transaction of the caller. */
export async function takeFaultWithin(db: Db, place: FaultPlace): Promise<Harm | undefined> {
  let met: FaultRow | undefined
  for (const row of await rowsOf(db, place)) {
    if (row.skip > 0) await count(db, row.id, { skip: row.skip - 1 })
    else met ??= row
  }
  if (met === undefined) return undefined
  if (met.times === 1) await clearFaults(db, met.id)
  else if (met.times !== ENDLESS) await count(db, met.id, { times: met.times - 1 })
  return completeHarm(fromJsonColumn(met.harm))
}

const NO_ENDPOINTS: readonly FaultPlace[] = [DOWNLOAD, DELIVERY, PAGE_VISIT]

function rowsOf(db: Db, place?: FaultPlace): Promise<FaultRow[]> {
  const all = db.selectFrom('faults').selectAll().orderBy('createdAt').orderBy('id')
  if (place === undefined) return all.execute()
  return all.where('endpoint', 'in', NO_ENDPOINTS.includes(place) ? [place] : [place, EVERY]).execute()
}

async function count(db: Db, id: string, left: Partial<Pick<FaultRow, 'skip' | 'times'>>): Promise<void> {
  await db.updateTable('faults').set(left).where('id', '=', id).execute()
}

function asFault({ id, endpoint, skip, times, harm }: FaultRow): Fault {
  return {
    id,
    endpoint,
    skip,
    times: times === ENDLESS ? null : times,
    ...completeHarm(fromJsonColumn(harm)),
  }
}
