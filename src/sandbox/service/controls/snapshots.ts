import { join } from 'node:path'
import { checkFile, makePrivateFolder } from '../../../disk/private.ts'
import { isSnapshotName, SNAPSHOT_ENDING } from '../../../domain/snapshot-name.ts'
import { BnplError } from '../../../errors.ts'
import { loadSnapshot, saveSnapshot } from '../../store/snapshot.ts'
import { malformed, Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { type ControlActions, type ControlInput, controlAction, textInput } from './control-action.ts'

/** `snapshotSave {file | name}`: writes the whole state into a file on this machine. */
const snapshotSave = controlAction(async (input, service) => {
  const file = fileInput(input, service)
  if (input.file === undefined) inOurFolder(file, service, 'ERR_SNAPSHOT_NOT_WRITTEN')
  await saveSnapshot(service.store, file)
  return { file }
})

/** `snapshotLoad {file | name}`: replaces the state with that of a file, including accounts and keys. */
const snapshotLoad = controlAction(async (input, service) => {
  const file = fileInput(input, service)
  if (input.file === undefined) inOurFolder(file, service, 'ERR_NOT_A_SNAPSHOT')
  await loadSnapshot(service.store, file)
  return { file }
})

/**
 * Finds the file of a named snapshot, and creates its folder. Throws a 422 `Refusal` when the folder or the file is a link or belongs to
 * another user.
 */
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
  if (name === undefined || snapshotDir === undefined) throw malformed('file is missing')
  if (!isSnapshotName(name)) throw malformed('name must be letters, digits, dots, dashes and underscores')
  return join(snapshotDir, `${name}${SNAPSHOT_ENDING}`)
}

/** The actions on snapshots. */
export const snapshotControls = { snapshotSave, snapshotLoad } satisfies ControlActions
