import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { timesOpen } from '../../../test/kit/open-files.ts'
import { BnplError } from '../../errors.ts'
import { createReserve, RESERVE_BYTES, withReserve } from './inbox-file.ts'

let dir: string
let path: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-reserve-'))
  path = join(dir, 'reserve')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const full = () => {
  throw new BnplError('output', 'no room')
}

test('the reserve is written in full, freed once, and recognised after a restart', () => {
  const reserve = createReserve(path)
  expect(reserve.release()).toBe(false)
  expect(reserve.restore()).toBe(true)
  expect(readFileSync(path).length).toBe(RESERVE_BYTES)
  expect(createReserve(path).release()).toBe(true)
  expect(existsSync(path)).toBe(false)
})

test('on a full disk the reserve is freed and the work repeated; without a reserve the work fails [row 66]', () => {
  const reserve = createReserve(path)
  reserve.restore()
  const told: string[] = []
  const attempt = withReserve(
    reserve,
    () => told.push('made room'),
    () => told.push('used'),
  )
  let tries = 0
  expect(attempt(() => (tries++ === 0 ? full() : 'done'))).toBe('done')
  expect(existsSync(path)).toBe(false)
  expect(() => attempt(full)).toThrow('no room')
  expect(told).toEqual(['used', 'made room', 'made room'])
  // When the disk has room again, the reserve is restored after a while.
  for (let i = 0; i < 200; i++) attempt(() => 'done')
  expect(readFileSync(path).length).toBe(RESERVE_BYTES)
})

test('the reserve is freed only for a full disk, not for other failures', () => {
  const reserve = createReserve(path)
  reserve.restore()
  const attempt = withReserve(
    reserve,
    () => {},
    () => {},
  )
  expect(() =>
    attempt(() => {
      throw new BnplError('config', 'damaged')
    }),
  ).toThrow('damaged')
  expect(existsSync(path)).toBe(true)
})

test('an existing reserve is made private; a file with other content in place of the reserve is refused and kept', () => {
  const reserve = createReserve(path)
  const notices: string[] = []
  const check = () => reserve.check((text) => notices.push(text))
  check()
  reserve.restore()
  check()
  expect(notices).toEqual([])
  chmodSync(path, 0o644)
  check()
  expect([statSync(path).mode & 0o777, notices.length]).toEqual([0o600, 1])
  // An interrupted start may have left a smaller file.
  for (const size of [0, 100, RESERVE_BYTES]) {
    writeFileSync(path, Buffer.alloc(size), { mode: 0o600 })
    check()
  }
  const unusable = expect.objectContaining({
    kind: 'config',
    code: 'RESERVE_UNUSABLE',
    message: `${path} should contain only zeros, which keep disk space free for the inbox, but it contains other data`,
    hint: `Move that file away: mv ${path} ${path}.old`,
  })
  truncateSync(path, RESERVE_BYTES + 1)
  expect(check).toThrow(unusable)
  writeFileSync(path, Buffer.concat([Buffer.alloc(100), Buffer.from('x')]))
  expect(check).toThrow(unusable)
  expect(readFileSync(path).length).toBe(101)
})

test('an incomplete reserve of an interrupted start is completed and made private', () => {
  const reserve = createReserve(path)
  writeFileSync(path, Buffer.alloc(100), { mode: 0o644 })
  expect(reserve.release()).toBe(false)
  expect(existsSync(path)).toBe(true)
  expect(reserve.restore()).toBe(true)
  expect([statSync(path).size, statSync(path).mode & 0o777]).toEqual([RESERVE_BYTES, 0o600])
  expect(statSync(path).blocks * 512).toBeGreaterThanOrEqual(RESERVE_BYTES)
  const { ino } = statSync(path)
  expect(reserve.restore()).toBe(true)
  expect(statSync(path).ino).toBe(ino)
  expect(timesOpen(path)).toBe(0)
})

test('a symbolic link or a folder in place of the reserve is neither freed nor replaced', () => {
  const reserve = createReserve(path)
  const elsewhere = join(dir, 'elsewhere')
  symlinkSync(elsewhere, path)
  expect([reserve.release(), reserve.restore(), existsSync(elsewhere)]).toEqual([false, false, false])
  rmSync(path)
  mkdirSync(path)
  expect([reserve.release(), reserve.restore(), existsSync(path)]).toEqual([false, false, true])
})

test('in a missing folder, the reserve can neither be created nor freed', () => {
  const reserve = createReserve(join(dir, 'nowhere', 'reserve'))
  expect([reserve.restore(), reserve.release()]).toEqual([false, false])
})

/** Work on a simulated disk, and the calls of the reserve. */
function bench(canRestore: () => boolean) {
  const asked: string[] = []
  const reserve = {
    check: () => {},
    release: () => asked.push('release') > 0,
    restore: () => {
      asked.push('restore')
      return canRestore()
    },
  }
  let used = 0
  const attempt = withReserve(
    reserve,
    () => {},
    () => used++,
  )
  const work = (times: number) => {
    for (let i = 0; i < times; i++) attempt(() => 'done')
  }
  const useIt = () => {
    let tries = 0
    attempt(() => (tries++ === 0 ? full() : 'done'))
  }
  return { asked, work, useIt, used: () => used }
}

test('a reserve that was never used is not restored', () => {
  const { asked, work } = bench(() => true)
  work(1000)
  expect(asked).toEqual([])
})

test('a used reserve is restored after 200 commits, and every 200 after that until there is room', () => {
  let isRoom = false
  const { asked, work, useIt, used } = bench(() => isRoom)
  useIt()
  expect(used()).toBe(1)
  work(199)
  expect(asked).toEqual(['release'])
  work(1)
  expect(asked).toEqual(['release', 'restore'])
  work(199)
  expect(asked).toHaveLength(2)
  isRoom = true
  work(1)
  expect(asked).toEqual(['release', 'restore', 'restore'])
  work(1000)
  expect(asked).toHaveLength(3)
})
