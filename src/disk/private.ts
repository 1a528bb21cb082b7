import {
  chmodSync,
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  type Stats,
  statSync,
  unlinkSync,
} from 'node:fs'
import { platform, userInfo } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { type BnplError, codeOf, config } from '../errors.ts'
import { commandLine, replaceByCopy } from '../text/shell-word.ts'
import { diskFailure } from './failure.ts'
import { isKept } from './kept-files.ts'

/**
 * This file creates and checks private files: mode 0600, in a folder of mode 0700. Private files are never read or written through a
 * symbolic link.
 */

/** Tells the user on stderr that something was corrected. */
export type Notice = (text: string) => void

/** Windows ignores file modes. */
const HAS_MODES = platform() !== 'win32'
const OTHERS = 0o077
const OTHERS_WRITE = 0o022
const STICKY = 0o1000

const ANOTHER = 'Set BNPL_CONFIG_DIR and BNPL_STATE_DIR to folders that can be created.'
/** A container or a system service often runs as a user who has no home folder and no permission to create one. */
const ELSEWHERE = 'Set BNPL_CONFIG_DIR and BNPL_STATE_DIR to folders that this user has permission to create.'

/** Creates a folder (mode 0700) if it is missing. Checks an existing folder with `checkPrivateFolder`. */
export function makePrivateFolder(dir: string, notice: Notice, isOurs?: () => boolean): void {
  const folder = resolve(dir)
  try {
    makeFolder(folder, 0o700)
  } catch (error) {
    const failure = diskFailure(`the folder ${folder} could not be created`, error)
    const isForbidden = ['EACCES', 'EPERM'].includes(codeOf(error) ?? '')
    throw isForbidden ? failure.withHint(ELSEWHERE) : failure
  }
  checkPrivateFolder(folder, notice, isOurs)
}

/**
 * Checks a folder and returns whether it exists. If other users have access to it and it contains only files of bnpl, its mode becomes
 * 0700. Throws `config` for a symbolic link, a folder of another user, and a folder in which other users can still write.
 * @param isOurs returns false if another program created a file with a name that bnpl uses. The folder's mode is then not changed
 */
export function checkPrivateFolder(dir: string, notice: Notice, isOurs = () => true): boolean {
  const folder = resolve(dir)
  const found = lookAt(folder)
  if (found === undefined) return false
  if (found.isSymbolicLink()) throw linked(folder)
  if (!found.isDirectory()) throw config(`${folder} is not a folder`, ANOTHER, 'NOT_A_FOLDER')
  refuseOwner(folder, found, folder)
  if (!HAS_MODES || (found.mode & OTHERS) === 0) return true
  const writable = (found.mode & OTHERS_WRITE) !== 0
  // A folder that also contains files of other programs is shared on purpose (`/etc`, a project), so its mode is not changed.
  const changed = (found.mode & STICKY) === 0 && holdsOnlyOurs(folder) && isOurs() && tryChmod(folder, 0o700)
  if (changed && !isPrivate(folder)) {
    notice(
      `other users may be able to read ${folder} (mode ${octal(found)}), because its disk stores no modes. Set BNPL_CONFIG_DIR and BNPL_STATE_DIR to folders on another disk`,
    )
  } else if (changed) notice(`${folder} was open to other users (mode ${octal(found)}); its mode is 0700 now`)
  if (changed || !writable) return true
  throw config(
    `other users can write in ${folder}, so it is not safe to keep files there`,
    `Set BNPL_CONFIG_DIR and BNPL_STATE_DIR to a separate folder, such as ${join(folder, 'bnpl')}.`,
    'FOLDER_NOT_PRIVATE',
  )
}

/**
 * Returns whether there is a file at a path. Does not open the file, because closing it would release this process's locks on it. Throws
 * `config` for a symbolic link, something that is not a regular file, a file with another name (a hard link), and the file of another user.
 */
export function checkFile(path: string): boolean {
  const found = lookAt(path)
  if (found === undefined) return false
  if (found.isSymbolicLink()) throw linked(path)
  if (!found.isFile()) throw config(`${path} is not a regular file`, undefined, 'NOT_A_FILE')
  if (found.nlink > 1) throw linkedHard(path)
  refuseOwner(path, found, dirname(path))
  return true
}

/**
 * Makes a file readable only by its owner, and returns whether the file exists. Call this only for a file of bnpl. Throws the errors of
 * `checkFile`, and also when the mode cannot be changed.
 */
export function checkPrivateFile(path: string, notice: Notice): boolean {
  if (!checkFile(path)) return false
  const found = lookAt(path)
  if (found === undefined || !HAS_MODES || (found.mode & OTHERS) === 0) return found !== undefined
  if (!tryChmod(path, 0o600)) {
    throw config(
      `${path} is readable by other users (mode ${octal(found)}), and bnpl could not change its mode`,
      `Make it private: ${commandLine('chmod 600', [path])}`,
      'FILE_NOT_PRIVATE',
    )
  }
  // On a disk without modes, the check of the folder has said so.
  if (isPrivate(path)) notice(`${path} was open to other users (mode ${octal(found)}); its mode is 0600 now`)
  return true
}

/** Whether only the owner has access to a file or folder, as far as its mode tells. Some disks, such as those with exFAT, store no modes. */
export const isPrivate = (path: string): boolean => ((lookAt(path)?.mode ?? 0) & OTHERS) === 0

/** Creates an empty file (mode 0600) in an existing folder. Checks an existing file with `checkFile`. */
export function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!checkFile(path)) throw diskFailure(`${path} could not be created`, error)
  }
}

/** Returns the error for a symbolic link, which could redirect writes to another file. */
export function linked(path: string): BnplError {
  return config(
    `${path} is a symbolic link, but bnpl does not read or write settings and state through links`,
    `Put the real ${basename(path)} in ${dirname(path)}, or name the real folder with BNPL_CONFIG_DIR and BNPL_STATE_DIR.`,
    'SYMLINK',
  )
}

/**
 * Returns the error for a file with more than one name. Two processes could use it under two names, and each would find neither the lock nor
 * the log of the other.
 */
function linkedHard(path: string): BnplError {
  return config(
    `${path} has more than one name (a hard link), so two processes could use it at the same time without noticing each other`,
    `While no bnpl runs, make it a file of its own: ${replaceByCopy(path)}`,
    'HARD_LINK',
  )
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw diskFailure(`${path} cannot be read`, error)
  }
}

function holdsOnlyOurs(folder: string): boolean {
  try {
    return readdirSync(folder).every(isKept)
  } catch {
    return false
  }
}

function tryChmod(path: string, mode: number): boolean {
  try {
    chmodSync(path, mode)
    return true
  } catch {
    return false
  }
}

const octal = (stats: Stats) => (stats.mode & 0o7777).toString(8).padStart(4, '0')

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

/**
 * Makes a folder and the missing folders above it. Throws system errors. Node's `recursive` is not used, because it never returns on a file
 * system that cannot have new folders (`/proc`).
 * @param mode of each folder that is made, before the umask
 */
export function makeFolder(folder: string, mode?: number): void {
  if (isThere(folder)) return
  const above = dirname(folder)
  if (above !== folder) makeFolder(above, mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    if (!isThere(folder)) throw error
  }
}

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined
