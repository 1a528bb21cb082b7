import { createHash } from 'node:crypto'
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { makePrivateFolder, type Notice } from '../disk/private.ts'
import { config, usage } from '../errors.ts'
import type { Claims } from './claims.ts'
import { type CheckedRows, type EarlierRun, keepRows, nameRows } from './earlier-rows.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { type JobFacts, openLedgerFile, readFacts, refuseEmptied, removeLedger, writeFacts } from './ledger-file.ts'

export interface JobRequest {
  /** Folder of the ledgers (mode 0700). */
  dir: string
  /** What this process has for itself; the job takes its run and its file. */
  claims: Claims
  facts: JobFacts
  rows: CheckedRows
  /** Whether the calls may be repeated: their ledger goes when the run ended, others stay as a guard. */
  repeatable: boolean
  resume: boolean
  restart: boolean
  notice: Notice
}

export interface Job {
  ledger: Ledger
  /** True when the ledger holds rows of an earlier run. */
  resumed: boolean
  /** Rows that an earlier run settled and this one does not send. @param retryUnknown whether rows of unknown outcome are sent */
  known(retryUnknown: boolean): number
  /** When the finished run began whose rows this file still has (ISO 8601); undefined where there is none. */
  extends: string | undefined
  /**
   * Every row was gone through and every result is in its place; the ledger of repeatable calls is removed.
   * @param endedAt ISO 8601 @param sentSum `createRowSum` of the rows that need not be sent again
   */
  end(endedAt: string, sentSum: string): void
  /** Closes the ledger of a run that can be gone on with. */
  pause(): void
  /** Ends it as if it had not been begun: nothing was sent. */
  discard(): void
}

const DAY_MS = 86_400_000
/** Ledgers of ended runs are kept this long. */
const KEPT_MS = 90 * DAY_MS

/**
 * Finds or makes the ledger of a run and keeps other processes off it. A run is known by command, profile and the file's content; a
 * finished file that has more rows now is a run of its own, which begins with the results of those that were sent.
 * Throws `usage` when an earlier run is in the way (or its file was changed), `config` when another process is at it.
 */
export async function openJob(request: JobRequest): Promise<Job> {
  const { dir, claims, facts, repeatable, restart, notice } = request
  makePrivateFolder(dir, notice)
  const of = `${facts.command}\n${facts.profile}`
  const place = short(`${of}\n${facts.source}`)
  const content = short(`${of}\n${facts.digest}`)
  // Two pipes have nothing in common; of two runs of one file the second could repeat what the first is sending.
  const names = facts.source === 'stdin' ? [runClaim(content)] : [runClaim(content), `input ${place}`]
  const taken = claims.take(names)
  if (taken !== undefined) throw locked(taken.pid)

  const files = readdirSync(dir).filter((name) => name.endsWith('.db'))
  const same = files.find((name) => name.endsWith(`-${content}.db`))
  const name = same ?? `${place}-${content}.db`
  const path = join(dir, name)
  if (!repeatable && !restart) {
    const ofThisFile = (each: string) => facts.source !== 'stdin' && each.startsWith(`${place}-`)
    for (const each of files) if (each === same || ofThisFile(each)) refuseEmptied(join(dir, each))
  }
  const earlier = same === undefined ? undefined : readFacts(path)
  if (earlier !== undefined && !restart) refuseUnlessResumed(earlier, request)
  const others = earlier === undefined ? earlierRuns(dir, files, place) : []
  const finished = clearUnfinished(others, request)
  if (restart) removeLedger(path)
  sweep(dir, name, facts.startedAt, claims)

  const isNew = earlier === undefined || restart
  const db = await openLedgerFile(path, !repeatable, notice)
  try {
    const kept = isNew && !restart && !repeatable ? await keepFinished(db, finished, request) : []
    if (request.resume && isNew && !repeatable && kept.length === 0) notice(NO_EARLIER_RUN)
    writeFacts(db, isNew ? facts : { pid: facts.pid })
    return jobOf(db, path, request, { isNew, kept, replaced: restart ? finished : kept })
  } catch (error) {
    db.close()
    if (isNew) removeLedger(path)
    throw error
  }
}

/** How a job relates to runs before it. */
interface Begun {
  isNew: boolean
  /** Finished runs whose results it begins with. */
  kept: readonly EarlierRun[]
  /** Finished runs whose ledgers say nothing more once this one is over. */
  replaced: readonly EarlierRun[]
}

function jobOf(db: DatabaseSync, path: string, request: JobRequest, { isNew, kept, replaced }: Begun): Job {
  const { repeatable, rows, claims } = request
  const close = () => {
    if (db.isOpen) db.close()
  }
  return {
    ledger: createLedger(db, path, rows.ids, !repeatable),
    resumed: !isNew || kept.length > 0,
    extends: kept[0]?.facts.startedAt,
    known(retryUnknown) {
      const states = repeatable || retryUnknown ? "('done')" : "('done', 'unknown', 'sent')"
      return Number(db.prepare(`select count(*) as n from row where state in ${states}`).get()?.n)
    },
    end(endedAt, sentSum) {
      writeFacts(db, { endedAt, sentSum })
      close()
      if (repeatable) removeLedger(path)
      for (const each of replaced) whileOurs(each.path, claims, () => removeLedger(each.path))
    },
    pause: close,
    discard() {
      close()
      if (isNew) removeLedger(path)
    },
  }
}

