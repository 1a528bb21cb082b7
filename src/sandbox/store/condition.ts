import { randomBytes } from 'node:crypto'
import { type BnplError, config } from '../../errors.ts'
import { writeSetting } from './settings.ts'
import { fileVersion, KNOWN_VERSION } from './sqlite-schema.ts'
import type { Store } from './store.ts'

/** The size of a test write, more than most requests store. The written bytes are random, so that compression cannot shorten them. */
const PROBE_BYTES = 12_000

/** Writes a test row and deletes it. Throws the driver's errors, for example when the disk is full. */
export async function proveWritable(store: Store): Promise<void> {
  // Commit before deleting, because a full disk is noticed at the commit.
  await store.transaction((db) => writeSetting(db, 'probe', randomBytes(PROBE_BYTES).toString('base64')))
  await store.db.deleteFrom('settings').where('name', '=', 'probe').execute()
}

/** Returns an error if a newer bnpl has changed the tables since they were opened. Throws the errors of the driver. */
export async function newerThanKnown(store: Store): Promise<BnplError | undefined> {
  const version = await fileVersion(store.db)
  if (version <= KNOWN_VERSION) return undefined
  return config(
    `a newer bnpl has changed the sandbox’s data (the data has version ${version}, but this bnpl knows only version ${KNOWN_VERSION})`,
    'Start the sandbox again with the newer version of bnpl.',
    'STATE_NEWER',
  )
}
