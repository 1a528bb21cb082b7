import { randomBytes } from 'node:crypto'
import { DATA_TABLES, type Tables } from './tables.ts'

type SqlValue = string | number | null

/** Values for the places `?` of a statement in their order, or one object with the values for the places `:name`. */
type SqlValues = readonly SqlValue[] | readonly [Readonly<Record<string, SqlValue>>]

/** Statements on the database. Each is prepared when it is first used. */
export interface Db {
  /** Returns all rows of a query. */
  all<Row>(sql: string, ...values: SqlValues): Row[]
  /** Returns the first row of a query. */
  get<Row>(sql: string, ...values: SqlValues): Row | undefined
  /** Runs a statement. Returns how many rows it has changed. */
  run(sql: string, ...values: SqlValues): number
  insert<Table extends keyof Tables>(table: Table, row: Tables[Table]): void
}

/**
 * Returns an SQL condition that is true if a column contains the text `:part`, or if `:part` is null. Upper and lower case of ASCII count as
 * equal.
 */
export const contains = (column: string) => `(:part is null or instr(lower(${column}), lower(:part)) > 0)`

export function countRows(db: Db): Record<(typeof DATA_TABLES)[number], number> {
  return Object.fromEntries(DATA_TABLES.map((table) => [table, countRowsOf(db, table)])) as ReturnType<typeof countRows>
}

export function countRowsOf(db: Db, table: keyof Tables): number {
  return db.get<{ rows: number }>(`select count(*) as rows from ${table}`)?.rows ?? 0
}

/** The sandbox's state. Several processes may open the same file. */
export interface Store {
  db: Db
  /**
   * Runs a transaction, while no other transaction of any process runs. `work` must not be asynchronous. Within a transaction, runs `work` as
   * a part of it.
   */
  transaction<Result>(work: (db: Db) => Result): Result
  /** Calls the listener with the name of each table that this process writes, before the commit. Returns a function that stops the calls. */
  onWrite(listener: (table: keyof Tables) => void): () => void
  /** Turns an error of the database into an error with a message for users. Returns any other error unchanged. */
  failure(error: unknown): unknown
  /** Path of the file. Undefined for a state in memory. */
  file: string | undefined
  close(): void
}

export type StoreRefusalReason = 'snapshot-not-written' | 'snapshot-not-found' | 'snapshot-not-read' | 'not-a-snapshot'

/** Thrown when the store refuses a request because of the caller's input. */
export class StoreRefusal extends Error {
  readonly reason: StoreRefusalReason

  constructor(reason: StoreRefusalReason, message: string) {
    super(message)
    this.name = 'StoreRefusal'
    this.reason = reason
  }
}

/** Returns a time in ms since 1970 as ISO 8601 in UTC, for tables and answers. */
export const iso = (ms: number): string => new Date(ms).toISOString()

let latest = 0
let count = 0

/**
 * Returns a new UUID (version 7, RFC 9562). UUIDs sort by creation time, and within one millisecond by a counter of this process.
 * @param now the sandbox's time in ms
 */
export function newId(now: number): string {
  count = now === latest ? (count + 1) % 0x1000 : 0
  latest = now
  const bytes = randomBytes(16)
  // Limit the time to 48 bits. Otherwise a wrong clock would cause an error here.
  bytes.writeUIntBE(Math.min(Math.max(0, now), 2 ** 48 - 1), 0, 6)
  bytes.writeUInt16BE(0x7000 | count, 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
