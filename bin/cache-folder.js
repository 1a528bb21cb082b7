'use strict'

// This file finds the folder for code that bnpl runs later: compiled code, and the files of the single executable.
// Another user who can write there could run any code as this user. So the folder is used only if nobody except this
// user and root can write there.

const { chmodSync, lstatSync, mkdirSync, realpathSync, rmSync } = require('node:fs')
const { homedir } = require('node:os')
const { basename, dirname, isAbsolute, join } = require('node:path')

const OWNER_ALONE = 0o700
const OTHERS = 0o077
const OTHERS_WRITE = 0o022
const STICKY = 0o1000

exports.programCache = programCache
exports.closedFolder = closedFolder
exports.isClosed = isClosed

/**
 * Returns the real path of the program's folder in the user's cache folder, and creates a missing folder with the
 * mode 0700. Returns undefined if another user could replace the folder. Modes are not checked on Windows, where the
 * cache folder is in the user's profile, which belongs to the user.
 * @throws the file system's errors
 */
function programCache() {
  const place = cacheDir()
  const cache = isAbsolute(place) ? safeFolder(place) : undefined
  if (cache === undefined) return undefined
  const folder = join(cache, 'bnpl')
  const found = lookAt(folder)
  if (found === undefined) mkdirSync(folder, OWNER_ALONE)
  else if (!isOurs(found)) return undefined
  else if (isOpen(found)) chmodSync(folder, OWNER_ALONE)
  return folder
}

/**
 * Creates a folder inside `programCache()` that only this user can read and write, and returns its path. An existing
 * folder that is open to other users is deleted first, because they may have put files into it. Throws the file
 * system's errors.
 */
function closedFolder(folder) {
  if (isClosed(folder)) return folder
  if (lookAt(folder) !== undefined) rmSync(folder, { recursive: true })
  mkdirSync(folder, OWNER_ALONE)
  return folder
}

function isClosed(folder) {
  const found = lookAt(folder)
  return found !== undefined && isOurs(found) && !isOpen(found)
}

function cacheDir() {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env
  if (XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME
  if (process.platform === 'win32') return LOCALAPPDATA || join(homedir(), 'AppData', 'Local')
  return process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache')
}

/**
 * Creates a folder, with the missing folders above it, and returns its real path. Returns undefined if another user
 * could replace a folder of the path. A sticky folder (/tmp) is accepted, because other users cannot remove this user's
 * files there.
 */
function safeFolder(path) {
  const missing = []
  let folder = path
  for (; lookAt(folder) === undefined; folder = dirname(folder)) missing.unshift(basename(folder))
  folder = realpathSync.native(folder)
  for (let above = folder; ; above = dirname(above)) {
    const { uid, mode } = lstatSync(above)
    if (hasModes() && (!isTrusted(uid) || ((mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0))) return undefined
    if (above === dirname(above)) break
  }
  // `mkdirSync` with `recursive` never returns on a file system that cannot have new folders (/proc).
  for (const name of missing) {
    folder = join(folder, name)
    mkdirSync(folder, OWNER_ALONE)
  }
  return folder
}

const hasModes = () => process.geteuid !== undefined
const isTrusted = (uid) => uid === 0 || uid === process.geteuid()
const isOurs = (stats) => stats.isDirectory() && (!hasModes() || stats.uid === process.geteuid())
const isOpen = (stats) => hasModes() && (stats.mode & OTHERS) !== 0

const lookAt = (path) => lstatSync(path, { throwIfNoEntry: false })
