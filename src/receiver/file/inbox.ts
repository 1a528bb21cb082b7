import type { Notice } from '../../disk/private.ts'
import { type Inbox, OWN_DESTINATION, ownDestinationOf } from '../inbox.ts'
import { refuseDamaged, USUAL_BYTES } from './damage.ts'
import { claimInbox, type InboxClaim } from './inbox-claim.ts'
import { openInboxFile } from './inbox-file.ts'
import { createFileReader } from './reader.ts'
import { putBack, savedInboxes, saveInbox } from './saved-inbox.ts'

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
