import { existsSync, fsyncSync, mkdtempSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { timesOpen } from '../../../test/kit/open-files.ts'
import { openInbox } from './inbox.ts'
import { createReserve, RESERVE_BYTES } from './inbox-file.ts'

// Simulate a disk that is full or writes only a part of the bytes, because a test cannot cause this on a real disk.
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  return { ...fs, writeSync: vi.fn(fs.writeSync), fsyncSync: vi.fn(fs.fsyncSync) }
})

const write = vi.mocked(writeSync) as unknown as ReturnType<typeof vi.fn>
const BLOCK = 256 * 1024

let dir: string
let path: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-reserve-'))
  path = join(dir, 'inbox.reserve')
})
afterEach(() => {
  vi.resetAllMocks()
  rmSync(dir, { recursive: true, force: true })
})

/** Makes the disk write only this part of each write to the reserve. */
async function play(taken: (bytes: number) => number): Promise<void> {
  const { writeSync: real } = await vi.importActual<typeof import('node:fs')>('node:fs')
  write.mockImplementation((file: number, bytes: Uint8Array, offset: number, length: number) =>
    bytes.length === BLOCK ? real(file, bytes, offset, taken(length)) : real(file, bytes, offset, length),
  )
}

test('after partial writes the reserve still has exactly its full size, and is synced', async () => {
  await play((bytes) => Math.min(bytes, 100_000))
  expect(createReserve(path).restore()).toBe(true)
  expect(statSync(path).size).toBe(RESERVE_BYTES)
  expect(vi.mocked(fsyncSync).mock.calls).toHaveLength(1)
})

test.each<[string, (bytes: number) => number]>([
  ['takes nothing', () => 0],
  [
    'is full',
    () => {
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
    },
  ],
])('on a disk that %s, the reserve is not created, and no file is left', async (_, taken) => {
  let writes = 0
  await play((bytes) => (writes++ < 3 ? bytes : taken(bytes)))
  expect(createReserve(path).restore()).toBe(false)
  expect([existsSync(path), timesOpen(dir)]).toEqual([false, 0])
})

test('a receiver starts without room for the reserve, with a notice', async () => {
  await play(() => 0)
  const notices: string[] = []
  const inbox = await openInbox(dir, (text) => notices.push(text))
  await inbox.claim({ pid: process.pid, address: '' })
  await inbox.close()
  expect(notices).toEqual([
    'the disk is nearly full, so there is no room for the inbox’s reserve of 4 MiB. Make room now',
  ])
})
