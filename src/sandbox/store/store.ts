import type { RawBuilder } from 'kysely'
import type { Db } from './tables.ts'

/** The sandbox's state. Several processes may open the same state. */
export interface Store {
  engine: 'sqlite' | 'postgres'
  /** The database for single statements. */
  db: Db
  /**
   * Runs a transaction. Either all its changes are stored or none, and no other transaction (of any process) runs between its statements.
   * `work` must use only the `db` that it receives.
   */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  /**
   * Calls the listener with the table of each write that changed a row. In a file, these are the writes of this process, and the call comes
   * before their transaction ends. In a database, these are the writes of every process, and the call comes after their transaction.
   * @returns a function that stops the calls. After `onWrite` resolves, no write is missed
   */
  onWrite(listener: (table: string) => void): Promise<() => void>
  /** Turns an error of the database into an error with a message for users. Returns any other error unchanged. */
  failure(error: unknown): unknown
  /**
   * The database's own clock as SQL: milliseconds since 1970. Times that processes compare with each other must come from this clock.
   * Undefined for a file, whose processes are all on one machine and use its clock.
   */
  time: RawBuilder<number> | undefined
  /** Path of the file; undefined for a state in memory or in a database. */
  file: string | undefined
  close(): Promise<void>
}

/** Why the store refused a request. */
export type StoreRefusalReason = 'value-too-long' | 'snapshot-not-written' | 'snapshot-not-found' | 'not-a-snapshot'

/** The store refused a request because of the caller's input. */
export class StoreRefusal extends Error {
  readonly reason: StoreRefusalReason

  constructor(reason: StoreRefusalReason, message: string) {
    super(message)
    this.name = 'StoreRefusal'
    this.reason = reason
  }
}
