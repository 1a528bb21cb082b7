import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** The free bytes that the folder must have. A run writes about 1 GiB at once; in a container the folder often has only 64 MiB. */
const BYTES_NEEDED = 4 * 1024 ** 3

/**
 * Puts the temporary files of a run in memory, which saves a third of the time: on a disk SQLite waits until its files are safe against a
 * power cut. If the folder in memory is missing, too small or unable to run programs, the files are in the system's folder.
 */
export function setup(): () => void {
  const folder = folderInMemory()
  if (folder === undefined) return () => {}
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  return () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    // Not earlier: the processes of the tests write compiled code while they end, and that would create the folder again.
    process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  }
}

function folderInMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    if (bavail * bsize < BYTES_NEEDED) return undefined
    const folder = mkdtempSync(join(MEMORY, 'bnpl-tests-'))
    // The mode of the system's folder for temporary files, because tests also run programs as another user.
    chmodSync(folder, 0o1777)
    if (runsPrograms(folder)) return folder
    rmSync(folder, { recursive: true })
  } catch {}
  return undefined
}

/** Returns whether programs in a folder can run. Docker forbids it in its own folder in memory. */
function runsPrograms(folder: string): boolean {
  const path = join(folder, 'program')
  writeFileSync(path, '#!/bin/sh\n', { mode: 0o700 })
  const { status } = spawnSync(path)
  rmSync(path)
  return status === 0
}
