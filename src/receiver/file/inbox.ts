import type { Notice } from '../../disk/private.ts'
import type { Inbox } from '../inbox.ts'
import { refuseDamaged, USUAL_BYTES } from './damage.ts'
import { claimInbox, type InboxClaim } from './inbox-claim.ts'
import { openInboxFile } from './inbox-file.ts'
import { createFileReader } from './reader.ts'
import { putBack, savedInboxes, saveInbox } from './saved-inbox.ts'

/** The inbox as a file, with the additional work that only the thread of the inbox does. */
export interface FileInbox extends Inbox {
  /** Moves the log into the database, except the part that is being read. */
  checkpoint(): Promise<void>
  /**
   * Creates the lock file again if it was removed, so that no other receiver can claim the inbox. Throws `config` when another receiver has
   * already claimed it.
   */
  keepClaim(): Promise<void>
  /**
   * Writes all data of the inbox into a new file in the state directory, even if the inbox's own file was removed. @returns the path of the
   * new file
   */
  save(): Promise<string>
}

/**
 * Opens the inbox as a SQLite file, `inbox.db` in the state directory, with WAL and synchronous=FULL, so that a commit is on the disk when
 * it returns. When the disk is full, the inbox uses a reserve of 4 MiB before it refuses deliveries.
 * @param notice called when something was repaired, or when the reserve is in use
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
      reserve.check(notice)
      if (!reserve.restore()) notice('the disk is nearly full, and there is no room for the reserve of 4 MiB')
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
    setOwnDestination: async (destination) =>
      guarded(() => writer.setFact('own_destination', destination && JSON.stringify(destination))),
    checkpoint: async () => guarded(() => db.exec('PRAGMA wal_checkpoint(PASSIVE)')),
    async close() {
      db.close()
      claim?.release()
    },
  }
}

const stillSaved = (saved: string, path: string) =>
  `${saved} contains the events of an inbox that was lost. To continue with these events: ${putBack(saved, path)}. Otherwise remove that file.`

/**
 * The parts of an inbox that matter only if several receivers share it. A file has only one receiver, so that receiver owns every
 * destination.
 */
export const unshared: Pick<Inbox, 'shared' | 'watch' | 'take' | 'release' | 'holds'> = {
  shared: false,
  watch: () => {},
  take: async () => true,
  release: async () => {},
  holds: () => true,
}
