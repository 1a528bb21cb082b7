import { createHash } from 'node:crypto'
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { makePrivateFolder, type Notice } from '../disk/private.ts'
import type { Claims } from './claims.ts'
import {
  type EarlierRun,
  earlierRuns,
  keepFinished,
  type RunRequest,
  refuseUnlessResumed,
  sortEarlier,
} from './earlier-runs.ts'
import { createLedger, type Ledger } from './ledger.ts'
import {
  isLostLedger,
  type JobFacts,
  locked,
  lostLedger,
  moveLedger,
  NO_EARLIER_RUN,
  noteOldOn,
  openLedgerFile,
  readFacts,
  removeLedger,
  writeFacts,
} from './ledger-file.ts'

interface JobRequest extends RunRequest {
  dir: string
  claims: Claims
  notice: Notice
}

/** Numbers of rows in a ledger. */
export interface StoredRows {
  /** All rows that were sent. The other two numbers are parts of this number. */
  sent: number
  /** Rows that failed, and that the next run sends again. */
  failed: number
  unknown: number
}

export interface Job {
  ledger: Ledger
  resumed: boolean
  /** Returns how many rows need not be sent, because an earlier run sent them. With `retryUnknown`, excludes rows of unknown outcome. */
  known(retryUnknown: boolean): number
  /** Counts the rows that this run and the earlier runs that it continues have sent. Undefined if the ledger cannot be read. */
  stored(): StoredRows | undefined
  /** The start time (ISO 8601) of the newest finished run whose results were copied. Undefined if there is none. */
  extends: string | undefined
  /**
   * Ends a run after every result was written. `endedAt` is ISO 8601. `sentSum` is the checksum of the rows that need not be sent again.
   */
  end(endedAt: string, sentSum: string): void
  pause(): void
  /** Ends a run that sent nothing. Restores the state before the run, including the ledger of an earlier run. */
  discard(): void
}

const DAY_MS = 86_400_000
const KEPT_MS = 90 * DAY_MS
const OLD_DAYS = 30

/**
 * Claims a run for this process, and finds or creates its ledger. A run is identified by its command, its profile and the content of its
 * file. Throws `usage` when an earlier run of this file forbids this run, and `config` when another process is doing this run.
 */
export async function openJob(request: JobRequest): Promise<Job> {
  const { dir, claims, facts, repeatable, restart, notice } = request
  makePrivateFolder(dir, notice)
  const of = `${facts.command}\n${facts.profile}`
  const place = short(`${of}\n${facts.source}`)
  const content = short(`${of}\n${facts.digest}`)
  // Claim the file's path too. Otherwise a second process could send the same rows after the file was changed. Stdin has no path.
  const names = facts.source === 'stdin' ? [runClaim(content)] : [runClaim(content), `input ${place}`]
  const taken = claims.take(names)
  if (taken !== undefined) throw locked(taken.pid)

  const files = readdirSync(dir).filter((name) => name.endsWith('.db'))
  const same = files.find((name) => name.endsWith(`-${content}.db`))
  const name = same ?? `${place}-${content}.db`
  const path = join(dir, name)
  const ofThisFile = (each: string) => facts.source !== 'stdin' && each.startsWith(`${place}-`)
  const ownFiles = repeatable ? [] : files.filter((each) => each === same || ofThisFile(each))
  const lost = ownFiles.map((each) => join(dir, each)).filter(isLostLedger)
  if (!restart && lost[0] !== undefined) throw lostLedger(lost[0])
  const earlier = same === undefined ? undefined : readFacts(path)
  if (earlier !== undefined && !restart) refuseUnlessResumed(earlier, request)
  const others = earlier === undefined ? earlierRuns(dir, files, place) : []
  const { finished, abandoned } = sortEarlier(others, request)
  sweep(dir, name, facts.startedAt, claims)

  const isNew = earlier === undefined
  // Rename an unreadable ledger, and remove it only when this run sends its first row. Until then, it is the only sign that rows may have
  // been sent before. Its new name still shows that it belongs to this file.
  const unreadable =
    isNew && restart && same !== undefined ? join(dir, `${place}-${short(`${content}\n${facts.pid}`)}.db`) : undefined
  if (unreadable !== undefined) moveLedger(path, unreadable)
  let db: DatabaseSync | undefined
  try {
    db = await openLedgerFile(path, !repeatable, notice)
    const kept = isNew && !restart && !repeatable ? await keepFinished(db, finished, request) : []
    if (request.resume && isNew && !repeatable && kept.length === 0) notice(NO_EARLIER_RUN)
    if (isNew || !restart) writeFacts(db, isNew ? facts : { pid: facts.pid })
    const lostOthers = lost.filter((each) => each !== path)
    return jobOf(db, path, request, {
      isNew,
      unreadable,
      lostOthers,
      kept,
      abandoned,
      replaced: restart ? finished : kept,
    })
  } catch (error) {
    db?.close()
    // Remove only a ledger that this run created. An earlier ledger may be the only record of the rows that were sent.
    const isMade = same === undefined || unreadable !== undefined
    if (isNew && (db !== undefined || isMade)) removeLedger(path)
    if (unreadable !== undefined) moveLedger(unreadable, path)
    throw error
  }
}

