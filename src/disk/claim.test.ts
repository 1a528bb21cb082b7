import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { timesOpen } from '../../test/kit/open-files.ts'
import { tryClaim } from './claim.ts'

const dir = mkdtempSync(join(tmpdir(), 'bnpl-claim-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
afterEach(() => void vi.restoreAllMocks())

const refusal = (what: object) => expect.objectContaining({ name: 'BnplError', ...what })

test('a lock is held by one process until it is released', () => {
  const path = join(dir, 'free.lock')
  writeFileSync(path, '')
  const first = tryClaim(path)
  expect(tryClaim(path)).toBeUndefined()
  first?.release()
  const second = tryClaim(path)
  expect(second).toBeDefined()
  second?.release()
  // Releasing a lock twice does no harm.
  second?.release()
})

test('a lock in a missing folder, and a file that is not a lock, are configuration errors [row 91]', () => {
  writeFileSync(join(dir, 'other.lock'), 'something else '.repeat(100))
  expect(() => tryClaim(join(dir, 'other.lock'))).toThrowError(expect.objectContaining({ kind: 'config' }))
  const closed = join(dir, 'nowhere', 'a.lock')
  expect(() => tryClaim(closed)).toThrowError(expect.objectContaining({ kind: 'config', code: 'DISK' }))
})

test('a file of another program at the path of a lock is refused and keeps its mode [attack 28]', () => {
  const path = join(dir, 'foreign.lock')
  writeFileSync(path, 'something else '.repeat(100))
  chmodSync(path, 0o644)
  expect(() => tryClaim(path)).toThrowError(expect.objectContaining({ code: 'LOCK_UNUSABLE' }))
  expect(statSync(path).mode & 0o777).toBe(0o644)
})

test('a link at the path of a lock, or of an SQLite file beside the lock, is not followed [attack 5]', () => {
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
  expect(claim.loss()).toBe('removed or renamed')
  writeFileSync(path, '')
  expect(claim.loss()).toBe('replaced')
  claim.release()
})

test('a process that does not get a lock, or releases it, keeps no file open', () => {
  const path = join(dir, 'open.lock')
  const first = tryClaim(path)
  const held = timesOpen(path)
  for (let each = 0; each < 5; each++) expect(tryClaim(path)).toBeUndefined()
  // SQLite may keep one more file open until the lock is released, because closing it would release every lock of this process on that
  // file.
  expect(timesOpen(path)).toBeLessThanOrEqual(held + 1)
  first?.release()
  expect(timesOpen(path)).toBe(0)
})

test('a lock file that is open to others is made private when the lock is taken [row 4]', () => {
  const path = join(dir, 'mode.lock')
  writeFileSync(path, '')
  chmodSync(path, 0o644)
  const said: string[] = []
  const claim = tryClaim(path, (text) => said.push(text))
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(said).toEqual([`${path} was open to other users (mode 0644); its mode is 0600 now`])
  claim?.release()
})

test('a file that is not a lock is reported, with the command that moves it away [row 91]', () => {
  const path = join(dir, 'named.lock')
  writeFileSync(path, 'something else '.repeat(100))
  expect(() => tryClaim(path)).toThrowError(
    refusal({
      kind: 'config',
      code: 'LOCK_UNUSABLE',
      message: `${path} is not the lock file of bnpl`,
      hint: `Move that file away: mv ${path} ${path}.old`,
    }),
  )
  expect(timesOpen(path)).toBe(0)
})

const closed = (path: string) =>
  refusal({
    kind: 'config',
    code: 'LOCK_UNUSABLE',
    message: `the lock file ${path} cannot be opened`,
    hint: 'Check its permissions. The file may belong to root, if an earlier command ran under sudo.',
  })

test('a lock file that SQLite cannot open is named, with what to check [row 91]', () => {
  // This path is too long for SQLite, but not for the system.
  const folder = join(dir, ...Array.from({ length: 6 }, () => 'f'.repeat(120)))
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'long.lock')
  expect(() => tryClaim(path)).toThrowError(closed(path))
})

test('a lock file that SQLite opens and cannot lock is named, with what to check [row 91]', () => {
  const path = join(dir, 'wal.lock')
  const db = new DatabaseSync(path)
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x)')
  db.close()
  // A folder in the place of its log prevents SQLite from opening the log.
  mkdirSync(`${path}-wal`)
  expect(() => tryClaim(path)).toThrowError(closed(path))
  expect(timesOpen(path)).toBe(0)
})

test.each([10, 13, 778])('a disk without room for a lock is reported as a full disk (SQLite error %i)', (errcode) => {
  const path = join(dir, 'full.lock')
  const cause = Object.assign(new Error('of SQLite'), { errcode })
  vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(() => {
    throw cause
  })
  expect(() => tryClaim(path)).toThrowError(
    refusal({
      kind: 'output',
      code: 'LOCK_FULL',
      message: `the lock file ${path} could not be written: the disk is full or reported an error`,
      hint: expect.stringMatching(
        /^Make room on that disk \(\d+\.\d MB are free there\), then run the command again\.$/,
      ),
      cause,
    }),
  )
  expect(timesOpen(path)).toBe(0)
})

/** Replaces a lock file while it is being locked, `times` times. @returns the number of attempts to lock it */
function replacedMeanwhile(path: string, times: number): { tries: number } {
  const { exec } = DatabaseSync.prototype
  const count = { tries: 0 }
  vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql: string) {
    exec.call(this, sql)
    if (count.tries++ >= times) return
    writeFileSync(`${path}.new`, '')
    renameSync(`${path}.new`, path)
  })
  return count
}

test('if a lock file is replaced during locking, the new file is locked [attack 26]', () => {
  const path = join(dir, 'race.lock')
  const count = replacedMeanwhile(path, 9)
  const claim = tryClaim(path)
  expect(count.tries).toBe(10)
  expect(claim?.loss()).toBeUndefined()
  vi.restoreAllMocks()
  expect(tryClaim(path)).toBeUndefined()
  claim?.release()
  expect(timesOpen(path)).toBe(0)
})

test('a lock file that is replaced during every attempt is refused after ten attempts [attack 26]', () => {
  const path = join(dir, 'races.lock')
  const count = replacedMeanwhile(path, 50)
  expect(() => tryClaim(path)).toThrowError(closed(path))
  expect(count.tries).toBe(10)
  expect(timesOpen(path)).toBe(0)
})
