import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { timesOpen } from '../../test/kit/open-files.ts'
import { tryClaim } from '../disk/claim.ts'
import { claimFiles, openClaims } from './claims.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-claims-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** Opens the claims of a process. In these tests, processes with a pid below 100 are running. */
const open = (pid: number) =>
  openClaims({ dir: join(dir, 'claims'), pid, isAlive: (other) => other < 100, notice: () => {} })
const locks = () => readdirSync(join(dir, 'claims')).filter((name) => name.endsWith('.lock'))

test('a run claims all things or none, and no other run can claim them until they are released [row 115]', async () => {
  const one = await open(1)
  const two = await open(2)
  expect(one.take(['run a', 'file b'])).toBeUndefined()
  expect(one.take(['file b', 'file c'])).toBeUndefined()
  expect(two.take(['file d', 'file c'])).toEqual({ name: 'file c', pid: 1 })
  expect(one.take(['file d'])).toBeUndefined()
  let done = 0
  expect(two.whileTaken('run a', () => done++)).toBe(false)
  expect(two.whileTaken('run z', () => done++)).toBe(true)
  expect([done, one.take(['run z'])]).toEqual([1, undefined])
  one.release()
  expect(two.take(['run a', 'file b', 'file c', 'file d', 'run z'])).toBeUndefined()
  two.release()
  expect(readdirSync(join(dir, 'claims'))).toEqual(['claims.db'])
})

test('a claim stays valid when its lock file is removed, as long as its process lives [row 115]', async () => {
  const living = await open(1)
  const dead = await open(1000)
  living.take(['run a'])
  dead.take(['run b'])
  for (const name of locks()) rmSync(join(dir, 'claims', name))
  const other = await open(2)
  expect(other.take(['run a'])).toEqual({ name: 'run a', pid: 1 })
  expect(other.take(['run b'])).toBeUndefined()
  for (const claims of [living, dead, other]) claims.release()
})

test('every path to a file claims the same file, and a file in a missing folder is not claimed [attack 2]', async () => {
  mkdirSync(join(dir, 'real'))
  symlinkSync(join(dir, 'real'), join(dir, 'link'))
  const one = await open(1)
  const two = await open(2)
  claimFiles(one, [join(dir, 'real', 'o.csv'), undefined, join(dir, 'nowhere', 'o.csv')])
  claimFiles(one, [join(dir, 'link', 'o.csv')])
  writeFileSync(join(dir, 'real', 'r.xml'), '')
  symlinkSync(join(dir, 'real', 'r.xml'), join(dir, 'r.xml'))
  claimFiles(one, [join(dir, 'r.xml')])
  expect(() => claimFiles(two, [join(dir, 'link', 'r.xml')])).toThrow('is being written by another run (pid 1)')
  expect(() => claimFiles(two, [join(dir, 'x.csv'), join(dir, 'link', 'o.csv')])).toThrow(
    expect.objectContaining({
      kind: 'config',
      code: 'OUTPUT_LOCKED',
      message: `${join(dir, 'link', 'o.csv')} is being written by another run (pid 1)`,
    }),
  )
  claimFiles(two, [join(dir, 'nowhere', 'o.csv'), join(dir, 'o.csv')])
  one.release()
  two.release()
})

test('a refusal says that nothing was sent, and what to do', async () => {
  const one = await open(1)
  const two = await open(2)
  const path = join(dir, 'o.csv')
  claimFiles(one, [path])
  expect(() => claimFiles(two, [path])).toThrow(
    expect.objectContaining({ hint: 'Wait for that process, or name another file. Nothing was sent.' }),
  )
  one.release()
  two.release()
})

test('if the claims table is removed, the run that has claims in the table ends with an error', async () => {
  const claims = await open(1)
  unlinkSync(join(dir, 'claims', 'claims.db'))
  expect(() => claims.take(['run a'])).toThrow(
    expect.objectContaining({
      kind: 'config',
      code: 'STATE_LOST',
      message: 'claims.db was removed or renamed during this run',
      hint: 'Run the command again.',
    }),
  )
  expect(() => claims.whileTaken('run a', () => {})).toThrow('claims.db was removed or renamed during this run')
  // Releasing the claims does not fail, although the table was removed.
  claims.release()
})

