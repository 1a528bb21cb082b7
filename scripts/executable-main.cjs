'use strict'

// The start of the single executable. What it carries is the npm package as it is; Node can load modules, start threads
// and read style sheets only from files, so the first run lays them down in the user's cache folder, under a name that
// changes with their content, and every run starts the launcher there.

const fs = require('node:fs')
const { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } = fs
const { createRequire } = require('node:module')
const { tmpdir } = require('node:os')
const { dirname, join } = require('node:path')
const { getAsset, getAssetKeys } = require('node:sea')
const { isClosed, programCache } = require('../bin/cache-folder.js')

const UNUSED_MS = 30 * 24 * 3_600_000

const launcher = join(program(), 'bin', 'bnpl.js')
process.argv[1] = launcher
createRequire(launcher)(launcher)

function program() {
  const name = `program-${getAsset('content-hash', 'utf8')}`
  try {
    const parent = programCache()
    if (parent === undefined) throw new Error('others can write there')
    const folder = join(parent, name)
    if (!isClosed(folder)) {
      layDown(parent, folder)
      clearAway(parent, name)
    }
    return folder
  } catch {
    // No cache folder that this user alone can write: for this run only.
    const parent = mkdtempSync(join(tmpdir(), 'bnpl-'))
    process.on('exit', () => rmSync(parent, { recursive: true, force: true }))
    layDown(parent, join(parent, name))
    return join(parent, name)
  }
}

/** Writes everything beside the place and moves it there at the end, so that the folder is whole as soon as it exists. */
function layDown(parent, folder) {
  const made = mkdtempSync(join(parent, 'program.'))
  try {
    for (const key of getAssetKeys().filter((each) => each !== 'content-hash')) {
      const path = join(made, key)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, Buffer.from(getAsset(key)))
      if (key.endsWith('xdg-open')) chmodSync(path, 0o755)
    }
    place(made, folder)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

/** Moves what was made to its place, unless another run was first. What was open to others there may be changed: it is removed. */
function place(made, folder) {
  if (existsSync(folder) && !isClosed(folder)) rmSync(folder, { recursive: true })
  try {
    renameSync(made, folder)
  } catch (error) {
    if (!isClosed(folder)) throw error
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
