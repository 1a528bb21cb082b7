import type { DatabaseSync } from 'node:sqlite'
import { watchDatabase } from '../disk/database-place.ts'
import { roomInWords } from '../disk/room.ts'
import { sqliteFailure } from '../disk/sqlite-failure.ts'
import { BnplError } from '../errors.ts'
import { parseKeepingDigits } from '../text/json-text.ts'
import { connectAgain } from './ledger-file.ts'
import type { RowResult } from './operation.ts'

/**
 * What is known of a row. `sent`: the intent is written and no outcome yet. `done`: answered as it will stay.
 * `failed`: nothing was done, so it may be sent again. `unknown`: it was sent, and nobody knows.
 */
export type RowState = 'sent' | 'done' | 'failed' | 'unknown'

export interface LedgerRow {
  number: number
  state: RowState
  result: RowResult | undefined
  /** The result as JSON. */
  json: string
}

/** The memory of one run: an intent is in it before its call is sent, the outcome after. Rows are known by number alone. */
export interface Ledger {
  /** Rows that are known so far, in order; what is written meanwhile is not seen. */
  rows(): IterableIterator<LedgerRow>
  /** Resolves when the intent to send a row is on the disk, and with it every outcome that was given before. */
  intend(number: number): Promise<void>
  /** Notes an outcome. @returns the result as JSON, as it is kept */
  settle(number: number, state: Exclude<RowState, 'sent'>, result: RowResult): string
  /** Takes an intent back: the call did not leave this machine. */
  forget(number: number): void
  /** Writes what is still in memory. Throws `output` when there is no room. */
  flush(): void
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

/** Outcomes that may wait in memory where losing them costs a repeated read at most. */
const BATCH = 512

/**
 * @param ids `idHash` of each row's id, in the order of the file; empty where no later version of the file is compared with this one
 * @param durable true where intents are written: their outcomes go with the next of them, in one commit
 */
export function createLedger(db: DatabaseSync, path: string, ids: Float64Array, durable: boolean): Ledger {
  const put = db.prepare('insert or replace into row (number, state, result, id) values (?, ?, ?, ?)')
  const remove = db.prepare('delete from row where number = ?')
  const loss = watchDatabase(path)
  /** An intent in a file that nobody finds again would let its row be sent twice. */
  const look = () => {
    const what = loss()
    if (what !== undefined) throw ledgerLost(what)
  }
  let pending: Pending[] = []
  let waiting: Waiting[] = []

  const commit = (batch: readonly Pending[]) => {
    if (batch.length === 0) return
    look()
    try {
      db.exec('begin immediate')
      for (const { number, state, result } of batch) {
        if (state === 'forgotten') remove.run(number)
        else put.run(number, state, result, ids[number - 1] ?? null)
      }
      db.exec('commit')
    } catch (error) {
      if (db.isTransaction) db.exec('rollback')
      throw ledgerFailure(path, error)
    }
    look()
  }
  const flush = () => {
    const batch = pending
    pending = []
    commit(batch)
  }
  const flushForWaiting = () => {
    const told = waiting
    waiting = []
    try {
      flush()
      for (const { resolve } of told) resolve()
    } catch (error) {
      for (const { reject } of told) reject(error)
    }
  }

  return {
    *rows() {
      // A connection of its own sees one moment of the ledger, whatever is written while it reads.
      const reader = connectAgain(path)
      try {
        for (const row of reader.prepare('select number, state, result from row order by number').iterate()) {
          const json = row.result === null ? '' : String(row.result)
          const result = json === '' ? undefined : (parseKeepingDigits(json) as RowResult)
          yield { number: Number(row.number), state: row.state as RowState, result, json }
        }
      } finally {
        reader.close()
      }
    },
    intend(number) {
      pending.push({ number, state: 'sent', result: null })
      return new Promise((resolve, reject) => {
        // One commit for all workers that are ready now.
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
  }
}

const ledgerLost = (what: string) =>
  new BnplError('output', `${what} while this run was under way, so nothing more was sent`, {
    code: 'LEDGER_LOST',
    hint: 'What was sent is in the results so far. Put the ledger back before this file is run again.',
  })

function ledgerFailure(path: string, cause: unknown): unknown {
  const failure = sqliteFailure(path, cause)
  if (!(failure instanceof BnplError) || failure.kind !== 'output') return failure
  return new BnplError(
    'output',
    `the ledger of this run could not be written, so nothing more was sent: ${failure.message}`,
    {
      code: 'LEDGER_FULL',
      hint: `Make room there${roomInWords(path)}, then go on with --resume.`,
      cause,
    },
  )
}
