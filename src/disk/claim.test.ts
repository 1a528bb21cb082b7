import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { tryClaim } from './claim.ts'

const dir = mkdtempSync(join(tmpdir(), 'bnpl-claim-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('a lock is held by one process until it is released', () => {
  const path = join(dir, 'free.lock')
  writeFileSync(path, '')
  const first = tryClaim(path)
  expect(tryClaim(path)).toBeUndefined()
  first?.release()
  const second = tryClaim(path)
  expect(second).toBeDefined()
  second?.release()
})

test('a lock that may not be opened, and a file that is not a lock, are named in the error [row 91]', () => {
  writeFileSync(join(dir, 'other.lock'), 'something else '.repeat(100))
  expect(() => tryClaim(join(dir, 'other.lock'))).toThrowError(expect.objectContaining({ kind: 'config' }))
  const closed = join(dir, 'nowhere', 'a.lock')
  expect(() => tryClaim(closed)).toThrowError(expect.objectContaining({ kind: 'config', code: 'DISK' }))
})

test('a file of another program in the place of a lock keeps its mode [attack 28]', () => {
  const path = join(dir, 'foreign.lock')
  writeFileSync(path, 'something else '.repeat(100))
  chmodSync(path, 0o644)
  expect(() => tryClaim(path)).toThrowError(expect.objectContaining({ code: 'LOCK_UNUSABLE' }))
  expect(statSync(path).mode & 0o777).toBe(0o644)
})

test('a link in the place of a lock, or of the files of SQLite beside it, is not followed [attack 5]', () => {
  const victim = join(dir, 'victim')
  writeFileSync(victim, 'precious')
  symlinkSync(victim, join(dir, 'link.lock'))
  expect(() => tryClaim(join(dir, 'link.lock'))).toThrowError(expect.objectContaining({ code: 'SYMLINK' }))
  symlinkSync(victim, join(dir, 'beside.lock-journal'))
  tryClaim(join(dir, 'beside.lock'))?.release()
  expect(readFileSync(victim, 'utf8')).toBe('precious')
})

test('the holder of a lock learns that its file was removed or replaced [attack 26]', () => {
  const path = join(dir, 'lost.lock')
  using claim = { ...tryClaim(path)!, [Symbol.dispose]: () => {} }
  expect(claim.loss()).toBeUndefined()
  rmSync(path)
  expect(claim.loss()).toBe('removed')
  writeFileSync(path, '')
  expect(claim.loss()).toBe('replaced')
  claim.release()
})
