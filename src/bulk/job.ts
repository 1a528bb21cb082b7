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
import { moveLedger, openLedgerFile, readFacts, refuseEmptiedLedger, removeLedger, writeFacts } from './ledger-file.ts'
import { locked, NO_EARLIER_RUN } from './run-refusals.ts'

interface JobRequest extends RunRequest {
  /** Folder of the ledgers (mode 0700). */
  dir: string
  /** The claims of this process. The job claims its run and its file. */
  claims: Claims
  notice: Notice
}

/** A run, with its ledger. */
export interface Job {
  ledger: Ledger
  /** True when the ledger has rows of an earlier run. */
  resumed: boolean
  /** Counts the rows that an earlier run completed and this run does not send. @param retryUnknown whether rows of unknown outcome are sent */
  known(retryUnknown: boolean): number
  /** The start time (ISO 8601) of the finished run whose rows this file still contains; undefined without such a run. */
  extends: string | undefined
  /**
   * Ends a run that has no row left and has written every result. Removes the ledger of repeatable calls.
   * @param endedAt ISO 8601 @param sentSum `createRowSum` of the rows that need not be sent again
   */
  end(endedAt: string, sentSum: string): void
  /** Closes the ledger of a run that may be resumed later. */
  pause(): void
  /** Ends a run that sent nothing. Restores the state before the run, including the ledger of an earlier run. */
  discard(): void
}

const DAY_MS = 86_400_000
/** How long ledgers of ended runs are kept. */
const KEPT_MS = 90 * DAY_MS

/**
 * Finds or creates the ledger of a run, and keeps other processes away from it. A run is identified by command, profile and the file's
 * content. If rows were added to a finished file, that is a new run, which starts with the results of the rows already sent. A restarted
 * run replaces the earlier ledger only when it notes its first row. Until then it has sent nothing, and the earlier ledger must still
 * prevent rows from being sent twice. Throws `usage` when an earlier run prevents this one, or its file was changed; `config` when another
 * process is doing this run.
 */
export async function openJob(request: JobRequest): Promise<Job> {
  const { dir, claims, facts, repeatable, restart, notice } = request
  makePrivateFolder(dir, notice)
  const of = `${facts.command}\n${facts.profile}`
  const place = short(`${of}\n${facts.source}`)
  const content = short(`${of}\n${facts.digest}`)
  // Two pipes are never the same run. But if two runs read the same file, the second could repeat the calls of the first.
  const names = facts.source === 'stdin' ? [runClaim(content)] : [runClaim(content), `input ${place}`]
  const taken = claims.take(names)
  if (taken !== undefined) throw locked(taken.pid)

  const files = readdirSync(dir).filter((name) => name.endsWith('.db'))
  const same = files.find((name) => name.endsWith(`-${content}.db`))
  const name = same ?? `${place}-${content}.db`
  const path = join(dir, name)
  if (!repeatable && !restart) {
    const ofThisFile = (each: string) => facts.source !== 'stdin' && each.startsWith(`${place}-`)
    for (const each of files) if (each === same || ofThisFile(each)) refuseEmptiedLedger(join(dir, each))
  }
  const earlier = same === undefined ? undefined : readFacts(path)
  if (earlier !== undefined && !restart) refuseUnlessResumed(earlier, request)
  const others = earlier === undefined ? earlierRuns(dir, files, place) : []
  const { finished, abandoned } = sortEarlier(others, request)
  sweep(dir, name, facts.startedAt, claims)

  const isNew = earlier === undefined
  // An unreadable ledger is also replaced only when the first row is noted. Until then, it is renamed like the ledger of another run of the
  // same file.
  const unreadable =
    isNew && restart && same !== undefined ? join(dir, `${place}-${short(`${content}\n${facts.pid}`)}.db`) : undefined
  if (unreadable !== undefined) moveLedger(path, unreadable)
  let db: DatabaseSync | undefined
  try {
    db = await openLedgerFile(path, !repeatable, notice)
    const kept = isNew && !restart && !repeatable ? await keepFinished(db, finished, request) : []
    if (request.resume && isNew && !repeatable && kept.length === 0) notice(NO_EARLIER_RUN)
    if (isNew || !restart) writeFacts(db, isNew ? facts : { pid: facts.pid })
    return jobOf(db, path, request, { isNew, unreadable, kept, abandoned, replaced: restart ? finished : kept })
  } catch (error) {
    db?.close()
    // A ledger that could not be opened is not changed, unless it was created here: it may be the only record of what was sent.
    const isMade = same === undefined || unreadable !== undefined
    if (isNew && (db !== undefined || isMade)) removeLedger(path)
    if (unreadable !== undefined) moveLedger(unreadable, path)
    throw error
  }
}

/** How a job is related to earlier runs. */
interface Relation {
  /** The same content has no ledger. */
  isNew: boolean
  /** The temporary name of an unreadable ledger for the same content, until this run notes a row. */
  unreadable: string | undefined
  /** Finished runs whose results this run starts with. */
  kept: readonly EarlierRun[]
  /** Unfinished runs of other content. Their ledgers can be removed as soon as this run notes a row. */
  abandoned: readonly EarlierRun[]
  /** Finished runs whose ledgers can be removed when this run has finished. */
  replaced: readonly EarlierRun[]
}

function jobOf(db: DatabaseSync, path: string, request: JobRequest, relation: Relation): Job {
  const { repeatable, rows, claims, restart, facts } = request
  const { isNew, unreadable, kept, abandoned, replaced } = relation
  const isReplacing = restart && !isNew
  const close = () => {
    if (db.isOpen) db.close()
  }
  const remove = (runs: readonly EarlierRun[]) => {
    for (const each of runs) whileOurs(each.path, claims, () => removeLedger(each.path))
  }
  const ledger = createLedger(db, {
    path,
    ids: rows.ids,
    durable: !repeatable,
    begin() {
      if (!isReplacing) return
      db.exec('delete from row; delete from job')
      writeFacts(db, facts)
    },
    begun() {
      remove(abandoned)
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
    end(endedAt, sentSum) {
      writeFacts(db, { endedAt, sentSum })
      close()
      if (repeatable) removeLedger(path)
      remove(replaced)
    },
    pause: close,
    discard() {
      close()
      if (isNew) removeLedger(path)
      if (unreadable !== undefined) moveLedger(unreadable, path)
    },
  }
}

/** Removes the ledgers of runs that ended long ago. Other processes may do so at the same time. */
function sweep(dir: string, mine: string, now: string, claims: Claims): void {
  for (const name of readdirSync(dir)) {
    const path = join(dir, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!name.endsWith('.db') || name === mine || found === undefined) continue
    // Most ledgers are recent. Those need not be opened.
    if (Date.parse(now) - found.mtimeMs < DAY_MS) continue
    const isOld = () => Date.parse(now) - Date.parse(readFacts(path)?.endedAt ?? now) > KEPT_MS
    if (isOld()) whileOurs(path, claims, () => isOld() && removeLedger(path))
  }
}

/** Does the work with the ledger of another run, unless a process is doing that run at the moment. */
function whileOurs(path: string, claims: Claims, work: () => void): void {
  const content = /-([0-9a-f]+)\.db$/.exec(path)?.[1] ?? ''
  claims.whileTaken(runClaim(content), work)
}

const runClaim = (content: string) => `run ${content}`
const short = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 24)
