'use strict'

// The start of the single executable. What it carries is the npm package as it is; Node can load modules, start threads
// and read style sheets only from files, so the first run lays them down in the user's cache folder, under a name that
// changes with their content, and every run starts the launcher there.

const fs = require('node:fs')
const { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } = fs
const { createRequire } = require('node:module')
const { homedir, tmpdir } = require('node:os')
const { dirname, isAbsolute, join } = require('node:path')
const { getAsset, getAssetKeys } = require('node:sea')

const UNUSED_MS = 30 * 24 * 3_600_000

const launcher = join(program(), 'bin', 'bnpl.js')
process.argv[1] = launcher
createRequire(launcher)(launcher)

function program() {
  const name = `program-${getAsset('content-hash', 'utf8')}`
  try {
    const parent = join(cacheDir(), 'bnpl')
    const folder = join(parent, name)
    if (!existsSync(folder)) {
      layDown(parent, folder)
      clearAway(parent, name)
    }
    return folder
  } catch {
    // No cache folder that can be written: for this run only.
    const parent = mkdtempSync(join(tmpdir(), 'bnpl-'))
    process.on('exit', () => rmSync(parent, { recursive: true, force: true }))
    layDown(parent, join(parent, name))
    return join(parent, name)
  }
}

/** Writes everything beside the place and moves it there at the end: whoever finds the folder finds it whole. */
function layDown(parent, folder) {
  mkdirSync(parent, { recursive: true, mode: 0o700 })
  const made = mkdtempSync(join(parent, 'program.'))
  try {
    for (const key of getAssetKeys().filter((each) => each !== 'content-hash')) {
      const path = join(made, key)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, Buffer.from(getAsset(key)))
      if (key.endsWith('xdg-open')) chmodSync(path, 0o755)
    }
    renameSync(made, folder)
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    // Another run was first.
    if (!existsSync(folder)) throw error
  }
}

/** Removes what other versions laid down and nobody has started for a month, and what a killed run left half done. */
function clearAway(parent, own) {
  for (const name of readdirSync(parent)) {
    if (!/^program[-.]/.test(name) || name === own) continue
    try {
      const launcher = join(parent, name, 'bin', 'bnpl.js')
      const { atimeMs, mtimeMs } = statSync(existsSync(launcher) ? launcher : join(parent, name))
      if (Date.now() - Math.max(atimeMs, mtimeMs) > UNUSED_MS) rmSync(join(parent, name), { recursive: true })
    } catch {} // Another run was first, or it is not ours to remove.
  }
}

function cacheDir() {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env
  if (XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME
  if (process.platform === 'win32') return LOCALAPPDATA || join(homedir(), 'AppData', 'Local')
  return process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache')
}
