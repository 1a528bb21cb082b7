import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { type Claim, tryClaim } from '../disk/claim.ts'
import { makePrivateFile, type Notice } from '../disk/private.ts'
import { openDatabase } from '../disk/sqlite.ts'
import { sqliteFailure } from '../disk/sqlite-failure.ts'
import { config } from '../errors.ts'
import type { Inbox } from './inbox.ts'
import { createReader } from './inbox-reader.ts'
import { INBOX_MIGRATIONS } from './inbox-schema.ts'
import { createWriter } from './inbox-writer.ts'
import { createReserve, withReserve } from './reserve.ts'

/**
 * The inbox as a SQLite file, `inbox.db` in the state directory: WAL, and synchronous=FULL, so that a commit is on the disk when it
 * returns. When there is no room left, a reserve of 4 MiB is given to it before anything is refused.
 * @param notice says what was put right, and that the reserve is in use
 */
export async function openInbox(stateDir: string, notice: Notice = () => {}): Promise<Inbox> {
  const plan = { name: INBOX_FILE, migrations: INBOX_MIGRATIONS, synchronous: 'FULL', pageSize: PAGE_BYTES } as const
  const { db, path } = await openDatabase(stateDir, plan, notice)
  const reserve = createReserve(join(stateDir, 'inbox.reserve'))
  const guarded = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw sqliteFailure(path, error)
    }
  }
  db.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`)
  const writer = guarded(() => createWriter(db))
  const reader = createReader(db)
  let claim: Claim | undefined
  const attempt = withReserve(
    reserve,
    () => emptyLog(db),
    () => notice('the disk is full: the inbox is living on its reserve of 4 MiB; make room now'),
  )
  return {
    ...reader,
    ...unshared,
    async claim(owner) {
      claim = claimInbox(stateDir, owner, notice)
      if (!reserve.restore()) notice('there is no room for the reserve of 4 MiB: the disk is nearly full')
    },
    commit: async (batch) => attempt(() => guarded(() => writer.commit(batch))),
    probe: async () => attempt(() => guarded(() => writer.setFact('probe', String(Math.random())))),
    prune: async (before) => guarded(() => writer.prune(before)),
    setOwnDestination: async (destination) =>
      guarded(() => writer.setFact('own_destination', destination && JSON.stringify(destination))),
    async close() {
      db.close()
      claim?.release()
    },
  }
}

/** A file has one receiver: nothing happens besides it, and every destination is its own. */
export const unshared: Pick<Inbox, 'shared' | 'watch' | 'take' | 'release' | 'holds'> = {
  shared: false,
  watch: () => {},
  take: async () => true,
  release: async () => {},
  holds: () => true,
}

/** The inbox's name in the state directory. */
export const INBOX_FILE = 'inbox.db'

/** A page holds a few events: measured, this costs a fifth less than SQLite's 4096, and larger ones make the index dear. */
const PAGE_BYTES = 8192

/** Pages of the log (16 MiB) before they are moved into the database: pages that are written again and again are moved once. */
const LOG_PAGES = 2000

/** Moves the log into the database, as far as there is room for that. */
function emptyLog(db: DatabaseSync): void {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // What it could not do is met again by the commit that follows.
  }
}

function claimInbox(stateDir: string, owner: { pid: number; address: string }, notice: Notice): Claim {
  const path = join(stateDir, 'inbox.lock')
  const ownerPath = join(stateDir, 'inbox.owner')
  makePrivateFile(path, notice)
  makePrivateFile(ownerPath, notice)
  const claim = tryClaim(path)
  if (!claim) {
    const [pid = '?', address = ''] = readFileSync(ownerPath, 'utf8').trim().split(' ')
    throw config(
      `another listener already receives into this inbox: pid ${pid}${address && `, ${address}`}`,
      `Stop it (kill ${pid}), or give this one its own BNPL_STATE_DIR.`,
      'LISTENER_RUNNING',
    )
  }
  writeFileSync(ownerPath, `${owner.pid} ${owner.address}\n`)
  return claim
}
