import { sql } from 'kysely'
import type { Db, RequestRow } from './tables.ts'

/** Calls that are kept. */
export const KEPT_REQUESTS = 10_000

/** Keeps a call; now and then (`prune`) forgets the oldest beyond `KEPT_REQUESTS`. */
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

/** Which calls are meant: a part of the path, and only those that got no good answer. */
export interface RequestFilter {
  path?: string | undefined
  failed?: boolean
}

/** Calls without their bodies, newest first. */
export function listRequestHeads(db: Db, offset: number, limit: number, filter: RequestFilter) {
  return filtered(db, filter)
    .select(['id', 'at', 'partner', 'method', 'path', 'status', 'ms'])
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export async function countRequests(db: Db, filter: RequestFilter): Promise<number> {
  const row = await filtered(db, filter)
    .select((select) => select.fn.countAll().as('rows'))
    .executeTakeFirst()
  return Number(row?.rows ?? 0)
}

function filtered(db: Db, { path, failed }: RequestFilter) {
  let query = db.selectFrom('requests')
  // Neither large and small letters nor what LIKE means by a character are the same in every database.
  const wanted = path?.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')
  if (wanted !== undefined) query = query.where(sql<boolean>`lower(path) like ${`%${wanted}%`} escape '\\'`)
  if (failed) query = query.where((where) => where.or([where('status', '>=', 400), where('status', '=', 0)]))
  return query
}

export function findRequest(db: Db, id: string): Promise<RequestRow | undefined> {
  return db.selectFrom('requests').selectAll().where('id', '=', id).executeTakeFirst()
}

/** When each of these paths was last answered with a success (ISO 8601), by path. */
export async function lastSuccessOf(db: Db, method: string, paths: readonly string[]): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map()
  const rows = await db
    .selectFrom('requests')
    .select(['path', (select) => select.fn.max('at').as('at')])
    .where('method', '=', method)
    .where('path', 'in', [...paths])
    .where('status', '>=', 200)
    .where('status', '<', 300)
    .groupBy('path')
    .execute()
  return new Map(rows.map(({ path, at }) => [path, at]))
}

/** Newest first. */
export function listRequests(db: Db, limit: number): Promise<RequestRow[]> {
  return db.selectFrom('requests').selectAll().orderBy('id', 'desc').limit(limit).execute()
}
