import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { checkFile, makePrivateFolder } from '../../../disk/private.ts'
import { isSnapshotName, SNAPSHOT_ENDING, snapshotNameOf } from '../../../domain/sandbox-accounts.ts'
import { BnplError } from '../../../errors.ts'
import { writeSetting } from '../../store/partners.ts'
import { KEPT_REQUESTS } from '../../store/requests.ts'
import { loadSnapshot, saveSnapshot } from '../../store/snapshot.ts'
import { iso } from '../../store/store.ts'
import { changesSince } from '../changes.ts'
import { malformed, Refusal, refusesWrites } from '../refusal.ts'
import type { Service } from '../service.ts'
import {
  type ControlActions,
  type ControlInput,
  controlAction,
  flagInput,
  integerInput,
  textInput,
} from './control-action.ts'

const snapshotSave = controlAction(async (input, service) => {
  const file = fileInput(input, service)
  if (input.file === undefined) inOurFolder(file, service, 'ERR_SNAPSHOT_NOT_WRITTEN')
  const name = { savedAt: iso(service.clock.now()), snapshotId: randomUUID() }
  nameState(service, name)
  await saveSnapshot(service.store, file)
  // Write the time of saving again, because each write notifies every open window. The windows then list the new snapshot.
  nameState(service, name)
  return { file }
})

/** `snapshotLoad {file | name}`: replaces the whole state with the state in a file, including accounts and keys. */
const snapshotLoad = controlAction(async (input, service) => {
  const file = snapshotInput(input, service)
  await loadSnapshot(service.store, file)
  return { file }
})

const changes = controlAction(async (input, service) => {
  const limit = Math.min(integerInput(input, 'limit', 1) ?? 50, KEPT_REQUESTS)
  const onlyChanges = flagInput(input, 'onlyChanges')
  return changesSince(service, snapshotInput(input, service), { offset: 0, limit, onlyChanges })
})

/**
 * Returns the path of the snapshot that an input names. If the input has a `name` and no `file`, throws a `Refusal` when the snapshot or
 * its folder is a link or belongs to another user.
 */
export function snapshotInput(input: ControlInput, service: Service): string {
  const file = fileInput(input, service)
  if (input.file === undefined) inOurFolder(file, service, 'ERR_SNAPSHOT_NOT_READ')
  return file
}

/**
 * Writes the time of saving and a new id into the database, so that the snapshot contains them. A database that refuses writes is saved
 * without them.
 */
function nameState({ store }: Service, { savedAt, snapshotId }: { savedAt: string; snapshotId: string }): void {
  try {
    writeSetting(store.db, 'savedAt', savedAt)
    writeSetting(store.db, 'snapshotId', snapshotId)
  } catch (error) {
    if (!refusesWrites(store.failure(error))) throw error
  }
}

/** Throws a 422 `Refusal` when the folder of snapshots or the file is a link or belongs to another user. */
function inOurFolder(file: string, { snapshotDir }: Pick<Service, 'snapshotDir'>, code: string): void {
  if (snapshotDir === undefined) return
  try {
    makePrivateFolder(snapshotDir, () => {})
    checkFile(file)
  } catch (error) {
    throw error instanceof BnplError ? new Refusal(422, code, error.message) : error
  }
}

function fileInput(input: ControlInput, { snapshotDir }: Pick<Service, 'snapshotDir'>): string {
  const file = textInput(input, 'file')
  if (file !== undefined) return file
  const name = textInput(input, 'name')
  if (name === undefined || snapshotDir === undefined) throw malformed('the field “file” is missing')
  if (!isSnapshotName(name))
    throw malformed(
      'name must have 1 to 100 letters, digits, “_”, “.” or “-”; it must not begin with “.” or “-”, or end with .db',
    )
  return join(snapshotDir, `${name}${SNAPSHOT_ENDING}`)
}

/** Returns the names of the snapshots in the sandbox's folder; null if it has none, because then snapshots are saved only under a path. */
export async function snapshotNames(folder: string | undefined): Promise<string[] | null> {
  if (folder === undefined) return null
  const files = await readdir(folder).catch(() => [])
  return files.flatMap((file) => snapshotNameOf(file) ?? []).sort()
}

export const snapshotControls = { snapshotSave, snapshotLoad, changes } satisfies ControlActions
