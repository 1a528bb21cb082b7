import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** A run needs about 1 GiB at once; in a container this folder often has 64 MiB. */
const BYTES_NEEDED = 4 * 1024 ** 3

/**
 * Puts the temporary files of a run in memory. On a disk, a third of a test's time is SQLite's: it waits until a file is safe against a
 * power cut, and no test has one. Where memory is not a folder, is too small or does not run programs, the files are in the system's folder.
 */
export function setup(): () => void {
  const folder = folderInMemory()
  if (folder === undefined) return () => {}
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  return () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    rmSync(folder, { recursive: true, force: true })
  }
}

function folderInMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    if (bavail * bsize < BYTES_NEEDED) return undefined
    const folder = mkdtempSync(join(MEMORY, 'bnpl-tests-'))
    // As the system's folder: tests run programs as another user.
    chmodSync(folder, 0o1777)
    if (runsPrograms(folder)) return folder
    rmSync(folder, { recursive: true })
  } catch {}
  return undefined
}

/** Docker mounts its own so that nothing in it runs. */
function runsPrograms(folder: string): boolean {
  const path = join(folder, 'program')
  writeFileSync(path, '#!/bin/sh\n', { mode: 0o700 })
  const { status } = spawnSync(path)
  rmSync(path)
  return status === 0
}
