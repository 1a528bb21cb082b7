import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { config } from '../errors.ts'
import { diskFailure } from './failure.ts'
import { sqliteFailure } from './sqlite.ts'

const dir = mkdtempSync(join(tmpdir(), 'bnpl-disk-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('the error about a full disk names the free space', () => {
  const full = Object.assign(new Error(), { code: 'ENOSPC', path: join(dir, 'x') })
  expect(diskFailure('x could not be written', full)).toMatchObject({
    kind: 'output',
    hint: expect.stringMatching(/^Make room on that disk \(\d+\.\d MB are free there\), /),
  })
  const path = join(dir, 'state.db')
  expect(sqliteFailure(path, { errcode: 13 })).toMatchObject({
    kind: 'output',
    hint: expect.stringMatching(/^Make room on that disk \(\d+\.\d MB are free there\), /),
  })
  expect(sqliteFailure('/nowhere/at/all/state.db', { errcode: 13 })).toMatchObject({
    hint: 'Make room on that disk, or name another folder with BNPL_STATE_DIR.',
  })
})

test.each(['EACCES', 'EPERM'])('%s is explained without modes on Windows', (code) => {
  const cause = Object.assign(new Error(), { code })
  const hints = ['linux', 'win32'].map((system) => diskFailure('x could not be written', cause, system).hint)
  expect(hints).toEqual([expect.stringContaining('the mode'), expect.stringContaining('(icacls), and close')])
})

test.each([
  ['ENOSPC', 'the disk is full', 'Make room on that disk, then run the command again.'],
  ['EDQUOT', 'the disk quota is used up', 'Make room on that disk, then run the command again.'],
  [
    'EFBIG',
    'a file of this size is not allowed here',
    'Raise the limit for the size of a file (ulimit -f), then run the command again.',
  ],
])('%s means that there is no room for the file: the kind is output', (code, why, hint) => {
  const cause = Object.assign(new Error(), { code })
  expect(diskFailure('x could not be written', cause)).toMatchObject({
    kind: 'output',
    code,
    message: `x could not be written: ${why}`,
    hint,
    cause,
  })
})

test.each([
  ['EACCES', 'Check the owner and the mode, because you have no permission for this file or folder.'],
  ['EPERM', 'Check the owner and the mode, because you have no permission for this file or folder.'],
  [
    'EROFS',
    'Choose another folder, because this file system is read-only. BNPL_CONFIG_DIR and BNPL_STATE_DIR set the folders of bnpl.',
  ],
  ['ENOENT', 'Set BNPL_CONFIG_DIR and BNPL_STATE_DIR to folders that can be created.'],
  ['ENOTDIR', 'Correct the path. A part of it is a file, not a folder.'],
  ['EIO', 'Check the path and its permissions.'],
])('%s is a configuration error, with a specific hint', (code, hint) => {
  const cause = Object.assign(new Error(), { code })
  expect(diskFailure('x could not be created', cause)).toMatchObject({
    kind: 'config',
    code: 'DISK',
    message: `x could not be created (${code})`,
    hint,
    cause,
  })
})

test.each([[null], [undefined], ['ENOSPC'], [{}], [new Error('no code')]])(
  'a cause without a code is reported as unknown: %s',
  (cause) => {
    expect(diskFailure('x could not be created', cause)).toMatchObject({
      kind: 'config',
      message: 'x could not be created (unknown cause)',
    })
  },
)

test('a BnplError is returned unchanged', () => {
  const ours = config('said already', 'Do it.', 'OURS')
  expect(diskFailure('x could not be created', ours)).toBe(ours)
})
