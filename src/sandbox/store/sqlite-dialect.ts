import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  TableNode,
} from 'kysely'
import { isBusy } from '../../disk/sqlite-failure.ts'

/** How long a statement waits for the transaction of another process, in ms of real time. */
const BUSY_MS = 15_000

const KEPT_STATEMENTS = 200

/**
 * Returns a dialect with which Kysely uses Node's SQLite. Only one transaction at a time uses the connection.
 * @param onWrite called with the table of every statement that changed a row
 * @param look called before each transaction, and before each statement outside of one. `look` throws if the file was removed or replaced
 */
export function sqliteDialect(file: string, onWrite: (table: string) => void, look: () => void): Dialect {
  return {
    createAdapter: () => new QueuedAdapter(),
    createDriver: () => new SqliteFileDriver(file, onWrite, look),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** Turns off Kysely's own lock, which wakes all waiting callers every time it is released. */
class QueuedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class SqliteFileDriver implements Driver {
  readonly #file: string
  readonly #onWrite: (table: string) => void
  readonly #look: () => void
  readonly #waiting: (() => void)[] = []
  #taken = false
  #connection: SqliteConnection | undefined

  constructor(file: string, onWrite: (table: string) => void, look: () => void) {
    this.#file = file
    this.#onWrite = onWrite
    this.#look = look
  }

  async init(): Promise<void> {
    const connection = new SqliteConnection(new DatabaseSync(this.#file), this.#onWrite)
    // Do not wait inside SQLite, because that would block this thread. A transaction of this process could then not end.
    await connection.exec('pragma busy_timeout = 0')
    await connection.exec('pragma journal_mode = wal')
    await connection.exec('pragma synchronous = normal')
    await connection.exec('pragma foreign_keys = on')
    this.#connection = connection
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#connection === undefined) throw new Error('the database is not open')
    this.#look()
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#taken = true
    return this.#connection
  }

  /** Takes the write lock when the transaction begins. Otherwise a transaction that reads before it writes could fail. */
  async beginTransaction(): Promise<void> {
    await this.#connection?.exec('begin immediate')
  }

  async commitTransaction(): Promise<void> {
    await this.#connection?.exec('commit')
  }

  async rollbackTransaction(): Promise<void> {
    await this.#connection?.rollback()
  }

  /** Passes the connection directly to the caller that has waited longest, so that no new caller can take it first. */
  async releaseConnection(): Promise<void> {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#taken = false
  }

  async destroy(): Promise<void> {
    this.#connection?.close()
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync
  readonly #onWrite: (table: string) => void
  readonly #statements = new Map<string, StatementSync>()

  constructor(database: DatabaseSync, onWrite: (table: string) => void) {
    this.#database = database
    this.#onWrite = onWrite
  }

  async exec(sql: string): Promise<void> {
    await whenFree(() => this.#database.exec(sql))
  }

  /** A rollback would fail if SQLite has already ended the transaction, for example because the disk is full. */
  async rollback(): Promise<void> {
    if (this.#database.isTransaction) await this.exec('rollback')
  }

  async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    const values = parameters as readonly SQLInputValue[]
    return whenFree(() => {
      const statement = this.#prepare(sql)
      if (statement.columns().length > 0) {
        const rows = statement.all(...values) as R[]
        return { rows, numAffectedRows: BigInt(rows.length) }
      }
      const numAffectedRows = BigInt(statement.run(...values).changes)
      const table = numAffectedRows > 0n ? writtenTable(query) : undefined
      if (table !== undefined) this.#onWrite(table)
      return { rows: [], numAffectedRows }
    })
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    if (this.#statements.size >= KEPT_STATEMENTS) this.#statements.clear()
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

function writtenTable(query: CompiledQuery['query']): string | undefined {
  if (query.kind === 'InsertQueryNode') return query.into?.table.identifier.name
  const from = query.kind === 'UpdateQueryNode' ? query.table : query.kind === 'DeleteQueryNode' && query.from.froms[0]
  return from && TableNode.is(from) ? from.table.identifier.name : undefined
}

async function whenFree<T>(attempt: () => T): Promise<T> {
  const deadline = performance.now() + BUSY_MS
  for (let tries = 0; ; tries++) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await pause(Math.min(1 + tries, 20))
    }
  }
}
