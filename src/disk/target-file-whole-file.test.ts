import {
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { timesOpen } from '../../test/kit/open-files.ts'
import { writeWholeFile } from './target-file.ts'

// A test cannot make a real disk fail at the sync, so this function is replaced.
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  return { ...fs, fsyncSync: vi.fn(fs.fsyncSync) }
})

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-whole-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('a file is readable only by its owner, replaces an existing file, and leaves no other file [row 4]', () => {
  const path = join(dir, 'ready.json')
  writeFileSync(path, 'old and longer than the new text', { mode: 0o644 })
  writeWholeFile(path, 'new')
  expect(readFileSync(path, 'utf8')).toBe('new')
  expect(lstatSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(dir)).toEqual(['ready.json'])
})

test('a symbolic link at the path is replaced, and the target of the link is unchanged [attack 5]', () => {
  const [path, victim] = [join(dir, 'ready.json'), join(dir, 'victim')]
  writeFileSync(victim, 'precious')
  symlinkSync(victim, path)
  writeWholeFile(path, 'new')
  expect(lstatSync(path).isFile()).toBe(true)
  expect(readFileSync(victim, 'utf8')).toBe('precious')
})

test('the error names the file that cannot be written, and no temporary file is left', () => {
  const path = join(dir, 'taken')
  mkdirSync(path)
  expect(() => writeWholeFile(path, 'new')).toThrowError(
    expect.objectContaining({
      kind: 'config',
      code: 'DISK',
      message: expect.stringMatching(/\/taken could not be written \(EISDIR\)$/),
    }),
  )
  expect(readdirSync(dir)).toEqual(['taken'])
  const nowhere = join(dir, 'nowhere', 'ready.json')
  expect(() => writeWholeFile(nowhere, 'new')).toThrowError(
    expect.objectContaining({ code: 'DISK', message: `${nowhere} could not be written (ENOENT)` }),
  )
})

test('no file stays open, whether it was written or not', () => {
  mkdirSync(join(dir, 'taken'))
  writeWholeFile(join(dir, 'ready.json'), 'new')
  expect(() => writeWholeFile(join(dir, 'taken'), 'new')).toThrow()
  expect(timesOpen(dir)).toBe(0)
})

test('the bytes are synced to the disk before the file gets its name', () => {
  const path = join(dir, 'ready.json')
  vi.mocked(fsyncSync).mockImplementationOnce(() => {
    expect(readdirSync(dir)).toHaveLength(1)
    expect(readdirSync(dir)).not.toContain('ready.json')
    throw Object.assign(new Error(), { code: 'EIO' })
  })
  expect(() => writeWholeFile(path, 'new')).toThrowError(
    expect.objectContaining({ message: `${path} could not be written (EIO)` }),
  )
  expect(readdirSync(dir)).toEqual([])
  expect(timesOpen(dir)).toBe(0)
})
