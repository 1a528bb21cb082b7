import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Claim, tryClaim } from '../disk/claim.ts'
import { watchDatabase } from '../disk/database-place.ts'
import { comparedName, KEPT_FILES, lookAt } from '../disk/kept-files.ts'
import type { Notice } from '../disk/private.ts'
import { inTransaction, openDatabase, sqliteFailure } from '../disk/sqlite.ts'
import { config } from '../errors.ts'

/** Claims keep two processes from doing the same run, or using the same file, at the same time. */
export interface Claims {
  /** Claims all of these names. If another process has claimed one of them, claims none, and returns that name and that process's id. */
  take(names: readonly string[]): Taken | undefined
  /** Claims a name, does the work, and releases the name. If another process has claimed the name, returns false and does nothing. */
  whileTaken(name: string, work: () => void): boolean
  release(): void
}

interface Taken {
  name: string
  pid: number
}

interface ClaimsPlace {
  dir: string
  pid: number
  isAlive(pid: number): boolean
  notice: Notice
}

const LOCK = basename(KEPT_FILES.claimsLock.name)
const STEPS = ['create table claim (name text primary key, lock text not null, pid integer not null) strict;']

/**
 * Opens the table of claims. The claims of a process are valid only while it locks its own lock file. The kernel removes this lock when the
 * process ends.
 */
export async function openClaims({ dir, pid, isAlive, notice }: ClaimsPlace): Promise<Claims> {
  const plan = { name: basename(KEPT_FILES.claims.name), steps: STEPS, synchronous: 'NORMAL' } as const
  const { db, path } = await openDatabase(dir, plan, notice)
  const loss = watchDatabase(path)
  /** Runs a transaction. Lock files are created, checked and removed only inside it, so that two processes never use the same lock file. */
  const together = <T>(work: () => T): T => {
    const what = loss()
    if (what !== undefined) throw config(`${what} during this run`, 'Run the command again.', 'STATE_LOST')
    try {
      return inTransaction(db, work)
    } catch (error) {
      throw sqliteFailure(path, error)
    }
  }
  const mine = LOCK.replace('RANDOM', randomBytes(12).toString('hex'))
  const isHeld = (lock: string, holder: number) => {
    const path = join(dir, lock)
    // A process removes its lock file together with its claims. If only the lock file is missing, another program removed it. The claims
    // are still valid while the process that made them runs.
    if (!existsSync(path)) return isAlive(holder)
    const claim = tryClaim(path)
    claim?.release()
    return claim === undefined
  }
  const forget = (lock: string) => {
    db.prepare('delete from claim where lock = ?').run(lock)
    rmSync(join(dir, lock), { force: true })
  }

  const holdLock = () => {
    const locks = readdirSync(dir).filter((name) => KEPT_FILES.claimsLock.paths.test(`claims/${name}`))
    for (const name of locks) if (!isHeld(name, 0)) forget(name)
    return tryClaim(join(dir, mine), notice)
  }
  let lock: Claim | undefined
  try {
    lock = together(holdLock)
  } catch (error) {
    db.close()
    throw error
  }

  const find = db.prepare('select lock, pid from claim where name = ?')
  const put = db.prepare('insert into claim (name, lock, pid) values (?, ?, ?)')
  const take = (names: readonly string[]): Taken | undefined => {
    for (const name of names) {
      const found = find.get(name)
      if (found === undefined || found.lock === mine) continue
      if (isHeld(String(found.lock), Number(found.pid))) return { name, pid: Number(found.pid) }
      forget(String(found.lock))
    }
    for (const name of names) if (find.get(name) === undefined) put.run(name, mine, pid)
    return undefined
  }
  return {
    take: (names) => together(() => take(names)),
    whileTaken(name, work) {
      if (together(() => take([name])) !== undefined) return false
      try {
        work()
      } finally {
        db.prepare('delete from claim where name = ?').run(name)
      }
      return true
    },
    release() {
      // First release the lock, because Windows does not remove a file that SQLite has open.
      lock?.release()
      try {
        together(() => forget(mine))
      } catch {} // On a full disk the claims stay in the table, but without their lock they are void.
      db.close()
    },
  }
}

/**
 * Claims the files that a run writes. Throws `config` when another run writes one of them.
 * @param paths absolute paths. A file in a missing folder is not claimed, because the run cannot create that file
 */
export function claimFiles(claims: Claims, paths: readonly (string | undefined)[]): void {
  for (const path of paths) {
    const name = path === undefined ? undefined : claimOf(path)
    const taken = name === undefined ? undefined : claims.take([name])
    if (taken === undefined) continue
    throw config(
      `${path} is being written by another run (pid ${taken.pid})`,
      'Wait for that process, or name another file. Nothing was sent.',
      'OUTPUT_LOCKED',
    )
  }
}

/** Returns the same name for all paths to the same file. Returns undefined when the folder of the file cannot be used. */
function claimOf(path: string): string | undefined {
  const real = existsSync(path) ? realpathSync.native(path) : path
  const folder = lookAt(dirname(real))
  return folder && `file ${folder.dev}:${folder.ino}/${comparedName(basename(real), dirname(real))}`
}