function refuseUnlessResumed(earlier: JobFacts, { facts, resume }: JobRequest): void {
  if (!resume) throw earlier.endedAt === undefined ? unfinished(earlier) : alreadyRun(earlier)
  if (earlier.settings !== facts.settings) throw otherSettings(earlier, facts)
}

/** Runs of the same file with other content. */
function earlierRuns(dir: string, files: readonly string[], place: string): EarlierRun[] {
  return files
    .filter((name) => name.startsWith(`${place}-`))
    .map((name) => ({ path: join(dir, name), facts: readFacts(join(dir, name)) }))
    .filter((each): each is EarlierRun => each.facts !== undefined)
}

/**
 * An unfinished run of the same file with other content: going on is impossible, and beginning anew could repeat what was sent.
 * @returns the runs that are finished, the latest first; for stdin, where nothing says that it is the same file, all of them
 */
function clearUnfinished(others: readonly EarlierRun[], request: JobRequest): EarlierRun[] {
  const { facts, resume, restart, repeatable } = request
  if (facts.source !== 'stdin') {
    for (const { path, facts: earlier } of others.filter(({ facts }) => facts.endedAt === undefined)) {
      if (!restart && (resume || !repeatable)) throw changedMeanwhile(earlier)
      removeLedger(path)
    }
  }
  const isLeft = ({ facts: { endedAt } }: EarlierRun) => facts.source === 'stdin' || endedAt !== undefined
  const when = ({ facts: { endedAt = '' } }: EarlierRun) => endedAt
  return others.filter(isLeft).sort((a, b) => when(b).localeCompare(when(a)))
}

/**
 * Takes over what finished runs of this file sent, so that only the rest is sent now. Throws `usage` where such a row was changed, or
 * nothing is left to send. @returns the runs whose rows were taken over
 */
async function keepFinished(
  db: DatabaseSync,
  runs: readonly EarlierRun[],
  { facts, rows, resume }: JobRequest,
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

/** Removes the ledgers of runs that ended long ago. Other processes may do the same at the same time. */
function sweep(dir: string, mine: string, now: string, claims: Claims): void {
  for (const name of readdirSync(dir)) {
    const path = join(dir, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!name.endsWith('.db') || name === mine || found === undefined) continue
    // Most are young: they are not opened.
    if (Date.parse(now) - found.mtimeMs < DAY_MS) continue
    const isOld = () => Date.parse(now) - Date.parse(readFacts(path)?.endedAt ?? now) > KEPT_MS
    if (isOld()) whileOurs(path, claims, () => isOld() && removeLedger(path))
  }
}

/** Does something with the ledger of another run, unless a process is at that just now. */
function whileOurs(path: string, claims: Claims, work: () => void): void {
  const content = /-([0-9a-f]+)\.db$/.exec(path)?.[1] ?? ''
  claims.whileTaken(runClaim(content), work)
}

const NO_EARLIER_RUN = 'No earlier run of this file was found on this machine: every row is sent.'

const RESUME = 'Nothing was sent. --resume goes on with it and sends nothing twice; --restart sends every row again.'

const unfinished = ({ startedAt }: JobFacts) =>
  usage(`an earlier run of this file (begun ${startedAt}) did not get to its end`, RESUME, 'EARLIER_RUN')

const alreadyRun = ({ startedAt }: JobFacts) =>
  usage(`this file was already run (${startedAt}), and its calls should not be made twice`, RESUME, 'EARLIER_RUN')

const rowsChanged = ({ startedAt }: JobFacts) =>
  usage(
    `rows that the run of ${startedAt} sent were changed or removed since, and its calls should not be made twice`,
    'Nothing was sent. Put new rows into a file of their own; --restart sends every row of this one again.',
    'EARLIER_RUN',
  )

const changedMeanwhile = ({ startedAt }: JobFacts) =>
  usage(
    `the file was changed since its run of ${startedAt} began, which did not get to its end`,
    'Nothing was sent. Put the old content back to go on with --resume; --restart sends every row of the new one.',
    'INPUT_CHANGED',
  )

const otherSettings = (earlier: JobFacts, now: JobFacts) =>
  usage(
    `the run of ${earlier.startedAt} was begun with other settings (${earlier.settings}; now ${now.settings})`,
    'Nothing was sent. Go on with the same settings, or use --restart.',
    'SETTINGS_CHANGED',
  )

const locked = (pid: number) =>
  config(
    `another process (pid ${pid}) is at the run of this file`,
    'Nothing was sent. Wait for that process, or stop it.',
    'RUN_LOCKED',
  )

const runClaim = (content: string) => `run ${content}`
const short = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 24)
