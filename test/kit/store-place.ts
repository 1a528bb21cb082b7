import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StorePlace } from '../../src/sandbox/store/sqlite.ts'

/** The place in which a test's sandbox stores its state. */
export interface TestPlace extends AsyncDisposable {
  place: StorePlace
  /** A folder of its own, in which the file is. */
  dir: string
}

/** Returns a new place, which is removed at the end of the scope. */
export async function newPlace(): Promise<TestPlace> {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-sandbox-'))
  return {
    dir,
    place: { file: join(dir, 'sandbox.db') },
    async [Symbol.asyncDispose]() {
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
