import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claimFiles } from './claim-files.ts'
import { openClaims } from './claims.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-claims-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** Claims of a process; those with numbers below 100 live. */
const open = (pid: number) =>
  openClaims({ dir: join(dir, 'claims'), pid, isAlive: (other) => other < 100, notice: () => {} })
const locks = () => readdirSync(join(dir, 'claims')).filter((name) => name.endsWith('.lock'))

test('things are claimed all or none, and no other run gets them until they are released [row 115]', async () => {
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
