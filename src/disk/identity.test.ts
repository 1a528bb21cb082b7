import { linkSync, lstatSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { identityOf, isSame, watchPlace } from './identity.ts'

const dir = mkdtempSync(join(tmpdir(), 'bnpl-identity-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const at = (name: string) => join(dir, name)

test('a file is known by its device and inode, as exact numbers', () => {
  writeFileSync(at('a'), '')
  const { dev, ino } = lstatSync(at('a'), { bigint: true })
  expect(identityOf(at('a'))).toEqual({ device: dev, inode: ino })
  expect(typeof identityOf(at('a'))?.inode).toBe('bigint')
})

test('of a symbolic link it is the link, not its target', () => {
  writeFileSync(at('target'), '')
  symlinkSync(at('target'), at('link'))
  expect(isSame(identityOf(at('link')), identityOf(at('target')))).toBe(false)
})

test('where nothing is, or nothing can be looked at, there is no identity', () => {
  expect(identityOf(at('missing'))).toBeUndefined()
  expect(identityOf(at('x'.repeat(1_000)))).toBeUndefined()
})

test('two names of one file are the same file; a missing one is the same as nothing', () => {
  writeFileSync(at('one'), '')
  linkSync(at('one'), at('other'))
  const one = identityOf(at('one'))
  expect(isSame(one, identityOf(at('other')))).toBe(true)
  expect(isSame(one, undefined)).toBe(false)
  expect(isSame(undefined, one)).toBe(false)
  expect(isSame(undefined, undefined)).toBe(false)
  expect(isSame({ device: 1n, inode: 2n }, { device: 1n, inode: 3n })).toBe(false)
  expect(isSame({ device: 1n, inode: 2n }, { device: 3n, inode: 2n })).toBe(false)
})

test('a watched place says that its file was replaced, removed, or is as it was [attack 26]', () => {
  writeFileSync(at('watched'), '')
  const loss = watchPlace(at('watched'))
  expect(loss()).toBeUndefined()
  renameSync(at('watched'), at('away'))
  expect(loss()).toBe('removed')
  writeFileSync(at('watched'), '')
  expect(loss()).toBe('replaced')
  renameSync(at('away'), at('watched'))
  expect(loss()).toBeUndefined()
})
