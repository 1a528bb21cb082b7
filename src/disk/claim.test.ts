import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { tryClaim } from './claim.ts'

const dir = mkdtempSync(join(tmpdir(), 'bnpl-claim-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('a lock is held by one until it is given back', () => {
  const path = join(dir, 'free.lock')
  writeFileSync(path, '')
  const first = tryClaim(path)
  expect(tryClaim(path)).toBeUndefined()
  first?.release()
  const second = tryClaim(path)
  expect(second).toBeDefined()
  second?.release()
})

test('row 91: a lock that may not be opened, and a file that is none, are named, and no fault of ours', () => {
  writeFileSync(join(dir, 'other.lock'), 'something else '.repeat(100))
  expect(() => tryClaim(join(dir, 'other.lock'))).toThrowError(expect.objectContaining({ kind: 'config' }))
  // What a user meets whose lock was made by root.
  const closed = join(dir, 'nowhere', 'a.lock')
  expect(() => tryClaim(closed)).toThrowError(expect.objectContaining({ kind: 'config', code: 'LOCK_UNUSABLE' }))
})
