'use strict'

// The start of the single executable, which contains the files of the npm package. Node can load modules, start threads and read style
// sheets only from files. So the first run writes the files to the user's cache folder, in a folder whose name contains a hash of their
// content. Every run starts the launcher in that folder.

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
    // The cache folder cannot be used, for example because other users can write there. So use a temporary folder, which is removed after
    // this run.
    const parent = mkdtempSync(join(tmpdir(), 'bnpl-'))
    process.on('exit', () => rmSync(parent, { recursive: true, force: true }))
    layDown(parent, join(parent, name))
    return join(parent, name)
  }
}

/** Writes all files to a temporary folder and then renames it, so that the folder is complete as soon as it exists. */
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

/**
 * Renames the temporary folder, unless another run has already created the folder. An existing folder that others could write is removed
 * first, because they may have changed it.
 */
function place(made, folder) {
  if (existsSync(folder) && !isClosed(folder)) rmSync(folder, { recursive: true })
  try {
    renameSync(made, folder)
  } catch (error) {
    if (!isClosed(folder)) throw error
  }
}

/** Removes the folders of other versions, and the incomplete folders of killed runs, after a month without use. */
function clearAway(parent, own) {
  for (const name of readdirSync(parent)) {
    if (!/^program[-.]/.test(name) || name === own) continue
    try {
      const launcher = join(parent, name, 'bin', 'bnpl.js')
      const { atimeMs, mtimeMs } = statSync(existsSync(launcher) ? launcher : join(parent, name))
      if (Date.now() - Math.max(atimeMs, mtimeMs) > UNUSED_MS) rmSync(join(parent, name), { recursive: true })
    } catch {} // Another run has removed it, or this user has no permission to remove it.
  }
}
