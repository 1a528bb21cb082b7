import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BnplError } from '../../errors.ts'
import { createReserve, RESERVE_BYTES, withReserve } from './reserve.ts'

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
  // Where there is room again, it is taken back after a while.
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
