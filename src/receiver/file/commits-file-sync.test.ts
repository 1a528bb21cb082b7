import { closeSync, fstatSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { timesOpen } from '../../../test/kit/open-files.ts'
import { openFileSync, type SyncFile, syncData } from './commits.ts'

let dir: string
let path: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-sync-'))
  path = join(dir, 'file')
  writeFileSync(path, 'x')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const turns = async () => {
  for (let i = 0; i < 10; i++) await undefined
}

/** An open file whose syncs end when the test says so. */
function scene() {
  const syncs: PromiseWithResolvers<void>[] = []
  const files: number[] = []
  const syncFile: SyncFile = (file) => {
    files.push(file)
    const one = Promise.withResolvers<void>()
    syncs.push(one)
    return one.promise
  }
  return { syncs, files, opened: openFileSync(path, syncFile) }
}

test('a write during a sync is on the disk after the next sync, which all waiting callers share', async () => {
  const { syncs, files, opened } = scene()
  const told: string[] = []
  const first = opened.sync().then(() => told.push('first'))
  const others = ['second', 'third'].map((name) => opened.sync().then(() => told.push(name)))
  await turns()
  expect([syncs.length, told]).toEqual([1, []])
  syncs[0]?.resolve()
  await first
  await turns()
  expect([syncs.length, told]).toEqual([2, ['first']])
  // This call was made after the second sync began, so it needs a third sync.
  const fourth = opened.sync().then(() => told.push('fourth'))
  syncs[1]?.resolve()
  await Promise.all(others)
  await turns()
  expect([syncs.length, told]).toEqual([3, ['first', 'second', 'third']])
  syncs[2]?.resolve()
  await fourth
  expect(new Set(files)).toEqual(new Set([opened.file]))
  opened.close()
})

test('after a sync is over the next one begins at once', async () => {
  const { syncs, opened } = scene()
  const first = opened.sync()
  syncs[0]?.resolve()
  await first
  await turns()
  const second = opened.sync()
  expect(syncs).toHaveLength(2)
  syncs[1]?.resolve()
  await second
  opened.close()
})

test('a failed sync fails only for the callers that waited for that sync', async () => {
  const { syncs, opened } = scene()
  const first = opened.sync()
  const second = opened.sync()
  syncs[0]?.reject(new Error('EIO'))
  await expect(first).rejects.toThrow('EIO')
  await turns()
  expect(syncs).toHaveLength(2)
  syncs[1]?.resolve()
  await second
  opened.close()
})

test('the file stays open until close is called', () => {
  const { opened } = scene()
  expect(fstatSync(opened.file).size).toBe(1)
  expect(timesOpen(path)).toBe(1)
  opened.close()
  expect(timesOpen(path)).toBe(0)
})

test('data is synced by the system, and its error is reported', async () => {
  const file = openSync(path, 'r')
  await syncData(file)
  closeSync(file)
  // A device without data on a disk cannot be synced.
  const nothing = openSync('/dev/null', 'r')
  await expect(syncData(nothing)).rejects.toMatchObject({ code: 'EINVAL' })
  closeSync(nothing)
})
