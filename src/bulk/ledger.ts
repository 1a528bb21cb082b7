import type { DatabaseSync } from 'node:sqlite'
import { watchDatabase } from '../disk/database-place.ts'
import { adviceForDatabase } from '../disk/failure.ts'
import { inTransaction, sqliteFailure } from '../disk/sqlite.ts'
import { BnplError } from '../errors.ts'
import { parseKeepingDigits } from '../text/json-text.ts'
import { connectAgain } from './ledger-file.ts'
import type { RowResult } from './row.ts'

/**
 * `sent`: the row may have been sent, and no outcome is stored yet. `done`: the service gave a final answer. `failed`: the service did
 * nothing, or the call is safe to repeat, so the row may be sent again. `unknown`: the row was sent, but its outcome is not known.
 */
type RowState = 'sent' | 'done' | 'failed' | 'unknown'

export interface LedgerRow {
  number: number
  state: RowState
  result: RowResult | undefined
  json: string
}

/** The record of one run. For each row, it stores first the intent to send the row, then the outcome. */
export interface Ledger {
  /** Returns the stored rows, sorted by number. Changes after the caller has read the first row are not visible. */
  rows(): IterableIterator<LedgerRow>
  /** Notes the intent to send a row. Resolves when the intent, and every outcome that was noted before it, is on the disk. */
  intend(number: number): Promise<void>
  /** Notes the outcome of a row. Returns the JSON text that the ledger stores for the result. */
  settle(number: number, state: Exclude<RowState, 'sent'>, result: RowResult): string
  forget(number: number): void
  /** Writes the notes that are still in memory. Throws `output` when there is no room. The next flush then tries the outcomes again. */
  flush(): void
  /** Returns how many rows have an outcome, other than unknown, that is only in memory. */
  unstored(): number
}

interface LedgerOptions {
  path: string
  /** `idHash` of each row's id, in the order of the file. Empty if the calls are safe to repeat, because later runs then compare no ids. */
  ids: Float64Array
  durable: boolean
  /** Called inside the transaction that writes the first row. `begun` is called after this transaction. */
  begin?(): void
  begun?(): void
}

interface Pending {
  number: number
  state: RowState | 'forgotten'
  result: string | null
}

interface Waiting {
  resolve(): void
  reject(error: unknown): void
}

/** How many outcomes may wait in memory if calls are safe to repeat. A lost outcome then only means that a call is repeated. */
const BATCH = 512

/** Creates the ledger of a run in an open database, whose tables exist. */
export function createLedger(db: DatabaseSync, options: LedgerOptions): Ledger {
  const { path, ids, durable } = options
  const put = db.prepare('insert or replace into row (number, state, result, id) values (?, ?, ?, ?)')
  const remove = db.prepare('delete from row where number = ?')
  const loss = watchDatabase(path)
  /** Throws if the ledger was removed, because a later run would not find the intents and would send their rows again. */
  const look = () => {
    const what = loss()
    if (what !== undefined) throw ledgerLost(what)
  }
  let isFirst = true
  let pending: Pending[] = []
  let waiting: Waiting[] = []

  const commit = (batch: readonly Pending[]) => {
    if (batch.length === 0) return
    look()
    try {
      inTransaction(db, () => {
        if (isFirst) options.begin?.()
        for (const { number, state, result } of batch) {
          if (state === 'forgotten') remove.run(number)
          else put.run(number, state, result, ids[number - 1] ?? null)
        }
      })
    } catch (error) {
      throw ledgerFailure(path, error)
    }
    look()
    if (isFirst) options.begun?.()
    isFirst = false
  }
  /** Moves what is stored out of SQLite's log, so that the next commit can replace the log's content and need no more room. */
  const reuseLog = () => {
    try {
      db.exec('pragma wal_checkpoint(passive)')
    } catch {
      // There is no room for that either, and nothing has changed.
    }
  }
  const flush = () => {
    const [batch, ready] = [pending, waiting]
    pending = []
    waiting = []
    try {
      commit(batch)
    } catch (error) {
      // The service has answered these rows, so the next flush must try to note their outcomes again. Intents are dropped, because their
      // rows are not sent. If they were written later, those rows would count as sent.
      pending = batch.filter(({ state }) => state !== 'sent')
      for (const { reject } of ready) reject(error)
      reuseLog()
      throw error
    }
    for (const { resolve } of ready) resolve()
  }
  const flushForWaiting = () => {
    try {
      flush()
    } catch {
      // Each waiting worker got the error.
    }
  }

  return {
    *rows() {
      // Read over a second connection, so that later writes do not change what is read.
      const reader = connectAgain(path)
      try {
        for (const row of reader.prepare('select number, state, result from row order by number').iterate()) {
          const json = row.result === null ? '' : String(row.result)
          yield { number: Number(row.number), state: stateOf(row.state), result: resultIn(json), json }
        }
      } finally {
        reader.close()
      }
    },
    intend(number) {
      pending.push({ number, state: 'sent', result: null })
      return new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flushForWaiting)
        waiting.push({ resolve, reject })
      })
    },
    settle(number, state, result) {
      const text = JSON.stringify(result)
      pending.push({ number, state, result: text })
      if (!durable && pending.length >= BATCH) flush()
      return text
    },
    forget(number) {
      pending.push({ number, state: 'forgotten', result: null })
    },
    flush,
    unstored: () => pending.filter(({ state }) => state === 'done' || state === 'failed').length,
  }
}

/** Returns the state of a row. A state that this version does not know counts as `sent`, so that the row is not sent again. */
function stateOf(value: unknown): RowState {
  return value === 'done' || value === 'failed' || value === 'unknown' ? value : 'sent'
}

function resultIn(json: string): RowResult | undefined {
  const value: unknown = json === '' ? undefined : parseKeepingDigits(json)
  if (typeof value !== 'object' || value === null || !('outcome' in value)) return undefined
  return { ...value, outcome: String(value.outcome) }
}

const ledgerLost = (what: string) =>
  new BnplError('output', `${what} during this run, so nothing more was sent`, {
    code: 'LEDGER_LOST',
    hint: 'Restore that file before you repeat this run, because it shows which rows were sent. The results that were written so far also show these rows.',
  })

function ledgerFailure(path: string, cause: unknown): unknown {
  const failure = sqliteFailure(path, cause)
  if (!(failure instanceof BnplError) || failure.kind !== 'output') return failure
  return new BnplError(
    'output',
    `the ledger of this run could not be written, so nothing more was sent: ${failure.message}`,
    {
      code: 'LEDGER_FULL',
      hint: `${adviceForDatabase(path)}, then continue with --resume.`,
      cause,
    },
  )
}
