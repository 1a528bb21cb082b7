import { existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { makeFolder } from './private.ts'

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  return { ...fs, mkdirSync: vi.fn(fs.mkdirSync) }
})

test('a folder is made with its missing parents, and an existing folder is unchanged', () => {
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

test('if the system cannot make folders at a path, makeFolder throws [attack 14]', () => {
  expect(() => makeFolder('/proc/a/b')).toThrow()
  expect(existsSync('/proc/a')).toBe(false)
})

test('makeFolder throws the error of the system, and accepts an existing file or link without a change', () => {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-folder-'))
  try {
    writeFileSync(join(dir, 'file'), '')
    expect(() => makeFolder(join(dir, 'file', 'a'))).toThrow('ENOTDIR')
    expect(() => makeFolder(join(dir, 'x'.repeat(1_000)))).toThrow('ENAMETOOLONG')
    symlinkSync(join(dir, 'nowhere'), join(dir, 'link'))
    makeFolder(join(dir, 'link'))
    makeFolder(join(dir, 'file'))
    expect(lstatSync(join(dir, 'link')).isSymbolicLink()).toBe(true)
    expect(existsSync(join(dir, 'nowhere'))).toBe(false)
  } finally {
    rmSync(dir, { recursive: true })
  }
})

test('a folder that another process made meanwhile is used', () => {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-folder-'))
  try {
    const folder = join(dir, 'a')
    const make = vi.mocked(mkdirSync).getMockImplementation() as typeof mkdirSync
    vi.mocked(mkdirSync).mockImplementationOnce((path) => {
      make(path)
      throw Object.assign(new Error('EEXIST'), { code: 'EEXIST' })
    })
    makeFolder(folder)
    expect(lstatSync(folder).isDirectory()).toBe(true)
  } finally {
    rmSync(dir, { recursive: true })
  }
})
