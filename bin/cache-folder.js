'use strict'

// Where code of ours is kept to be run again: compiled code, and what the single executable lays down. A user who can write there can run
// anything as this user, so the folder is used only where nobody but this user and root can.

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
 * Finds the program's folder in the user's cache folder, 0700, and makes it where it is missing. Windows keeps modes otherwise: there it
 * is in the user's profile, which belongs to that user.
 * @returns its real path, without links; undefined where others could put something into its place. Throws what the system says
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
 * Makes sure of a folder inside `programCache()`. One that was open to others may hold what they left there: it is removed and made anew.
 * @returns its path. Throws what the system says
 */
function closedFolder(folder) {
  if (isClosed(folder)) return folder
  if (lookAt(folder) !== undefined) rmSync(folder, { recursive: true })
  mkdirSync(folder, OWNER_ALONE)
  return folder
}

/** Whether a folder is there, is this user's, and is closed to others. */
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
 * A folder below which nobody else can exchange anything: each folder above it belongs to this user or root, and nobody else can write
 * there. In a sticky one (/tmp) others can, but what is of this user or root stays there.
 * What is missing is made by hand: Node's own `recursive` never comes back where the system has no folders to give (/proc).
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

/** What is at a path, links not followed; undefined where nothing is. */
const lookAt = (path) => lstatSync(path, { throwIfNoEntry: false })
