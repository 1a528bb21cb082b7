import { pruneChanges } from './changes.ts'
import type { Harm } from './harm.ts'
import { fromJsonColumn } from './json-column.ts'
import { contains, type Db } from './store.ts'
import type { PassedCall, RequestRow } from './tables.ts'

export const KEPT_REQUESTS = 10_000

/** Stores a request. With `prune`, deletes the oldest requests beyond `KEPT_REQUESTS`, and the oldest changes. */
export function addRequest(db: Db, row: RequestRow, prune: boolean): void {
  db.insert('requests', row)
  if (!prune) return
  pruneChanges(db)
  db.run('delete from requests where id <= (select id from requests order by id desc limit 1 offset ?)', KEPT_REQUESTS)
}

type Columns = Pick<RequestRow, 'fault' | 'passed'>

type KeptRequest<Row extends Columns> = Omit<Row, keyof Columns> & { fault: Harm | null; passed: PassedCall | null }

const asData = <Row extends Columns>(row: Row): KeptRequest<Row> => ({
  ...row,
  fault: row.fault === null ? null : fromJsonColumn(row.fault),
  passed: row.passed === null ? null : fromJsonColumn(row.passed),
})

interface RequestFilter {
  /** A part of the path, or of a text that was sent or answered, such as an id. */
  search?: string | null | undefined
  failed?: boolean
}

const SELECTED = `from requests
  where (${['path', 'requestBody', 'responseBody'].map((column) => contains(`coalesce(${column}, '')`)).join(' or ')}
      or instr(path, :encoded) > 0)
    and (not :failed or status >= 400 or status = 0)`

const filtered = ({ search = null, failed = false }: RequestFilter) => ({
  part: search,
  // An id in a path is percent-encoded.
  encoded: search === null ? null : encodeURIComponent(search),
  failed: Number(failed),
})

type RequestHead = Omit<RequestRow, 'responseBody'>

/** Returns requests without their answers, newest first. */
export function listRequestHeads(
  db: Db,
  offset: number,
  limit: number,
  filter: RequestFilter,
): KeptRequest<RequestHead>[] {
  const columns = 'id, at, partner, method, path, status, ms, fault, passed, requestBody'
  const page = `select ${columns} ${SELECTED} order by id desc limit :limit offset :offset`
  return db.all<RequestHead>(page, { ...filtered(filter), limit, offset }).map(asData)
}

/** Returns the number of requests that a filter selects. */
export function countRequests(db: Db, filter: RequestFilter): number {
  return db.get<{ rows: number }>(`select count(*) as rows ${SELECTED}`, filtered(filter))?.rows ?? 0
}

/** Returns a request by its id, or undefined when it is no longer stored. */
export function findRequest(db: Db, id: string): KeptRequest<RequestRow> | undefined {
  const row = db.get<RequestRow>('select * from requests where id = ?', id)
  return row && asData(row)
}

/** Returns the requests to the sandbox, with their bodies, newest first. */
export function listRequests(db: Db, limit: number): Omit<KeptRequest<RequestRow>, 'passed'>[] {
  return db
    .all<RequestRow>('select * from requests where passed is null order by id desc limit ?', limit)
    .map((row) => {
      const { passed: _, ...request } = asData(row)
      return request
    })
}
