import { closeSync, fstatSync, openSync, type Stats, statSync, unlinkSync } from 'node:fs'
import { platform, userInfo } from 'node:os'
import { join } from 'node:path'
import { config } from '../errors.ts'

/** The user id of root. Files of root are accepted, because root can change every file anyway. */
const ROOT = 0

/**
 * Throws `config` when a file or folder belongs to another user, who could change it at any time. Root is accepted. Some network shares
 * make one user the owner of every new file. If `folder` is on such a share, this owner is accepted too.
 * @param folder the folder itself, or the folder of the file
 */
export function refuseOwner(path: string, { uid }: Stats, folder: string): void {
  const own = ownUser()
  if (own === undefined || uid === own || uid === ROOT || uid === ownerOfNew(folder)) return
  throw config(
    `${path} belongs to another user (uid ${uid}, this process runs as uid ${own})`,
    'Run bnpl as that user, or set BNPL_CONFIG_DIR and BNPL_STATE_DIR to your own folders. Under sudo, HOME may still be the home folder of the user who called sudo.',
    'FOREIGN_OWNER',
  )
}

/**
 * Returns the user id of this process, or undefined on Windows. On Linux `userInfo` is not used, because it fails for a user without a
 * name.
 */
export function ownUser(): number | undefined {
  if (platform() === 'win32') return undefined
  try {
    return platform() === 'linux' ? statSync('/proc/self').uid : userInfo().uid
  } catch {
    return undefined
  }
}

function ownerOfNew(folder: string): number | undefined {
  const path = join(folder, `.bnpl-owner-${Math.random().toString(36).slice(2)}`)
  try {
    const file = openSync(path, 'wx', 0o600)
    try {
      return fstatSync(file).uid
    } finally {
      closeSync(file)
      unlinkSync(path)
    }
  } catch {
    return undefined
  }
}
