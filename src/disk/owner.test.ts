import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { machine } from '../../test/harness.ts'
import { ownUser, refuseOwner } from './owner.ts'

const dir = mkdtempSync(join(tmpdir(), 'bnpl-owner-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('files of this user and of root are accepted, and a file of another user is refused and named [row 114]', () => {
  const found = statSync(dir)
  const own = ownUser()
  expect(found.uid).toBe(own)
  expect(() => refuseOwner(dir, found, dir)).not.toThrow()
  expect(() => refuseOwner(dir, Object.assign(statSync(dir), { uid: 0 }), dir)).not.toThrow()
  const others = Object.assign(statSync(dir), { uid: 54_321 })
  expect(() => refuseOwner(join(dir, 'x'), others, dir)).toThrow(
    expect.objectContaining({ kind: 'config', code: 'FOREIGN_OWNER', message: expect.stringContaining('uid 54321') }),
  )
  expect(() => refuseOwner('/nowhere/x', others, '/nowhere')).toThrow(
    expect.objectContaining({ code: 'FOREIGN_OWNER' }),
  )
  // It made a file to see whom that would belong to, and left nothing.
  expect(readdirSync(dir)).toEqual([])
})

test('folders of another user, which sudo with a kept HOME finds, are refused before anything is made there [row 114]', async () => {
  using m = machine()
  for (const folder of [m.configDir, m.stateDir]) {
    mkdirSync(folder, { mode: 0o700 })
    // Only root can give a folder away, and only root is let into one that is closed.
    if (ownUser() === 0) chownSync(folder, 65_534, 65_534)
  }
  const expected = ownUser() === 0 ? 3 : 0
  expect((await m.run('profiles list')).code).toBe(expected)
  expect((await m.run('history list')).code).toBe(expected)
  if (expected === 3) expect([readdirSync(m.configDir), readdirSync(m.stateDir)]).toEqual([[], []])
})
