import { join } from 'node:path'
import { makeFolder } from '../../disk/make-folder.ts'
import { isSnapshotName, SNAPSHOT_ENDING } from '../../domain/snapshot-name.ts'
import { malformed } from '../refusal.ts'
import type { Service } from '../service.ts'
import { loadSnapshot, saveSnapshot } from '../store/snapshot.ts'
import { type ControlAction, textInput } from './control-action.ts'

/** `snapshotSave {file | name}`: writes the whole state into a file of this machine. */
export const snapshotSave: ControlAction = async (input, service) => {
  const file = fileInput(input, service)
  if (input.file === undefined && service.snapshotDir !== undefined) {
    makeFolder(service.snapshotDir, 0o700)
  }
  await saveSnapshot(service.store, file)
  return { file }
}

/** `snapshotLoad {file | name}`: puts the state of a file in the place of the present one, accounts and keys too. */
export const snapshotLoad: ControlAction = async (input, service) => {
  const file = fileInput(input, service)
  await loadSnapshot(service.store, file)
  return { file }
}

function fileInput(input: Record<string, unknown>, { snapshotDir }: Pick<Service, 'snapshotDir'>): string {
  const file = textInput(input, 'file')
  if (file !== undefined) return file
  const name = textInput(input, 'name')
  if (name === undefined || snapshotDir === undefined) throw malformed('file is missing')
  if (!isSnapshotName(name)) throw malformed('name must be letters, digits, dots, dashes and underscores')
  return join(snapshotDir, `${name}${SNAPSHOT_ENDING}`)
}
