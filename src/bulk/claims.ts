import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { type Claim, tryClaim } from '../disk/claim.ts'
import { watchDatabase } from '../disk/database-place.ts'
import { KEPT_FILES } from '../disk/kept-files.ts'
import { makePrivateFile, type Notice } from '../disk/private.ts'
import { openDatabase } from '../disk/sqlite.ts'
import { sqliteFailure } from '../disk/sqlite-failure.ts'
import { config } from '../errors.ts'

/** What a run has for itself while it lasts: the run, the file it reads, the files it writes. */
export interface Claims {
  /** Takes things by their names, all of them or none. @returns what another run has, and its process; undefined when they are ours */
  take(names: readonly string[]): Taken | undefined
  /** Does something while a thing is ours. @returns false, with nothing done, when another run has it */
  whileTaken(name: string, work: () => void): boolean
  /** Gives everything back. */
  release(): void
}

export interface Taken {
  name: string
  pid: number
}

export interface ClaimsPlace {
  /** Folder of the claims (mode 0700). */
  dir: string
  pid: number
  /** Whether a process of this machine lives. */
  isAlive(pid: number): boolean
  notice: Notice
}

const LOCK = basename(KEPT_FILES.claimsLock.name)
const STEPS = ['create table claim (name text primary key, lock text not null, pid integer not null) strict;']

/**
 * Opens the table of claims. Each run holds a lock file, which the kernel releases when its process ends; a claim counts as long as the
 * lock beside it is held, so what a killed run left counts no more. Lock files are made, looked at and removed inside transactions
 * of the table alone, so that no two runs can have one.
 */
export async function openClaims({ dir, pid, isAlive, notice }: ClaimsPlace): Promise<Claims> {
  const plan = { name: basename(KEPT_FILES.claims.name), steps: STEPS, synchronous: 'NORMAL' } as const
  const { db, path } = await openDatabase(dir, plan, notice)
  const loss = watchDatabase(path)
  /** What is claimed in a table that nobody else finds keeps nobody out. */
  const together = <T>(work: () => T): T => {
    const what = loss()
    if (what !== undefined) throw config(`${what} while this ran`, 'Run it again.', 'STATE_LOST')
    return inTransaction(db, work)
  }
  const mine = LOCK.replace('RANDOM', randomBytes(12).toString('hex'))
  const isHeld = (lock: string, holder: number) => {
    const path = join(dir, lock)
    // A run removes its lock with its claims; a lock that is missing beside a claim was removed by somebody else.
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
    makePrivateFile(join(dir, mine), notice)
    return tryClaim(join(dir, mine))
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
      try {
        together(() => forget(mine))
      } catch {} // On a full disk the claims stay, and count no more without their lock.
      lock?.release()
      db.close()
    },
  }
}

/** One transaction, alone: no other process looks at claims or locks meanwhile. */
function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  try {
    db.exec('begin immediate')
    const result = work()
    db.exec('commit')
    return result
  } catch (error) {
    if (db.isTransaction) db.exec('rollback')
    throw sqliteFailure(db.location() ?? '', error)
  }
}
