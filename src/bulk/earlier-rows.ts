import type { DatabaseSync } from 'node:sqlite'
import type { JobFacts } from './ledger-file.ts'
import type { Values } from './row.ts'
import { createRowSum } from './row-sum.ts'

/** A ledger of an earlier run. */
export interface EarlierRun {
  path: string
  facts: JobFacts
}

/** The rows of a file that was checked. */
export interface CheckedRows {
  /** `idHash` of each row's id, in the order of the file. */
  ids: Float64Array
  /** The rows once more from the beginning. */
  again(): AsyncGenerator<readonly Values[]>
}

/** What a new file has in common with an earlier run of it. */
export type Overlap =
  /** No row that was sent. */
  | 'none'
  /** Rows that were sent, all of them, as they were: their results are in the new ledger now. */
  | 'kept'
  /** Rows that were sent, of which some were changed or are missing. */
  | 'changed'

/** Rows that were sent to effect, or may have been; a row that failed may be sent again. */
const SENT = `(old.row.state in ('sent', 'unknown') or (old.row.state = 'done' and json_extract(old.row.result, '$.outcome') <> 'failed'))`

/** Gets a ledger ready for `keepRows`: which of its rows has which id. Two rows of one hash make every comparison with them `changed`. */
export function nameRows(db: DatabaseSync, { ids }: CheckedRows): void {
  db.exec('create temp table fresh (id integer primary key, number integer not null); begin')
  const put = db.prepare('insert or ignore into fresh (id, number) values (?, ?)')
  for (let i = 0; i < ids.length; i++) put.run(ids[i] as number, i + 1)
  db.exec('commit')
}

/** Compares the rows of a new ledger with those of an earlier run, and takes over the results of those that were sent. */
export async function keepRows(db: DatabaseSync, earlier: EarlierRun, rows: CheckedRows): Promise<Overlap> {
  db.prepare('attach ? as old').run(earlier.path)
  try {
    const count = (sql: string) => Number(db.prepare(`select count(*) as n from ${sql}`).get()?.n)
    const common = count(`old.row join fresh using (id) where ${SENT}`)
    if (common === 0) return 'none'
    if (common !== count(`old.row where ${SENT}`) || count('fresh') !== rows.ids.length) return 'changed'
    const numbers = db
      .prepare(`select fresh.number from old.row join fresh using (id) where ${SENT} order by fresh.number`)
      .iterate()
    if ((await sumOf(rows, numbers)) !== earlier.facts.sentSum) return 'changed'
    db.exec(
      `insert or ignore into main.row (number, state, result, id)
       select fresh.number, old.row.state, old.row.result, id from old.row join fresh using (id) where ${SENT}`,
    )
    return 'kept'
  } finally {
    db.exec('detach old')
  }
}

async function sumOf(rows: CheckedRows, numbers: Iterator<Record<string, unknown>>): Promise<string> {
  const sum = createRowSum()
  let next = numbers.next()
  let number = 0
  for await (const batch of rows.again()) {
    for (const values of batch) {
      number++
      if (next.done || next.value.number !== number) continue
      sum.add(values)
      next = numbers.next()
    }
  }
  return sum.value()
}
