import {
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
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeWholeFile } from './whole-file.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-whole-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('a file is written for its owner alone, replaces what was there, and leaves nothing beside it [row 4]', () => {
  const path = join(dir, 'ready.json')
  writeFileSync(path, 'old and longer than the new text', { mode: 0o644 })
  writeWholeFile(path, 'new')
  expect(readFileSync(path, 'utf8')).toBe('new')
  expect(lstatSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(dir)).toEqual(['ready.json'])
})

test('a link in its place is replaced, and its target stays [row 5]', () => {
  const [path, victim] = [join(dir, 'ready.json'), join(dir, 'victim')]
  writeFileSync(victim, 'precious')
  symlinkSync(victim, path)
  writeWholeFile(path, 'new')
  expect(lstatSync(path).isFile()).toBe(true)
  expect(readFileSync(victim, 'utf8')).toBe('precious')
})

test('a file that cannot be put in its place is named, and nothing is left behind', () => {
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

test('no file stays open, written or not', () => {
  const open = () => readdirSync('/proc/self/fd').length
  const before = process.platform === 'linux' ? open() : 0
  for (let each = 0; each < 20; each++) writeWholeFile(join(dir, 'ready.json'), 'new')
  expect(process.platform === 'linux' ? open() : 0).toBeLessThan(before + 10)
})
