import { existsSync, lstatSync, rmSync, utimesSync } from 'node:fs'
import { platform } from 'node:os'
import { basename, dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Notice } from '../disk/private.ts'
import { renameFileSync } from '../disk/renaming.ts'
import { isDamage, openDatabase, sqliteFailure, WHOLE_SYNC } from '../disk/sqlite.ts'
import { config, usage } from '../errors.ts'

export interface JobFacts {
  command: string
  profile: string
  /** The absolute path of the input file, or `stdin`. */
  source: string
  /** SHA-256 of the input's content. */
  digest: string
  settings: string
  rows: number
  /** ISO 8601. */
  startedAt: string
  /** ISO 8601. Set when no row is left to send. */
  endedAt?: string
  pid: number
  /** The checksum (`createRowSum`) of the rows that need not be sent again. Set at the same time as `endedAt`. */
  sentSum?: string
  /** The days, such as `2026-11-28`, on which a later run saw that this run ended long ago. */
  oldOn?: string
}

const STEPS = [
  `create table job (name text primary key, value text not null) strict;
   create table row (number integer primary key, state text not null, result text) strict;`,
  'alter table row add column id integer;',
]

/** Opens the file of a ledger, or creates it (mode 0600). If `durable`, a commit survives a power failure. */
export async function openLedgerFile(path: string, durable: boolean, notice: Notice): Promise<DatabaseSync> {
  const synchronous = durable ? 'FULL' : 'OFF'
  const plan = { name: basename(path), steps: STEPS, synchronous } as const
  return (await openDatabase(dirname(path), plan, notice)).db
}

/** Returns the address with which SQLite opens an existing file. It accepts no host, so the host of a network share becomes part of the path. */
export function existingFile(path: string, windows: boolean = platform() === 'win32'): URL {
  const { host, pathname } = pathToFileURL(path, { windows })
  const url = new URL(host === '' ? `file://${pathname}` : `file:////${host}${pathname}`)
  url.searchParams.set('mode', 'rw')
  return url
}

/** Opens one more connection to an existing ledger. */
export function connectAgain(path: string): DatabaseSync {
  const db = new DatabaseSync(existingFile(path), { timeout: 10_000 })
  db.exec(WHOLE_SYNC)
  return db
}

/** Writes some facts of a run, and leaves the other facts as they are. Throws `output` when there is no room. */
export function writeFacts(db: DatabaseSync, facts: Partial<JobFacts>): void {
  try {
    const put = db.prepare('insert or replace into job (name, value) values (?, ?)')
    for (const [name, value] of Object.entries(facts)) if (value !== undefined) put.run(name, String(value))
  } catch (error) {
    throw sqliteFailure(db.location() ?? '', error)
  }
}

/** Reads the facts from a ledger. Returns undefined when the file is missing, is not a ledger, or has no facts yet. */
export function readFacts(path: string): JobFacts | undefined {
  let db: DatabaseSync | undefined
  try {
    db = connectAgain(path)
    const facts = new Map(
      db
        .prepare('select name, value from job')
        .all()
        .map((each) => [each.name, String(each.value)]),
    )
    if (!facts.has('digest')) return undefined
    const [endedAt, sentSum, oldOn] = [facts.get('endedAt'), facts.get('sentSum'), facts.get('oldOn')]
    return {
      command: facts.get('command') ?? '',
      profile: facts.get('profile') ?? '',
      source: facts.get('source') ?? '',
      digest: facts.get('digest') ?? '',
      settings: facts.get('settings') ?? '',
      rows: Number(facts.get('rows')),
      startedAt: facts.get('startedAt') ?? '',
      pid: Number(facts.get('pid')),
      ...(endedAt === undefined ? {} : { endedAt }),
      ...(sentSum === undefined ? {} : { sentSum }),
      ...(oldOn === undefined ? {} : { oldOn }),
    }
  } catch {
    return undefined
  } finally {
    db?.close()
  }
}

