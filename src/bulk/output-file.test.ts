import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { BnplError } from '../errors.ts'
import { checkFolder, notOpened, notWritten, openOutputFile } from './output-file.ts'

const dir = mkdtempSync(join(tmpdir(), 'bnpl-output-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('the hint for results that cannot be opened because of their path fits the cause [attack 32]', () => {
  const open = (path: string) => () => openOutputFile(path, '--out', { force: false, pid: 1 })
  expect(open(join(dir, 'nowhere', 'out.csv'))).toThrow(
    expect.objectContaining({
      kind: 'output',
      code: 'OUTPUT_PLACE',
      message: `${join(dir, 'nowhere', 'out.csv')} could not be written: its folder is missing (ENOENT)`,
      hint: 'Create the folder of the file first, or name another file with --out.',
    }),
  )
  writeFileSync(join(dir, 'file'), '')
  expect(open(join(dir, 'file', 'out.csv'))).toThrow(
    expect.objectContaining({ kind: 'output', hint: 'Correct the path, or name another file with --out.' }),
  )
  expect(readdirSync(dir)).toEqual(['file'])
})

test.each([
  ['EACCES', 'you have no permission to write there', 'Check the owner and the mode of its folder'],
  ['EPERM', 'you have no permission to write there', 'Check the owner and the mode of its folder'],
  ['EROFS', 'its disk is read-only', 'Make that disk writable'],
  ['ENOSPC', 'the disk is full', 'Make room on that disk'],
  ['EDQUOT', 'the disk quota is used up', 'Make room on that disk'],
  ['EMFILE', 'too many files are open', 'Raise the limit for open files (ulimit -n)'],
  ['EIO', 'the system reported an error', 'Check its folder'],
])('the hint for results that cannot be opened is about the cause: %s [attack 32]', (code, why, first) => {
  const error = notOpened(join(dir, 'out.csv'), Object.assign(new Error(), { code }), '--failed')
  expect(error.message).toBe(`${join(dir, 'out.csv')} could not be written: ${why} (${code})`)
  expect(error.hint?.startsWith(first)).toBe(true)
  expect(error.hint?.endsWith(', or name another file with --failed.')).toBe(true)
})

test.each([
  ['ENAMETOOLONG', 'its name is too long', 'Shorten the name'],
  ['EFBIG', 'a file of this size is not allowed here', 'Raise the limit for the size of a file'],
  ['EINVAL', 'its disk does not allow this name', 'Check its folder'],
])('the error for results that cannot be opened explains the system code %s', (code, why, first) => {
  const cause = Object.assign(new Error(), { code })
  const error = notOpened(join(dir, 'out.csv'), cause, '--out')
  expect(error).toMatchObject({
    kind: 'output',
    code: 'OUTPUT_PLACE',
    message: `${join(dir, 'out.csv')} could not be written: ${why} (${code})`,
    hint: expect.stringMatching(`^${first}.*, or name another file with --out\\.$`),
  })
  expect(error.cause).toBe(cause)
})

test.each([
  ['ENOSPC', 'the disk is full', /^Make room on that disk \(\d+\.\d MB are free there\), then run the same/],
  [
    'EFBIG',
    'a file of this size is not allowed here',
    /^Raise the limit for the size of a file \(ulimit -f\), then run the same/,
  ],
  ['EROFS', 'its disk is read-only', /^Run the same/],
  ['EIO', 'the disk failed', /^Run the same/],
])('the error for results that can no longer be written explains the system code %s', (code, why, hint) => {
  const cause = Object.assign(new Error(), { code })
  for (const error of [cause, new BnplError('output', 'the file could not be written', { cause })]) {
    const told = notWritten(join(dir, 'out.csv'), error, '--out')
    expect(told).toMatchObject({ kind: 'output', code: 'OUTPUT_FAILED', cause: error })
    expect(told.message).toBe(`the results could not be written to ${join(dir, 'out.csv')}: ${why} (${code})`)
    expect(told.hint).toMatch(hint)
    expect(told.hint).toMatch(/the same command with --resume\. It writes the results and sends nothing twice\.$/)
  }
  expect(notWritten('/out.csv', new Error(), '--out').message).toContain('the disk failed (unknown cause)')
})

