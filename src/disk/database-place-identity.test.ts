import { linkSync, lstatSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { identityOf, isSame, watchPlace } from './database-place.ts'

const dir = mkdtempSync(join(tmpdir(), 'bnpl-identity-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const at = (name: string) => join(dir, name)

test('a file is known by its device and inode, as exact numbers', () => {
  writeFileSync(at('a'), '')
  const { dev, ino } = lstatSync(at('a'), { bigint: true })
  expect(identityOf(at('a'))).toEqual({ device: dev, inode: ino })
  expect(typeof identityOf(at('a'))?.inode).toBe('bigint')
})

test('the identity of a symbolic link is that of the link, not of its target', () => {
  writeFileSync(at('target'), '')
  symlinkSync(at('target'), at('link'))
  expect(isSame(identityOf(at('link')), identityOf(at('target')))).toBe(false)
})

test('a missing or unreadable path has no identity', () => {
  expect(identityOf(at('missing'))).toBeUndefined()
  expect(identityOf(at('x'.repeat(1_000)))).toBeUndefined()
})

test('two names of one file have the same identity; a missing file is the same as no other file', () => {
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

test('a watched path reports whether its file was replaced or removed, or is unchanged [attack 26]', () => {
  writeFileSync(at('watched'), '')
  const loss = watchPlace(at('watched'))
  expect(loss()).toBeUndefined()
  renameSync(at('watched'), at('away'))
  expect(loss()).toBe('removed or renamed')
  writeFileSync(at('watched'), '')
  expect(loss()).toBe('replaced')
  renameSync(at('away'), at('watched'))
  expect(loss()).toBeUndefined()
})
