import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { isDatabaseAt } from '../../disk/database-place.ts'
import { KEPT_FILES } from '../../disk/kept-files.ts'
import { makeFile, makePrivateFolder, type Notice } from '../../disk/private.ts'
import { sqliteFailure } from '../../disk/sqlite-failure.ts'
import { shellQuoted } from '../../text/shell-word.ts'
import { type Inbox, OWN_DESTINATION, ownDestinationOf } from '../inbox.ts'
import { claimInbox, type InboxClaim } from './inbox-claim.ts'
import { openInboxFile, refuseDamaged, USUAL_BYTES } from './inbox-file.ts'
import { createFileReader } from './reader.ts'

export interface FileInbox extends Inbox {
  checkpoint(): Promise<void>
  /**
   * Creates the lock file again if it was removed.
   * @throws `config` when another receiver has claimed the inbox
   */
  keepClaim(): Promise<void>
  /** Copies the inbox into a new file in the state directory, even if the inbox's own file was removed. Returns the path of the copy. */
  save(): Promise<string>
}

/**
 * Opens the inbox as a SQLite file, `inbox.db` in the state directory. When `commit` returns, the events are on the disk.
 * @param notice called after a repair, and when the reserve file is removed because the disk is full
 */
export async function openInbox(stateDir: string, notice: Notice = () => {}): Promise<FileInbox> {
  const { db, path, writer, reserve, guarded, stored } = await openInboxFile(stateDir, 'FULL', notice)
  let claim: InboxClaim | undefined
  return {
    ...createFileReader(db, guarded),
    ...unshared,
    async claim(owner) {
      claim = await claimInbox(stateDir, owner, notice)
      guarded(() => refuseDamaged(db, path))
      // The notes name destinations that the receiver of the original still uses.
      if (claim.isCopy) guarded(writer.forgetOwnDestinations)
      reserve.check(notice)
      if (!reserve.restore())
        notice('the disk is nearly full, so there is no room for the inbox’s reserve of 4 MiB. Make room now')
      for (const saved of savedInboxes(stateDir)) notice(stillSaved(saved, path))
      stored(() => writer.probe(USUAL_BYTES))
    },
    async keepClaim() {
      await claim?.keep()
    },
    save: async () => saveInbox(db, stateDir, new Date().toISOString()),
    commit: async (batch) => stored(() => writer.commit(batch)),
    probe: async () => stored(() => writer.probe(0)),
    confirm: async (seq, confirmation) => guarded(() => writer.confirm(seq, confirmation)),
    prune: async (before) => guarded(() => writer.prune(before)),
    setOwnDestination: async (account, destination) =>
      guarded(() => {
        writer.setFact(ownDestinationOf(account), destination && JSON.stringify(destination))
        writer.setFact(OWN_DESTINATION, undefined)
      }),
    setLastListener: async (listener) => stored(() => writer.setFact('last_listener', JSON.stringify(listener))),
    checkpoint: async () => guarded(() => db.exec('PRAGMA wal_checkpoint(PASSIVE)')),
    async close() {
      db.close()
      claim?.release()
    },
  }
}

const stillSaved = (saved: string, path: string) =>
  `${saved} contains the events of an inbox that was lost. If you do not need these events, remove the file. To replace the present inbox with it, stop the receiver, run this command, and start the receiver again: ${putBack(saved, path)}`

/** The parts of an inbox that matter only if several receivers share it. A file has only one receiver, which owns every destination. */
export const unshared: Pick<Inbox, 'shared' | 'watch' | 'take' | 'release' | 'holds'> = {
  shared: false,
  watch: () => {},
  take: async () => true,
  release: async () => {},
  holds: () => true,
}

/**
 * Copies an open inbox into a new file (mode 0600), and returns the path of the copy. The copy is complete even if the inbox's file was
 * removed, because the connection still has that file open. Without the copy, the end of the receiver would delete the acknowledged events.
 * @param at ISO 8601, part of the name
 * @throws when the inbox cannot be read or the copy cannot be written
 */
export function saveInbox(db: DatabaseSync, stateDir: string, at: string): string {
  makePrivateFolder(stateDir, () => {})
  const path = join(stateDir, KEPT_FILES.inboxSaved.name.replace('TIME', at.replaceAll(/[^0-9TZ]/g, '-')))
  makeFile(path)
  try {
    db.prepare('VACUUM INTO ?').run(path)
  } catch (error) {
    // An incomplete copy must never replace an inbox.
    for (const beside of ['', '-journal']) rmSync(path + beside, { force: true })
    throw sqliteFailure(path, error)
  }
  return path
}

/**
 * Returns the commands that replace the present inbox with a saved one. They also remove the present log, because SQLite would apply it to
 * the saved inbox.
 */
export function putBack(saved: string, path: string): string {
  const [log, index, copy, inbox] = [`${path}-wal`, `${path}-shm`, saved, path].map(shellQuoted)
  return `rm -f ${log} ${index}; mv ${copy} ${inbox}`
}

/** Returns the saved inboxes in a folder, oldest first, without files that are not databases. */
export function savedInboxes(stateDir: string): string[] {
  const names = readdirSync(stateDir).filter((name) => name.endsWith('.db') && KEPT_FILES.inboxSaved.paths.test(name))
  return names
    .sort()
    .map((name) => join(stateDir, name))
    .filter(isDatabaseAt)
}