test.each([[undefined], [null], ['EACCES'], [new Error('no code')]])(
  'a cause without a code is an unknown one: %s',
  (cause) => {
    expect(notOpened('/out.csv', cause, '--out').message).toBe(
      '/out.csv could not be written: the system reported an error (unknown cause)',
    )
  },
)

const inDir = () => readdirSync(dir).filter((name) => name !== 'file')

test('a missing folder for the results is refused before the run, and an existing folder is accepted', async () => {
  await checkFolder(join(dir, 'out.csv'), '--out')
  await expect(checkFolder(join(dir, 'nowhere', 'out.csv'), '--failed')).rejects.toMatchObject({
    kind: 'output',
    code: 'OUTPUT_PLACE',
    hint: 'Create the folder of the file first, or name another file with --failed.',
  })
  expect(inDir()).toEqual([])
})

test('results appear under their final name only when they are complete', async () => {
  const path = join(dir, 'o.csv')
  const output = openOutputFile(path, '--out', { force: false, pid: 1 })
  await output.write('a,ñ\n')
  await output.write('x'.repeat(300_000))
  await output.write('\nlast')
  expect(inDir()).toEqual([expect.stringMatching(/^\.bnpl-/)])
  await output.finish()
  expect(inDir()).toEqual(['o.csv'])
  expect(readFileSync(path, 'utf8')).toBe(`a,ñ\n${'x'.repeat(300_000)}\nlast`)
  rmSync(path)
})

test('results are collected, and written to the disk only when there are 256 Ki characters', async () => {
  const output = openOutputFile(join(dir, 'o.csv'), '--out', { force: false, pid: 1 })
  const written = () => inDir().map((name) => statSync(join(dir, name)).size)
  await output.write('x'.repeat(200 * 1024))
  await output.write('x'.repeat(56 * 1024 - 1))
  expect(written()).toEqual([0])
  await output.write('x')
  await expect.poll(written).toEqual([256 * 1024])
  await output.write('x')
  expect(written()).toEqual([256 * 1024])
  await output.abandon()
  expect(inDir()).toEqual([])
})

test('abandoned results leave no temporary file, and keep an existing file unchanged', async () => {
  const path = join(dir, 'kept.csv')
  writeFileSync(path, 'before')
  const output = openOutputFile(path, '--out', { force: true, pid: 1 })
  await output.write('after')
  await output.abandon()
  expect([inDir(), readFileSync(path, 'utf8')]).toEqual([['kept.csv'], 'before'])
  rmSync(path)
})

test('a file that appears during the run is kept, and the hint says how to get the results [attack 10]', async () => {
  const path = join(dir, 'late.csv')
  const output = openOutputFile(path, '--out', { force: false, pid: 1 })
  await output.write('ours')
  writeFileSync(path, 'theirs')
  await expect(output.finish()).rejects.toMatchObject({
    kind: 'output',
    code: 'OUTPUT_FAILED',
    message: `a file appeared at ${path} during the run and was not changed`,
    hint: 'Run the same command with --resume and --out OTHER-FILE. It writes the results and sends nothing twice.',
  })
  await output.abandon()
  expect([inDir(), readFileSync(path, 'utf8')]).toEqual([['late.csv'], 'theirs'])
  rmSync(path)
})

test.each([
  ['removed', 'its folder is missing (ENOENT)', () => {}],
  ['replaced by a file', 'a part of its path is not a folder (ENOTDIR)', (folder: string) => writeFileSync(folder, '')],
])('a folder that is %s during the run is an output error, and the hint offers --resume', async (_, why, replace) => {
  const folder = join(dir, 'gone')
  mkdirSync(folder)
  const output = openOutputFile(join(folder, 'o.csv'), '--out', { force: false, pid: 1 })
  await output.write('x')
  rmSync(folder, { recursive: true })
  replace(folder)
  await expect(output.finish()).rejects.toMatchObject({
    kind: 'output',
    code: 'OUTPUT_FAILED',
    message: `the results could not be written to ${join(folder, 'o.csv')}: ${why}`,
    hint: 'Run the same command with --resume. It writes the results and sends nothing twice.',
  })
  rmSync(folder, { force: true })
})
