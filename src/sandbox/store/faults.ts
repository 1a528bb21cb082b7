import { randomBytes } from 'node:crypto'
import { DOWNLOAD, EVERY, type FaultPlace, type Harm } from '../service/faults.ts'
import type { Store } from './store.ts'
import type { Db, FaultRow } from './tables.ts'

/** A fault that is armed. */
export interface Fault extends Harm {
  id: string
  endpoint: FaultPlace | typeof EVERY
  /** Calls that still pass unharmed before the first one that is met. */
  skip: number
  /** Calls that are still met; null for every one until it is cleared. */
  times: number | null
}

/** How the table says “until it is cleared”. */
const ENDLESS = -1

export async function addFault(db: Db, fault: Omit<Fault, 'id'>, createdAt: string): Promise<Fault> {
  const { endpoint, skip, times, ...harm } = fault
  const id = randomBytes(4).toString('hex')
  await db
    .insertInto('faults')
    .values({ id, endpoint, skip, times: times ?? ENDLESS, harm: JSON.stringify(harm), createdAt })
    .execute()
  return { id, ...fault }
}

/** In the order they were armed, which is the order they meet calls in. */
export async function listFaults(db: Db): Promise<Fault[]> {
  return (await rowsOf(db)).map(asFault)
}

/** @param id one fault, or undefined for all @returns how many there were */
export async function clearFaults(db: Db, id: string | undefined): Promise<number> {
  const all = db.deleteFrom('faults')
  const { numDeletedRows } = await (id === undefined ? all : all.where('id', '=', id)).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Counts a call and gives what meets it, if anything does. Of calls at once each is counted once. */
export async function takeFault(store: Store, place: FaultPlace): Promise<Harm | undefined> {
  // As a rule there is none, and then nobody waits for a lock.
  if ((await rowsOf(store.db, place)).length === 0) return undefined
  return store.transaction(async (db) => {
    let met: FaultRow | undefined
    for (const row of await rowsOf(db, place)) {
      if (row.skip > 0) await count(db, row.id, { skip: row.skip - 1 })
      else met ??= row
    }
    if (met === undefined) return undefined
    if (met.times === 1) await clearFaults(db, met.id)
    else if (met.times !== ENDLESS) await count(db, met.id, { times: met.times - 1 })
    return JSON.parse(met.harm) as Harm
  })
}

/** `EVERY` means every endpoint of the interface; the download behind a link is none. */
function rowsOf(db: Db, place?: FaultPlace): Promise<FaultRow[]> {
  const all = db.selectFrom('faults').selectAll().orderBy('createdAt').orderBy('id')
  if (place === undefined) return all.execute()
  return all.where('endpoint', 'in', place === DOWNLOAD ? [place] : [place, EVERY]).execute()
}

async function count(db: Db, id: string, left: Partial<Pick<FaultRow, 'skip' | 'times'>>): Promise<void> {
  await db.updateTable('faults').set(left).where('id', '=', id).execute()
}

function asFault({ id, endpoint, skip, times, harm }: FaultRow): Fault {
  return {
    id,
    endpoint: endpoint as Fault['endpoint'],
    skip,
    times: times === ENDLESS ? null : times,
    ...(JSON.parse(harm) as Harm),
  }
}
