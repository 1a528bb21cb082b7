import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { arrival, batch } from '../../../test/receiver/inbox-kit.ts'
import { type Commits, openCommits } from './commits.ts'

/** Called with the milliseconds of each wait, instead of waiting. */
const waited = vi.hoisted(() => vi.fn<(ms: number) => void>())
vi.mock('node:timers/promises', () => ({
  async setTimeout(ms: number) {
    waited(ms)
    await new Promise(setImmediate)
  },
}))

let dir: string
let commits: Commits
let other: DatabaseSync
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-busy-'))
  commits = await openCommits({
    stateDir: dir,
    notice: () => {},
    checkpoint: async () => {},
    syncFile: async () => {},
    lost: () => {},
  })
  other = new DatabaseSync(join(dir, 'inbox.db'))
  other.exec('BEGIN IMMEDIATE')
})
afterEach(async () => {
  vi.resetAllMocks()
  other.close()
  await commits.close()
  rmSync(dir, { recursive: true, force: true })
})

test('a batch waits while another process writes, and is then stored', async () => {
  waited.mockImplementation(() => {
    if (waited.mock.calls.length === 5) other.exec('COMMIT')
  })
  expect(await commits.commit(batch([arrival('e1')]))).toEqual([{ fate: 'new', seq: 1 }])
  expect(waited.mock.calls).toEqual(Array(5).fill([3]))
})

test('after ten seconds of waiting for another process a batch is refused, and the next one is stored', async () => {
  await expect(commits.commit(batch([arrival('e1')]))).rejects.toMatchObject({ kind: 'config', code: 'STATE_BUSY' })
  expect(waited.mock.calls).toHaveLength(Math.ceil(10_000 / 3))
  other.exec('COMMIT')
  expect(await commits.commit(batch([arrival('e1')]))).toMatchObject([{ fate: 'new' }])
})
