import { createHash } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Claim, tryClaim } from '../disk/claim.ts'
import { makePrivateFolder, type Notice } from '../disk/private.ts'
import { config, usage } from '../errors.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { type JobFacts, openLedgerFile, readFacts, removeLedger, writeFacts } from './ledger-file.ts'

export interface JobRequest {
  /** Folder of the ledgers (mode 0700). */
  dir: string
  facts: JobFacts
  /** Whether the calls may be repeated: their ledger goes when the run ended, others stay as a guard. */
  repeatable: boolean
  resume: boolean
  restart: boolean
  notice: Notice
}

export interface Job {
  ledger: Ledger
  /** True when an earlier run's ledger is continued. */
  resumed: boolean
  /** @param endedAt ISO 8601, when every row was gone through; the ledger of repeatable calls is then removed */
  close(endedAt?: string): void
  /** Ends it as if it had not been begun: nothing was sent. */
  discard(): void
}

const DAY_MS = 86_400_000
/** Ledgers of ended runs are kept this long. */
const KEPT_MS = 90 * DAY_MS

/**
 * Finds or makes the ledger of a run and keeps other processes off it. A run is known by command, profile and the file's content.
 * Throws `usage` where an earlier run stands in the way (or its file was changed), `config` where another process is at it.
 */
export async function openJob(request: JobRequest): Promise<Job> {
  const { dir, facts, repeatable, restart, notice } = request
  makePrivateFolder(dir, notice)
  const place = short(`${facts.command}\n${facts.profile}\n${facts.source}`)
  const content = short(`${facts.command}\n${facts.profile}\n${facts.digest}`)
  const files = readdirSync(dir)
  const same = files.find((name) => name.endsWith(`-${content}.db`))
  const name = same ?? `${place}-${content}.db`
  const path = join(dir, name)
  const lock = takeLock(lockOf(path), notice)
  if (lock === undefined) throw taken(path)
  try {
    const earlier = same === undefined ? undefined : readFacts(path)
    if (earlier === undefined) clearOthers(files, place, request)
    else if (!restart) refuseUnlessResumed(earlier, request)
    if (restart) removeLedger(path)
    sweep(dir, name, facts.startedAt, notice)
    const resumed = earlier !== undefined && !restart
    const db = await openLedgerFile(path, !repeatable, notice)
    writeFacts(db, resumed ? { pid: facts.pid } : facts)
    return {
      ledger: createLedger(db, path, !repeatable),
      resumed,
      close(endedAt) {
        if (endedAt !== undefined) writeFacts(db, { endedAt })
        db.close()
        if (endedAt !== undefined && repeatable) removeLedger(path)
        lock.release()
      },
      discard() {
        db.close()
        if (!resumed) removeLedger(path)
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

function refuseUnlessResumed(earlier: JobFacts, { facts, resume }: JobRequest): void {
  if (!resume) {
    throw usage(
      earlier.endedAt === undefined
        ? `an earlier run of this file (begun ${earlier.startedAt}) did not get to its end`
        : `this file was already run (${earlier.startedAt}), and its calls should not be made twice`,
      'Nothing was sent. --resume goes on with it and sends nothing twice; --restart sends every row again.',
      'EARLIER_RUN',
    )
  }
  if (earlier.settings === facts.settings) return
  throw usage(
    `the run of ${earlier.startedAt} was begun with other settings (${earlier.settings}; now ${facts.settings})`,
    'Nothing was sent. Go on with the same settings, or use --restart.',
    'SETTINGS_CHANGED',
  )
}

/** The same file with other content: going on is impossible, and beginning anew could repeat what was sent. */
function clearOthers(files: readonly string[], place: string, request: JobRequest): void {
  const { dir, facts, resume, restart, repeatable } = request
  if (facts.source === 'stdin') return
  for (const name of files.filter((each) => each.startsWith(`${place}-`) && each.endsWith('.db'))) {
    const path = join(dir, name)
    const earlier = readFacts(path)
    if (earlier === undefined || earlier.endedAt !== undefined) continue
    const lock = takeLock(lockOf(path), request.notice)
    if (lock === undefined) throw taken(path)
    lock.release()
    if (!restart && (resume || !repeatable)) {
      throw usage(
        `the file was changed since its run of ${earlier.startedAt} began, which did not get to its end`,
        'Nothing was sent. Put the old content back to go on with --resume; --restart sends every row of the new one.',
        'INPUT_CHANGED',
      )
    }
    removeLedger(path)
  }
}

function taken(path: string) {
  const pid = readFacts(path)?.pid
  return config(
    `another process${pid === undefined ? '' : ` (pid ${pid})`} is at the run of this file`,
    'Nothing was sent. Wait for that process, or stop it.',
    'RUN_LOCKED',
  )
}

/** Removes what nobody comes back for: ledgers that ended long ago, and locks without a ledger. */
function sweep(dir: string, mine: string, now: string, notice: Notice): void {
  const files = readdirSync(dir)
  for (const name of files) {
    const path = join(dir, name)
    if (name.startsWith(mine) || Date.parse(now) - statSync(path).mtimeMs < DAY_MS) continue
    if (name.endsWith('.db')) {
      const endedAt = readFacts(path)?.endedAt
      if (endedAt !== undefined && Date.parse(now) - Date.parse(endedAt) > KEPT_MS) removeLedger(path)
    } else if (name.endsWith('.lock') && !files.includes(name.slice(0, -'.lock'.length))) {
      const lock = takeLock(path, notice)
      if (lock === undefined) continue
      rmSync(path, { force: true })
      lock.release()
    }
  }
}

/** The lock of a run: it ends with the process, however that ends; the empty file stays. */
function takeLock(path: string, notice: Notice): Claim | undefined {
  return tryClaim(path, notice)
}

const lockOf = (path: string) => `${path}.lock`
const short = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 24)
