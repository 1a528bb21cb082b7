import { existsSync, lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

test('a folder is made with the missing folders above it, and an existing one is left as it is', () => {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-folder-'))
  try {
    const folder = join(dir, 'a', 'b', 'c')
    makeFolder(folder, 0o700)
    makeFolder(folder, 0o755)
    expect([folder, join(dir, 'a')].map((path) => lstatSync(path).mode & 0o777)).toEqual([0o700, 0o700])
  } finally {
    rmSync(dir, { recursive: true })
  }
})

test('where the system cannot make folders, the error comes at once [attack 14]', () => {
  expect(() => makeFolder('/proc/a/b')).toThrow()
  expect(existsSync('/proc/a')).toBe(false)
})