/**
 * Whether a ledger no longer shows which rows were sent: it has 0 bytes, or it is damaged. A ledger without tables is not lost, because its
 * run was killed before it sent a row.
 */
export function isLostLedger(path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false })?.size === 0) return true
  let db: DatabaseSync | undefined
  try {
    db = connectAgain(path)
    for (const table of ['job', 'row']) db.prepare(`select * from ${table} limit 1`).get()
    return false
  } catch (error) {
    return isDamage(error)
  } finally {
    db?.close()
  }
}

/**
 * Notes in a ledger the day on which it was seen to be old, and returns on how many different days that happened so far. Leaves the time of
 * the file unchanged.
 */
export function noteOldOn(path: string, { oldOn = '' }: JobFacts, day: string): number {
  const days = new Set(oldOn.split(' ').filter(Boolean))
  if (days.has(day)) return days.size
  days.add(day)
  const { atime, mtime } = lstatSync(path)
  const db = connectAgain(path)
  try {
    writeFacts(db, { oldOn: [...days].join(' ') })
  } finally {
    db.close()
  }
  utimesSync(path, atime, mtime)
  return days.size
}

/** Removes a ledger and the files that SQLite keeps beside it. */
export function removeLedger(path: string): void {
  for (const beside of FILES) rmSync(path + beside, { force: true })
}

/** Renames a ledger and the files that SQLite keeps beside it. */
export function moveLedger(from: string, to: string): void {
  for (const beside of FILES) if (existsSync(from + beside)) renameFileSync(from + beside, to + beside)
}

const FILES = ['', '-wal', '-shm']

export const NO_EARLIER_RUN = 'Every row is sent, because no earlier run of this file was found on this machine.'

const RESUME =
  'Add --resume to continue that run without sending anything twice, or --restart to send every row again. Nothing was sent.'

const WRITE_AGAIN =
  'Add --resume to write the results again; rows with a final answer are not sent again. Or add --restart to send every row again. Nothing was sent.'

export const unfinished = ({ startedAt }: JobFacts) =>
  usage(`an earlier run of this file (started ${startedAt}) did not finish`, RESUME, 'EARLIER_RUN')

export const alreadyRun = ({ startedAt }: JobFacts) =>
  usage(`the rows of this file were already sent by the run of ${startedAt}`, WRITE_AGAIN, 'EARLIER_RUN')

export const rowsChanged = ({ startedAt }: JobFacts) =>
  usage(
    `the run of ${startedAt} already sent rows of this file, and some of them were changed or removed afterwards`,
    'Put new rows into a separate file. To send every row again, even those that were already sent, add --restart. Nothing was sent now.',
    'EARLIER_RUN',
  )

export const changedMeanwhile = ({ startedAt }: JobFacts) =>
  usage(
    `the file was changed after its run of ${startedAt} began, and that run did not finish`,
    'Restore the old content and continue with --resume. Or add --restart, which sends every row of the new content. Nothing was sent.',
    'INPUT_CHANGED',
  )

export const otherSettings = (earlier: JobFacts, now: JobFacts) =>
  usage(
    `the run of ${earlier.startedAt} was started with other settings (${earlier.settings}; now ${now.settings})`,
    'Use the same settings to continue, or add --restart, which sends every row again. Nothing was sent.',
    'SETTINGS_CHANGED',
  )

export const lostLedger = (path: string) =>
  config(
    `the record of an earlier run of this file is damaged and was not changed (${path}); it is unknown which rows were sent`,
    'Find out from the results of the earlier run which rows were sent, and put the others into a new file. To send every row again, add --restart. Nothing was sent.',
    'STATE_DAMAGED',
  )

export const locked = (pid: number) =>
  config(
    `another process (pid ${pid}) is already sending the rows of this file`,
    'Wait for that process, or stop it. Nothing was sent.',
    'RUN_LOCKED',
  )
