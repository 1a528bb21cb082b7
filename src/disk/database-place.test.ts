import {
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TELLS_OPEN_FILES, timesOpen } from '../../test/kit/open-files.ts'
import { watchDatabase, watchLog } from './database-place.ts'

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  return { ...fs, fstatSync: vi.fn(fs.fstatSync) }
})

let dir: string
let path: string
let db: DatabaseSync
const begin = (pageSize: number) => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-place-'))
  path = join(dir, 'inbox.db')
  db = new DatabaseSync(path)
  db.exec(
    `PRAGMA page_size = ${pageSize}; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (x)`,
  )
}
beforeEach(() => {
  vi.mocked(fstatSync).mockClear()
  begin(4_096)
})
afterEach(() => {
  if (db.isOpen) db.close()
  rmSync(dir, { recursive: true, force: true })
})

test.each(['', '-wal', '-shm'])(
  'the watch of an open database reports that inbox.db%s was removed or replaced [attack 26]',
  (beside) => {
    const lost = watchDatabase(path)
    expect(lost()).toBeUndefined()
    renameSync(path + beside, join(dir, 'away'))
    expect(lost()).toBe(`inbox.db${beside} was removed or renamed`)
    writeFileSync(path + beside, '')
    expect(lost()).toBe(`inbox.db${beside} was replaced`)
    renameSync(join(dir, 'away'), path + beside)
    expect(lost()).toBeUndefined()
  },
)

test.each([512, 4_096, 65_536])(
  'a log that is one byte shorter than SQLite left it is reported as cut (pages of %i bytes)',
  (pageSize) => {
    db.close()
    rmSync(dir, { recursive: true })
    begin(pageSize)
    for (let each = 0; each < 20; each++) db.exec(`INSERT INTO t VALUES (${each})`)
    const database = openSync(path, 'r')
    const log = openSync(`${path}-wal`, 'r')
    const length = watchLog(path, database, log)
    const { size } = statSync(`${path}-wal`)
    expect((size - 32) % (24 + pageSize)).toBe(0)
    expect(length.isCut()).toBe(false)
    truncateSync(`${path}-wal`, size - 1)
    expect(length.isCut()).toBe(true)
    truncateSync(`${path}-wal`, 0)
    expect(length.isCut()).toBe(true)
    db.close()
    length.close()
    closeSync(log)
    closeSync(database)
  },
)

test('a log that SQLite itself emptied is not reported as cut', () => {
  const database = openSync(path, 'r')
  const log = openSync(`${path}-wal`, 'r')
  const length = watchLog(path, database, log)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  expect(statSync(`${path}-wal`).size).toBe(0)
  expect(length.isCut()).toBe(false)
  db.close()
  length.close()
  closeSync(log)
  closeSync(database)
})

test('a log that another process empties between the two checks is not reported as cut', () => {
  const database = openSync(path, 'r')
  const log = openSync(`${path}-wal`, 'r')
  const length = watchLog(path, database, log)
  vi.mocked(fstatSync).mockClear()
  vi.mocked(fstatSync).mockReturnValueOnce({ size: 0 } as ReturnType<typeof statSync> & object)
  expect(length.isCut()).toBe(false)
  expect(fstatSync).toHaveBeenCalledTimes(2)
  db.close()
  length.close()
  closeSync(log)
  closeSync(database)
})

test('closing the watch of a log also closes the index of the log', () => {
  const database = openSync(path, 'r')
  const log = openSync(`${path}-wal`, 'r')
  const length = watchLog(path, database, log)
  db.close()
  expect(timesOpen(`${path}-shm`)).toBe(TELLS_OPEN_FILES ? 1 : 0)
  length.close()
  expect(timesOpen(`${path}-shm`)).toBe(0)
  closeSync(log)
  closeSync(database)
})
