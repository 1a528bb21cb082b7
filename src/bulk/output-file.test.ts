import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { notOpened, openOutputFile } from './output-file.ts'

const dir = mkdtempSync(join(tmpdir(), 'bnpl-output-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('for results that cannot be opened the hint is about the cause [attack 32]', () => {
  const open = (path: string) => () => openOutputFile(path, '--out', { force: false, pid: 1 })
  expect(open(join(dir, 'nowhere', 'out.csv'))).toThrow(
    expect.objectContaining({
      kind: 'output',
      code: 'OUTPUT_PLACE',
      message: `${join(dir, 'nowhere', 'out.csv')} could not be written: its folder is missing (ENOENT)`,
      hint: 'Make its folder first, or name another file with --out.',
    }),
  )
  writeFileSync(join(dir, 'file'), '')
  expect(open(join(dir, 'file', 'out.csv'))).toThrow(
    expect.objectContaining({ kind: 'output', hint: 'Correct the path, or name another file with --out.' }),
  )
  expect(readdirSync(dir)).toEqual(['file'])
})

test.each([
  ['EACCES', 'you may not write there', 'Check the owner and the mode of its folder'],
  ['EPERM', 'you may not write there', 'Check the owner and the mode of its folder'],
  ['EROFS', 'its disk is read-only', 'Look at its folder'],
  ['ENOSPC', 'no room is left on the disk', 'Make room on that disk'],
  ['EDQUOT', 'no room is left on the disk', 'Make room on that disk'],
  ['EMFILE', 'too many files are open', 'Raise the limit (ulimit -n)'],
  ['EIO', 'the system refused', 'Look at its folder'],
])('for results that cannot be opened the hint is about the cause: %s [attack 32]', (code, why, first) => {
  const error = notOpened(join(dir, 'out.csv'), Object.assign(new Error(), { code }), '--failed')
  expect(error.message).toBe(`${join(dir, 'out.csv')} could not be written: ${why} (${code})`)
  expect(error.hint?.startsWith(first)).toBe(true)
  expect(error.hint?.endsWith(', or name another file with --failed.')).toBe(true)
})
