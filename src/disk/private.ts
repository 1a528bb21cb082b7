import { chmodSync, closeSync, lstatSync, openSync, readdirSync, type Stats } from 'node:fs'
import { platform } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { type BnplError, config } from '../errors.ts'
import { diskFailure } from './failure.ts'
import { makeFolder } from './make-folder.ts'

/** Files that are for their owner alone: mode 0600 in a folder of mode 0700, and never through a symbolic link. */

/** Says on stderr that something was put right. */
export type Notice = (text: string) => void

/** Modes mean nothing on Windows, where a profile's folder belongs to its user anyway. */
const HAS_MODES = platform() !== 'win32'
const OTHERS = 0o077
const OTHERS_WRITE = 0o022
const STICKY = 0o1000

/**
 * Makes sure that a folder is there and closed to others. Throws `config` when it is a symbolic link, no folder, or others can write
 * there and that cannot be changed.
 */
export function makePrivateFolder(dir: string, notice: Notice): void {
  const folder = resolve(dir)
  try {
    makeFolder(folder, 0o700)
  } catch (error) {
    throw diskFailure(`the folder ${folder} could not be made`, error)
  }
  checkPrivateFolder(folder, notice)
}

/** The same for a folder that need not be there. @returns false when it is not */
export function checkPrivateFolder(dir: string, notice: Notice): boolean {
  const folder = resolve(dir)
  const found = lookAt(folder)
  if (found === undefined) return false
  if (found.isSymbolicLink()) throw linked(folder)
  if (!found.isDirectory()) throw config(`${folder} is in the way: it is not a folder`, undefined, 'NOT_A_FOLDER')
  if (!HAS_MODES || (found.mode & OTHERS) === 0) return true
  const writable = (found.mode & OTHERS_WRITE) !== 0
  if (!writable && holdsSharedFiles(folder)) return true
  if ((found.mode & STICKY) !== 0 || !tryChmod(folder, 0o700)) {
    if (!writable) return true
    throw config(
      `other users can write in ${folder}, so nothing can be kept there safely`,
      `Use a folder of its own, such as ${join(folder, 'bnpl')} (BNPL_CONFIG_DIR, BNPL_STATE_DIR).`,
      'FOLDER_NOT_PRIVATE',
    )
  }
  notice(`${folder} was open to other users (mode ${octal(found)}); it is 0700 now`)
  return true
}

/**
 * Makes sure that a file that is there is a plain file and closed to others; it is not opened, so that locks which this process holds
 * on it survive. Throws `config` when it is a symbolic link, no file, or cannot be closed. @returns false when there is none
 */
export function checkPrivateFile(path: string, notice: Notice): boolean {
  const found = lookAt(path)
  if (found === undefined) return false
  if (found.isSymbolicLink()) throw linked(path)
  if (!found.isFile()) throw config(`${path} is in the way: it is not a plain file`, undefined, 'NOT_A_FILE')
  if (!HAS_MODES || (found.mode & OTHERS) === 0) return true
  if (!tryChmod(path, 0o600)) {
    throw config(
      `${path} is readable by other users (mode ${octal(found)}) and that cannot be changed`,
      `Make it yours alone: chmod 600 ${path}`,
      'FILE_NOT_PRIVATE',
    )
  }
  notice(`${path} was open to other users (mode ${octal(found)}); it is 0600 now`)
  return true
}

/** Makes sure that a file is there, empty at first, with the checks of `checkPrivateFile`; its folder must be there. */
export function makePrivateFile(path: string, notice: Notice): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (lookAt(path) === undefined) throw diskFailure(`${path} could not be made`, error)
  }
  checkPrivateFile(path, notice)
}

/** The refusal of a symbolic link, which could lead what is written to any other file. */
export function linked(path: string): BnplError {
  return config(
    `${path} is a symbolic link, and settings and state are not read or written through one`,
    `Put the real ${basename(path)} in ${dirname(path)}, or name the real folder with BNPL_CONFIG_DIR and BNPL_STATE_DIR.`,
    'SYMLINK',
  )
}

/** What stands at a path, links not followed. @returns undefined when nothing does */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw diskFailure(`${path} cannot be looked at`, error)
  }
}

/** A folder with files that others may read is shared on purpose (`/etc`, a project): closing it would take them away. */
function holdsSharedFiles(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => ((lookAt(join(folder, name))?.mode ?? 0) & OTHERS) !== 0)
  } catch {
    return true
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
