import { expect, test } from 'vitest'
import { tracesTraffic } from '../profiles/resolve.ts'
import { fingerprints } from '../text/masking.ts'
import { isShellWord, shellQuoted } from '../text/shell-word.ts'
import { isSnapshotName, SNAPSHOT_ENDING } from './sandbox-accounts.ts'

/** Tests of small functions that are too short for test files of their own. */

test('NODE_DEBUG prints traffic if a module that carries traffic is named, in upper or lower case', () => {
  for (const value of ['http', 'HTTP', 'net', 'tls', 'fetch', 'undici', 'stream', '*', 'fs,https', 'url,NET'])
    expect([value, tracesTraffic(value)]).toEqual([value, true])
  for (const value of [undefined, '', 'fs', 'timer,module'])
    expect([value, tracesTraffic(value)]).toEqual([value, false])
})

test('a fingerprint shows the end of a long secret and nothing of a short one', async () => {
  const fingerprint = await fingerprints()
  expect(fingerprint('a-secret-of-many-letters')).toBe('••••ters sha256:ba3dc373')
  expect(fingerprint('twelve-chars')).toMatch(/^••••hars sha256:[0-9a-f]{8}$/)
  expect(fingerprint('eleven-char')).toMatch(/^sha256:[0-9a-f]{8}$/)
  expect(fingerprint('')).toBe('sha256:e3b0c442')
})

test('a word is quoted for a shell if the word has special characters or is empty', () => {
  for (const plain of ['order-1', 'https://x.example:1/a_b', 'a=b@c%d+e,f']) {
    expect(isShellWord(plain)).toBe(true)
    expect(shellQuoted(plain)).toBe(plain)
  }
  for (const [text, quoted] of [
    ['', "''"],
    ['a b', "'a b'"],
    ['$(id)', "'$(id)'"],
    ['a\n', "$'a\\n'"],
    [' a', "' a'"],
    ["it's 'so'", "'it'\\''s '\\''so'\\'''"],
    ['ñ', "'ñ'"],
  ] as const) {
    expect(isShellWord(text)).toBe(false)
    expect(shellQuoted(text)).toBe(quoted)
  }
})

test('a snapshot name is a plain word of up to 100 characters, without the ending .db', () => {
  for (const name of ['a', 'before-release.2', '_x', 'A1', 'a'.repeat(100), 'a.db.old'])
    expect([name, isSnapshotName(name)]).toEqual([name, true])
  for (const name of ['', '.a', '-a', 'a/b', '../a', 'a b', 'a.db', 'ñ', 'a\n', 'a'.repeat(101)])
    expect([name, isSnapshotName(name)]).toEqual([name, false])
  expect(SNAPSHOT_ENDING).toBe('.db')
})
