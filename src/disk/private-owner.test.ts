import { chmodSync, chownSync, fstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { platform, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { machine } from '../../test/kit/harness.ts'
import { timesOpen } from '../../test/kit/open-files.ts'
import { ownUser, refuseOwner } from './private.ts'

// These functions are replaced, because a test cannot run as another user.
vi.mock('node:os', async (original) => {
  const os = await original<typeof import('node:os')>()
  return { ...os, platform: vi.fn(os.platform), userInfo: vi.fn(os.userInfo) }
})
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  return { ...fs, fstatSync: vi.fn(fs.fstatSync) }
})
afterEach(() => void vi.resetAllMocks())

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
  // The test file, with which the owner of new files was found, is removed.
  expect(readdirSync(dir)).toEqual([])
})

test('folders of another user (sudo with a kept HOME) are refused, and no file is made there [row 114]', async () => {
  using m = machine()
  for (const folder of [m.configDir, m.stateDir]) {
    mkdirSync(folder, { mode: 0o700 })
    // Only root can change the owner of a folder, so other users test only their own folders.
    if (ownUser() === 0) chownSync(folder, 65_534, 65_534)
  }
  const expected = ownUser() === 0 ? 3 : 0
  expect((await m.run('profiles list')).code).toBe(expected)
  expect((await m.run('history list')).code).toBe(expected)
  if (expected === 3) expect([readdirSync(m.configDir), readdirSync(m.stateDir)]).toEqual([[], []])
})

const OTHERS = 54_321
/** Makes the system report this user id for the process. */
const actAs = (uid: number) => {
  vi.mocked(platform).mockReturnValue('darwin')
  vi.mocked(userInfo).mockReturnValue({ uid } as ReturnType<typeof userInfo>)
}
const of = (uid: number) => Object.assign(statSync(dir), { uid })

test('ownUser returns the user id of the process, or undefined if the system has no user ids', () => {
  actAs(OTHERS)
  expect(ownUser()).toBe(OTHERS)
  vi.mocked(userInfo).mockImplementation(() => {
    throw new Error('no such user')
  })
  expect(ownUser()).toBeUndefined()
  expect(() => refuseOwner(join(dir, 'x'), of(1), dir)).not.toThrow()
  actAs(OTHERS)
  vi.mocked(platform).mockReturnValue('win32')
  expect(ownUser()).toBeUndefined()
  expect(() => refuseOwner(join(dir, 'x'), of(1), dir)).not.toThrow()
})

test('a user without a name, as in a container, is known on Linux [row 114]', () => {
  vi.mocked(userInfo).mockImplementation(() => {
    throw new Error('ENOENT: uv_os_get_passwd')
  })
  // Other systems have no /proc, so the user is unknown there.
  if (platform() === 'linux') expect(ownUser()).toBe(statSync('/proc/self').uid)
  else expect(ownUser()).toBeUndefined()
})

test('files of the user and of root are accepted, and a file of another user is refused with its uid [row 114]', () => {
  actAs(OTHERS)
  expect(() => refuseOwner('/nowhere/x', of(OTHERS), '/nowhere')).not.toThrow()
  expect(() => refuseOwner('/nowhere/x', of(0), '/nowhere')).not.toThrow()
  expect(() => refuseOwner('/nowhere/x', of(OTHERS + 1), '/nowhere')).toThrow(
    expect.objectContaining({
      kind: 'config',
      code: 'FOREIGN_OWNER',
      message: `/nowhere/x belongs to another user (uid ${OTHERS + 1}, this process runs as uid ${OTHERS})`,
      hint: 'Run bnpl as that user, or set BNPL_CONFIG_DIR and BNPL_STATE_DIR to your own folders. Under sudo, HOME may still be the home folder of the user who called sudo.',
    }),
  )
})

test('if all files belong to one user, as on a share, they are accepted, and no test file is left behind [row 114]', () => {
  const share = join(dir, 'share')
  mkdirSync(share)
  chmodSync(share, 0o700)
  actAs(OTHERS)
  // On this simulated share, every new file belongs to one user.
  const everybody = OTHERS + 7
  vi.mocked(fstatSync).mockImplementation((() => {
    expect(readdirSync(share)).toEqual([expect.stringMatching(/^\.bnpl-owner-[0-9a-z]+$/)])
    return { uid: everybody }
  }) as unknown as typeof fstatSync)
  expect(() => refuseOwner(join(share, 'x'), of(everybody), share)).not.toThrow()
  expect(() => refuseOwner(join(share, 'x'), of(OTHERS + 1), share)).toThrow()
  expect(fstatSync).toHaveBeenCalledTimes(2)
  expect(readdirSync(share)).toEqual([])
  expect(timesOpen(share)).toBe(0)
})
