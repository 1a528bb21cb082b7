import { contains } from './contains.ts'
import type { Harm } from './harm.ts'
import { fromJsonColumn } from './json-column.ts'
import type { Db, PassedCall, RequestRow } from './tables.ts'

export const KEPT_REQUESTS = 10_000

/** Stores a request. With `prune`, deletes the oldest requests beyond `KEPT_REQUESTS`. */
export async function addRequest(db: Db, row: RequestRow, prune: boolean): Promise<void> {
  await db.insertInto('requests').values(row).execute()
  if (!prune) return
  const oldest = await db
    .selectFrom('requests')
    .select('id')
    .orderBy('id', 'desc')
    .offset(KEPT_REQUESTS)
    .limit(1)
    .executeTakeFirst()
  if (oldest) await db.deleteFrom('requests').where('id', '<=', oldest.id).execute()
}

type Columns = Pick<RequestRow, 'fault' | 'passed'>

type KeptRequest<Row extends Columns> = Omit<Row, keyof Columns> & { fault: Harm | null; passed: PassedCall | null }

const asData = <Row extends Columns>(row: Row): KeptRequest<Row> => ({
  ...row,
  fault: row.fault === null ? null : fromJsonColumn(row.fault),
  passed: row.passed === null ? null : fromJsonColumn(row.passed),
})

interface RequestFilter {
  path?: string | undefined
  failed?: boolean
}

/** Returns requests without their answers, newest first. */
export async function listRequestHeads(db: Db, offset: number, limit: number, filter: RequestFilter) {
  const rows = await filtered(db, filter)
    .select(['id', 'at', 'partner', 'method', 'path', 'status', 'ms', 'fault', 'passed', 'requestBody'])
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(asData)
}

/** Returns the number of requests that a filter selects. */
export async function countRequests(db: Db, filter: RequestFilter): Promise<number> {
  const row = await filtered(db, filter)
    .select((select) => select.fn.countAll().as('rows'))
    .executeTakeFirst()
  return Number(row?.rows ?? 0)
}

function filtered(db: Db, { path, failed }: RequestFilter) {
  let query = db.selectFrom('requests')
  if (path !== undefined) query = query.where(contains('path', path))
  if (failed) query = query.where((where) => where.or([where('status', '>=', 400), where('status', '=', 0)]))
  return query
}

/** Returns a request by its id, or undefined when it is no longer stored. */
export async function findRequest(db: Db, id: string): Promise<KeptRequest<RequestRow> | undefined> {
  const row = await db.selectFrom('requests').selectAll().where('id', '=', id).executeTakeFirst()
  return row && asData(row)
}

/** Returns the requests to the sandbox, with their bodies, newest first. */
export async function listRequests(db: Db, limit: number): Promise<Omit<KeptRequest<RequestRow>, 'passed'>[]> {
  const own = db.selectFrom('requests').selectAll().where('passed', 'is', null)
  const rows = await own.orderBy('id', 'desc').limit(limit).execute()
  return rows.map((row) => {
    const { passed: _, ...request } = asData(row)
    return request
  })
}