test('the lock of a run is private, and the next run removes the lock and the claims of a killed run', async () => {
  const one = await open(1)
  const [mine = ''] = locks()
  expect(mine).toMatch(/^run-[0-9a-f]{24}\.lock$/)
  expect(statSync(join(dir, 'claims', mine)).mode & 0o777).toBe(0o600)
  one.take(['run a'])
  // A killed run leaves a lock file that no process has locked, and a claim that names this file.
  const left = 'run-0123456789abcdef01234567.lock'
  writeFileSync(join(dir, 'claims', left), '')
  const stranger = join(dir, 'claims', 'other.lock')
  writeFileSync(stranger, '')
  using db = new DatabaseSync(join(dir, 'claims', 'claims.db'))
  db.prepare('insert into claim (name, lock, pid) values (?, ?, ?)').run('run b', left, 3)
  const claimed = () =>
    db
      .prepare('select name from claim order by name')
      .all()
      .map(({ name }) => name)
  expect(claimed()).toEqual(['run a', 'run b'])
  const two = await open(2)
  expect(claimed()).toEqual(['run a'])
  expect(locks()).toHaveLength(3)
  expect(locks()).not.toContain(left)
  // A running process keeps its lock, and a file with another name is not removed.
  expect(tryClaim(join(dir, 'claims', mine))).toBeUndefined()
  expect(locks()).toContain('other.lock')
  one.release()
  two.release()
  expect(claimed()).toEqual([])
})

test('a run can take the claim of another run that was killed after the first one had started', async () => {
  const two = await open(2)
  const left = 'run-0123456789abcdef01234567.lock'
  writeFileSync(join(dir, 'claims', left), '', { mode: 0o600 })
  using db = new DatabaseSync(join(dir, 'claims', 'claims.db'))
  const put = db.prepare('insert into claim (name, lock, pid) values (?, ?, ?)')
  put.run('run b', left, 3)
  put.run('run c', left, 3)
  expect(two.take(['run b'])).toBeUndefined()
  expect(locks()).not.toContain(left)
  expect(db.prepare('select name, pid from claim').all()).toEqual([{ name: 'run b', pid: 2 }])
  two.release()
})

test('a claim held during an action ends even if the action throws, so that another run can take the claim', async () => {
  const one = await open(1)
  const two = await open(2)
  const fault = new Error('no')
  expect(() =>
    one.whileTaken('run a', () => {
      expect(two.take(['run a'])).toEqual({ name: 'run a', pid: 1 })
      throw fault
    }),
  ).toThrow(fault)
  expect(two.take(['run a'])).toBeUndefined()
  one.release()
  two.release()
})

test('a database error during a claim is reported with the path of the table, and no part of the claim is kept', async () => {
  const one = await open(1)
  using other = new DatabaseSync(join(dir, 'claims', 'claims.db'))
  other.exec("create trigger no before insert on claim when new.name = 'run b' begin select raise(abort, 'no'); end")
  expect(() => one.take(['run a', 'run b'])).toThrow(
    expect.objectContaining({ name: 'BnplError', message: expect.stringContaining(join(dir, 'claims', 'claims.db')) }),
  )
  expect(other.prepare('select name from claim').all()).toEqual([])
  expect(one.take(['run a'])).toBeUndefined()
  one.release()
})

test('a run that cannot create its own lock does not leave the claims table open', async () => {
  mkdirSync(join(dir, 'claims'), { mode: 0o700 })
  // A folder has the name of a lock file, and cannot be removed like one.
  mkdirSync(join(dir, 'claims', 'run-0123456789abcdef01234567.lock'))
  await expect(open(1)).rejects.toMatchObject({ kind: 'config' })
  expect(timesOpen(join(dir, 'claims', 'claims.db'))).toBe(0)
})
