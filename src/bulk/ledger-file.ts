import { rmSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Notice } from '../disk/private.ts'
import { openDatabase } from '../disk/sqlite.ts'
import { sqliteFailure } from '../disk/sqlite-failure.ts'

/** What a run is about. No row's content is part of it. */
export interface JobFacts {
  command: string
  profile: string
  /** The file's absolute path; `stdin` where it has none. */
  source: string
  /** SHA-256 of the file's content. */
  digest: string
  /** Everything beside the rows that decides what is sent. */
  settings: string
  rows: number
  /** ISO 8601. */
  startedAt: string
  /** ISO 8601; set when every row was gone through. */
  endedAt?: string
  /** The process that is, or was last, at it. */
  pid: number
  /** What `createRowSum` makes of the rows that need not be sent again; set with `endedAt`. */
  sentSum?: string
}

const STEPS = [
  `create table job (name text primary key, value text not null) strict;
   create table row (number integer primary key, state text not null, result text) strict;`,
  // A hash of the row's id (`idHash`), by which a row is found again in a later version of the file.
  'alter table row add column id integer;',
]

/** Opens a ledger's file, making it (mode 0600) where there is none. @param durable true where a commit must survive a power failure */
export async function openLedgerFile(path: string, durable: boolean, notice: Notice): Promise<DatabaseSync> {
  // Reads can be made again: their notes need not survive a power failure.
  const synchronous = durable ? 'FULL' : 'OFF'
  const plan = { name: basename(path), steps: STEPS, synchronous } as const
  return (await openDatabase(dirname(path), plan, notice)).db
}

/** One more connection to a ledger that is there; makes none. */
export function connectAgain(path: string): DatabaseSync {
  const url = pathToFileURL(path)
  url.searchParams.set('mode', 'rw')
  return new DatabaseSync(url, { timeout: 10_000 })
}

/** Throws `output` when there is no room. */
export function writeFacts(db: DatabaseSync, facts: Partial<JobFacts>): void {
  try {
    const put = db.prepare('insert or replace into job (name, value) values (?, ?)')
    for (const [name, value] of Object.entries(facts)) if (value !== undefined) put.run(name, String(value))
  } catch (error) {
    throw sqliteFailure(db.location() ?? '', error)
  }
}

/** What a ledger is about; undefined when the file is gone, not a ledger, or not begun. */
export function readFacts(path: string): JobFacts | undefined {
  let db: DatabaseSync | undefined
  try {
    db = connectAgain(path)
    const facts: Record<string, string> = {}
    for (const { name, value } of db.prepare('select name, value from job').all()) facts[String(name)] = String(value)
    if (facts.digest === undefined) return undefined
    return { ...facts, rows: Number(facts.rows), pid: Number(facts.pid) } as unknown as JobFacts
  } catch {
    return undefined
  } finally {
    db?.close()
  }
}

export function removeLedger(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
}
