import type { RawBuilder } from 'kysely'
import type { Db } from './tables.ts'

/** The sandbox's state. Several processes may open the same state. */
export interface Store {
  engine: 'sqlite' | 'postgres'
  db: Db
  /** Runs a transaction, while no other transaction of any process runs. `work` must use only the `db` that it receives. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  /**
   * Calls the listener with the name of each watched table that is written. Resolves to a function that stops the calls. With SQLite, only
   * writes of this process are reported, before the commit. With PostgreSQL, writes of every process are reported, after the commit.
   */
  onWrite(listener: (table: string) => void): Promise<() => void>
  /** Turns an error of the database into an error with a message for users. Returns any other error unchanged. */
  failure(error: unknown): unknown
  /**
   * The database's own clock as SQL, in ms since 1970. Use it for times that several processes compare. Undefined with SQLite, because
   * then all processes run on the same machine.
   */
  time: RawBuilder<number> | undefined
  /** Path of the file. Undefined for a state in memory or in a database. */
  file: string | undefined
  close(): Promise<void>
}

export type StoreRefusalReason =
  | 'value-too-long'
  | 'snapshot-not-written'
  | 'snapshot-not-found'
  | 'snapshot-not-read'
  | 'not-a-snapshot'

/** Thrown when the store refuses a request because of the caller's input. */
export class StoreRefusal extends Error {
  readonly reason: StoreRefusalReason

  constructor(reason: StoreRefusalReason, message: string) {
    super(message)
    this.name = 'StoreRefusal'
    this.reason = reason
  }
}
