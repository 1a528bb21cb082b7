import type { RawBuilder } from 'kysely'
import type { Db } from './tables.ts'

/** The sandbox's state. Several processes may open the same state. */
export interface Store {
  engine: 'sqlite' | 'postgres'
  db: Db
  /**
   * Runs a transaction. Either all its changes are stored or none, and no other transaction (of any process) runs between its statements.
   * `work` must use only the `db` that it receives.
   */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  /**
   * Calls the listener with the table of each write that changed a row, and returns a function that stops the calls. After `onWrite`
   * resolves, no write is missed. A file reports the writes of this process, before their transaction ends. A database reports the writes
   * of every process, after their transaction.
   */
  onWrite(listener: (table: string) => void): Promise<() => void>
  /** Turns an error of the database into an error with a message for users. Returns any other error unchanged. */
  failure(error: unknown): unknown
  /**
   * The database's own clock as SQL, in ms since 1970. Times that processes compare with each other must come from this clock. Undefined
   * for a file, whose processes use the clock of the same machine.
   */
  time: RawBuilder<number> | undefined
  /** Path of the file. Undefined for a state in memory or in a database. */
  file: string | undefined
  close(): Promise<void>
}

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