interface Relation {
  isNew: boolean
  /** The path of an earlier, unreadable ledger for this content of the file. It is removed when this run sends its first row. */
  unreadable: string | undefined
  /** The paths of lost ledgers of an earlier content of this file. They are removed when this run sends its first row. */
  lostOthers: readonly string[]
  /** Finished runs whose results were copied into this ledger. */
  kept: readonly EarlierRun[]
  /** Unfinished runs of an earlier content of this file. Their ledgers are removed when this run sends its first row. */
  abandoned: readonly EarlierRun[]
  /** Finished runs whose ledgers are removed when this run has finished. */
  replaced: readonly EarlierRun[]
}

function jobOf(db: DatabaseSync, path: string, request: JobRequest, relation: Relation): Job {
  const { repeatable, rows, claims, restart, facts } = request
  const { isNew, unreadable, lostOthers, kept, abandoned, replaced } = relation
  const isReplacing = restart && !isNew
  let isReplaced = false
  const close = () => {
    if (db.isOpen) db.close()
  }
  const remove = (paths: readonly string[]) => {
    for (const each of paths) whileOurs(each, claims, () => removeLedger(each))
  }
  const pathsOf = (runs: readonly EarlierRun[]) => runs.map((each) => each.path)
  const ledger = createLedger(db, {
    path,
    ids: rows.ids,
    durable: !repeatable,
    begin() {
      if (!isReplacing) return
      // Replace the earlier ledger only now. Until now, it has kept other runs from sending its rows twice.
      db.exec('delete from row; delete from job')
      writeFacts(db, facts)
      isReplaced = true
    },
    begun() {
      remove([...pathsOf(abandoned), ...lostOthers])
      if (unreadable !== undefined) removeLedger(unreadable)
    },
  })
  return {
    ledger,
    resumed: (!isNew && !restart) || kept.length > 0,
    extends: kept[0]?.facts.startedAt,
    known(retryUnknown) {
      if (isReplacing) return 0
      const states = repeatable || retryUnknown ? "('done')" : "('done', 'unknown', 'sent')"
      return Number(db.prepare(`select count(*) as n from row where state in ${states}`).get()?.n)
    },
    stored() {
      // Until this run sends its first row, the ledger belongs to the earlier run.
      if (isReplacing && !isReplaced) return { sent: 0, failed: 0, unknown: 0 }
      try {
        const states = db.prepare('select state, count(*) as n from row group by state').all()
        const of = (...names: string[]) =>
          states.reduce((sum, { state, n }) => (names.includes(String(state)) ? sum + Number(n) : sum), 0)
        return { sent: of('done', 'failed', 'unknown', 'sent'), failed: of('failed'), unknown: of('unknown', 'sent') }
      } catch {
        return undefined
      }
    },
    end(endedAt, sentSum) {
      writeFacts(db, { endedAt, sentSum })
      close()
      if (repeatable) removeLedger(path)
      remove(pathsOf(replaced))
    },
    pause: close,
    discard() {
      close()
      if (isNew) removeLedger(path)
      if (unreadable !== undefined) moveLedger(unreadable, path)
    },
  }
}

/**
 * Removes the ledgers of runs that ended more than 90 days ago, if later runs saw this on `OLD_DAYS` different days. A ledger prevents that
 * its rows are sent again, and the clock of a machine may be wrong on some days, so one reading of it is no reason to remove a ledger.
 * Another process may remove ledgers too, so a missing file is no error. Neither is a ledger that cannot be read or written.
 */
function sweep(dir: string, mine: string, now: string, claims: Claims): void {
  for (const name of readdirSync(dir)) {
    const path = join(dir, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!name.endsWith('.db') || name === mine || found === undefined) continue
    if (Date.parse(now) - found.mtimeMs < DAY_MS) continue
    const old = (): JobFacts | undefined => {
      const facts = readFacts(path)
      return Date.parse(now) - Date.parse(facts?.endedAt ?? now) > KEPT_MS ? facts : undefined
    }
    if (old() === undefined) continue
    whileOurs(path, claims, () => {
      const facts = old()
      if (facts === undefined) return
      try {
        if (noteOldOn(path, facts, now.slice(0, 10)) >= OLD_DAYS) removeLedger(path)
      } catch {} // A later run tries again.
    })
  }
}

function whileOurs(path: string, claims: Claims, work: () => void): void {
  const content = /-([0-9a-f]+)\.db$/.exec(path)?.[1] ?? ''
  claims.whileTaken(runClaim(content), work)
}

const runClaim = (content: string) => `run ${content}`
const short = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 24)
