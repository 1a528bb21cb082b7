import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Claim, tryClaim } from '../disk/claim.ts'
import { makePrivateFile, type Notice } from '../disk/private.ts'
import { config } from '../errors.ts'
import type { Inbox } from './inbox.ts'
import { openInboxDatabase } from './inbox-database.ts'
import { createReader } from './inbox-reader.ts'

/** The inbox as a file, with what its own thread does besides. */
export interface FileInbox extends Inbox {
  /** Moves the log into the database, as far as nobody reads it. */
  checkpoint(): Promise<void>
}

/**
 * The inbox as a SQLite file, `inbox.db` in the state directory: WAL, and synchronous=FULL, so that a commit is on the disk when it
 * returns. When there is no room left, a reserve of 4 MiB is given to it before anything is refused.
 * @param notice says what was put right, and that the reserve is in use
 */
export async function openInbox(stateDir: string, notice: Notice = () => {}): Promise<FileInbox> {
  const { db, writer, reserve, guarded, stored } = await openInboxDatabase(stateDir, 'FULL', notice)
  const reader = createReader(db)
  let claim: Claim | undefined
  return {
    ...reader,
    ...unshared,
    async claim(owner) {
      claim = claimInbox(stateDir, owner, notice)
      if (!reserve.restore()) notice('there is no room for the reserve of 4 MiB: the disk is nearly full')
    },
    commit: async (batch) => stored(() => writer.commit(batch)),
    probe: async () => stored(() => writer.setFact('probe', String(Math.random()))),
    confirm: async (seq, confirmation) => guarded(() => writer.confirm(seq, confirmation)),
    prune: async (before) => guarded(() => writer.prune(before)),
    setOwnDestination: async (destination) =>
      guarded(() => writer.setFact('own_destination', destination && JSON.stringify(destination))),
    checkpoint: async () => guarded(() => db.exec('PRAGMA wal_checkpoint(PASSIVE)')),
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
