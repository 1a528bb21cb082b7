import type { Db } from './tables.ts'

/** The sandbox's state. Several processes may open the same state. */
export interface Store {
  db: Db
  /** Runs a transaction, while no other transaction of any process runs. `work` must use only the `db` that it receives. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  /**
   * Calls the listener with the name of each table that this process writes, before the commit. Returns a function that stops the calls.
   */
  onWrite(listener: (table: string) => void): () => void
  /** Turns an error of the database into an error with a message for users. Returns any other error unchanged. */
  failure(error: unknown): unknown
  /** Path of the file. Undefined for a state in memory. */
  file: string | undefined
  close(): Promise<void>
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
