import { promises, renameSync } from 'node:fs'
import { platform } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../errors.ts'

/** The errors of Windows while a virus scanner or an indexer holds a file, which takes some milliseconds. */
const HELD = new Set<unknown>(['EPERM', 'EACCES', 'EBUSY'])

const AGAIN_MS = 25

/** How long a rename waits for a file that is held, in ms. */
const HELD_MS = 1_000

const mayEnd = (error: unknown, waited: number): boolean =>
  platform() === 'win32' && waited < HELD_MS && HELD.has(codeOf(error))

/** Renames a file, and replaces an existing one. On Windows, waits up to a second while another program holds one of the two files. */
export async function renameFile(from: string, to: string): Promise<void> {
  for (let waited = 0; ; waited += AGAIN_MS) {
    try {
      // Node loads `node:fs/promises` only here, because most commands rename nothing.
      await promises.rename(from, to)
      return
    } catch (error) {
      if (!mayEnd(error, waited)) throw error
      await sleep(AGAIN_MS)
    }
  }
}

/** Does the same as `renameFile`, and blocks this thread meanwhile. */
export function renameFileSync(from: string, to: string): void {
  for (let waited = 0; ; waited += AGAIN_MS) {
    try {
      renameSync(from, to)
      return
    } catch (error) {
      if (!mayEnd(error, waited)) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS)
    }
  }
}
