import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { isDamage } from '../disk/sqlite.ts'
import { createRowSum } from './id-hashes.ts'
import {
  alreadyRun,
  changedMeanwhile,
  type JobFacts,
  lostLedger,
  otherSettings,
  readFacts,
  rowsChanged,
  unfinished,
} from './ledger-file.ts'
import type { Values } from './row.ts'

export interface EarlierRun {
  path: string
  facts: JobFacts
}

export interface CheckedRows {
  ids: Float64Array
  again(): AsyncGenerator<readonly Values[]>
}

export interface RunRequest {
  facts: JobFacts
  rows: CheckedRows
  repeatable: boolean
  resume: boolean
  restart: boolean
}

/** Throws `usage` when an earlier run read the same file, unless `--resume` is given and both runs have the same settings. */
export function refuseUnlessResumed(earlier: JobFacts, { facts, resume }: RunRequest): void {
  if (!resume) throw earlier.endedAt === undefined ? unfinished(earlier) : alreadyRun(earlier)
  if (earlier.settings !== facts.settings) throw otherSettings(earlier, facts)
}

/**
 * Returns the earlier runs of this file.
 * @param files the names of the ledgers in `dir`
 * @param place the first part of the names of this file's ledgers
 */
export function earlierRuns(dir: string, files: readonly string[], place: string): EarlierRun[] {
  return files
    .filter((each) => each.startsWith(`${place}-`))
    .flatMap((each) => {
      const path = join(dir, each)
      const facts = readFacts(path)
      return facts === undefined ? [] : [{ path, facts }]
    })
}

/**
 * Separates the earlier runs of this file into finished runs, newest first, and unfinished runs (`abandoned`). Without `restart`, throws
 * `usage` for an unfinished run if `resume` is set or if the calls are not safe to repeat. Every run of stdin counts as finished
 * here, because it may have read other rows. `keepFinished` compares the rows.
 */
export function sortEarlier(
  others: readonly EarlierRun[],
  { facts, resume, restart, repeatable }: RunRequest,
): { finished: EarlierRun[]; abandoned: EarlierRun[] } {
  const isFinished = ({ facts: { endedAt } }: EarlierRun) => facts.source === 'stdin' || endedAt !== undefined
  const when = ({ facts: { endedAt = '' } }: EarlierRun) => endedAt
  const abandoned = others.filter((each) => !isFinished(each))
  const [first] = abandoned
  if (first !== undefined && !restart && (resume || !repeatable)) throw changedMeanwhile(first.facts)
  return { abandoned, finished: others.filter(isFinished).sort((a, b) => (when(a) < when(b) ? 1 : -1)) }
}

/**
 * Copies results from finished runs of this file, so that the rows that those runs sent are not sent again. Returns the runs whose results
 * it copied. Throws `usage` when a row was changed or removed after it was sent, or when a run that sent rows of this file had other
 * settings or did not finish. Without `--resume`, also throws `usage` when every row was already sent.
 */
export async function keepFinished(
  db: DatabaseSync,
  runs: readonly EarlierRun[],
  { facts, rows, resume }: RunRequest,
): Promise<EarlierRun[]> {
  if (runs.length === 0) return []
  const kept: EarlierRun[] = []
  nameRows(db, rows)
  for (const run of runs) {
    const overlap = await keepRows(db, run, rows)
    if (overlap === 'none') continue
    if (run.facts.endedAt === undefined) throw changedMeanwhile(run.facts)
    if (run.facts.settings !== facts.settings) throw otherSettings(run.facts, facts)
    if (overlap === 'changed') throw rowsChanged(run.facts)
    kept.push(run)
  }
  const [latest] = kept
  const isAll = Number(db.prepare('select count(*) as n from row').get()?.n) === facts.rows
  if (latest !== undefined && isAll && !resume) throw alreadyRun(latest.facts)
  return kept
}

type Overlap =
  | 'none'
  /** Every row that was sent is still in the file and has not changed. */
  | 'kept'
  /** Some of the rows that were sent have changed, or are missing in the file. */
  | 'changed'

/** Selects the rows that must not be sent again. A row that failed may be corrected and sent again. */
const SENT = `(old.row.state in ('sent', 'unknown') or (old.row.state = 'done' and json_extract(old.row.result, '$.outcome') <> 'failed'))`

/**
 * Stores the hashes of the file's ids. If two ids have the same hash, this hash is stored only once. `keepRows` then finds fewer hashes
 * than rows, and copies no results at all.
 */
function nameRows(db: DatabaseSync, { ids }: CheckedRows): void {
  db.exec('create temp table fresh (id integer primary key, number integer not null); begin')
  const put = db.prepare('insert or ignore into fresh (id, number) values (?, ?)')
  for (const [i, id] of ids.entries()) put.run(id, i + 1)
  db.exec('commit')
}

async function keepRows(db: DatabaseSync, earlier: EarlierRun, rows: CheckedRows): Promise<Overlap> {
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
  } catch (error) {
    throw isDamage(error) ? lostLedger(earlier.path) : error
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
