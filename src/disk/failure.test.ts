import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { diskFailure } from './failure.ts'
import { sqliteFailure } from './sqlite-failure.ts'

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
    hint: expect.stringMatching(/^Make room there \(\d+\.\d MB are free there\), /),
  })
  expect(sqliteFailure('/nowhere/at/all/state.db', { errcode: 13 })).toMatchObject({
    hint: 'Make room there, or name another folder with BNPL_STATE_DIR.',
  })
})
