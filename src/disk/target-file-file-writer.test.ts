import {
  fdatasync,
  fstatSync,
  fsync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { TELLS_OPEN_FILES, timesOpen } from '../../test/kit/open-files.ts'
import { FileWriter } from './target-file.ts'

// A test cannot make a real disk write only a part, be slow or fail, so these functions are replaced.
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  return {
    ...fs,
    writeSync: vi.fn(fs.writeSync),
    ftruncateSync: vi.fn(fs.ftruncateSync),
    fdatasync: vi.fn(fs.fdatasync),
    fsync: vi.fn(fs.fsync),
  }
})

type Played = ReturnType<typeof vi.fn>
const write = vi.mocked(writeSync) as unknown as Played
const flush = vi.mocked(fdatasync) as unknown as Played
const wholeSync = vi.mocked(fsync) as unknown as Played

const dir = mkdtempSync(join(tmpdir(), 'bnpl-writer-'))
const path = join(dir, 'file')
afterAll(() => rmSync(dir, { recursive: true, force: true }))
afterEach(() => void vi.resetAllMocks())

const FLUSH = 32 * 1024 * 1024
const text = () => readFileSync(path, 'utf8')
/** Simulates a disk that accepts everything and stores nothing. */
const takeAll = () => write.mockImplementation((_fd: number, _bytes: Uint8Array, _from: number, count: number) => count)

test('pieces are written one after another, even if the disk takes only a part of each', async () => {
  const fd = openSync(path, 'w')
  const writer = new FileWriter(fd)
  const whole = write.getMockImplementation() as typeof writeSync
  write.mockImplementation((file: number, bytes: Uint8Array, from: number, count: number, position: number) =>
    whole(file, bytes, from, Math.min(count, 2), position),
  )
  for (const piece of ['hello', '', ' ', 'world!']) writer.take(Buffer.from(piece))
  expect(writer.bytes).toBe(12)
  await writer.sync()
  await writer.close()
  expect(text()).toBe('hello world!')
})

test('a restart removes every byte, and does not truncate a file without bytes', async () => {
  const fd = openSync(path, 'w')
  const writer = new FileWriter(fd)
  writer.restart()
  expect(ftruncateSync).not.toHaveBeenCalled()
  writer.take(Buffer.from('the first try was longer'))
  writer.restart()
  expect([writer.bytes, fstatSync(fd).size]).toEqual([0, 0])
  writer.take(Buffer.from('second'))
  expect(writer.bytes).toBe(6)
  await writer.close()
  expect(text()).toBe('second')
})

test('a file is closed once, even if close is called twice', async () => {
  const writer = new FileWriter(openSync(path, 'w'))
  await writer.close()
  expect(timesOpen(path)).toBe(0)
  await writer.close()
})

test('sync calls fsync, and fails with the error of the disk', async () => {
  const fd = openSync(path, 'w')
  const writer = new FileWriter(fd)
  await writer.sync()
  expect(wholeSync).toHaveBeenCalledTimes(1)
  expect(wholeSync.mock.calls[0]?.[0]).toBe(fd)
  wholeSync.mockImplementationOnce((_fd: number, done: (error: Error) => void) => done(new Error('EIO')))
  await expect(writer.sync()).rejects.toThrow('EIO')
  await writer.close()
})

test('a flush starts after every 32 MB since the last flush or restart', async () => {
  const writer = new FileWriter(openSync(path, 'w'))
  takeAll()
  flush.mockImplementation((_fd: number, done: () => void) => done())
  writer.take(Buffer.alloc(FLUSH - 1))
  expect(flush).not.toHaveBeenCalled()
  writer.take(Buffer.alloc(1))
  expect(flush).toHaveBeenCalledTimes(1)
  await writer.sync()
  writer.take(Buffer.alloc(FLUSH - 1))
  expect(flush).toHaveBeenCalledTimes(1)
  writer.take(Buffer.alloc(2))
  expect(flush).toHaveBeenCalledTimes(2)
  await writer.sync()
  writer.restart()
  writer.take(Buffer.alloc(FLUSH - 1))
  expect(flush).toHaveBeenCalledTimes(2)
  writer.take(Buffer.alloc(1))
  expect(flush).toHaveBeenCalledTimes(3)
  await writer.close()
})

test('only one flush runs at a time, and sync and close wait for it', async () => {
  const writer = new FileWriter(openSync(path, 'w'))
  takeAll()
  const waiting: (() => void)[] = []
  flush.mockImplementation((_fd: number, done: () => void) => void waiting.push(done))
  writer.take(Buffer.alloc(FLUSH))
  writer.take(Buffer.alloc(FLUSH))
  expect(waiting.length).toBe(1)
  const ended: string[] = []
  const synced = writer.sync().then(() => ended.push('sync'))
  const closed = writer.close().then(() => ended.push('close'))
  await new Promise(setImmediate)
  expect(ended).toEqual([])
  expect(wholeSync).not.toHaveBeenCalled()
  expect(timesOpen(path)).toBe(TELLS_OPEN_FILES ? 1 : 0)
  // The test does not compare the order in which the two end, because a sync after the close would fail anyway.
  wholeSync.mockImplementation((_fd: number, done: () => void) => done())
  waiting[0]?.()
  await Promise.all([synced, closed])
  expect(timesOpen(path)).toBe(0)
})

test('the sync reports the failure of a flush and does not use the disk again', async () => {
  const writer = new FileWriter(openSync(path, 'w'))
  takeAll()
  flush.mockImplementation((_fd: number, done: (error: Error) => void) => done(new Error('EIO: the disk failed')))
  writer.take(Buffer.alloc(FLUSH))
  await expect(writer.sync()).rejects.toThrow('EIO: the disk failed')
  await expect(writer.sync()).rejects.toThrow('EIO: the disk failed')
  expect(wholeSync).not.toHaveBeenCalled()
  await writer.close()
})
