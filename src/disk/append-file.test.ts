import {
  appendFileSync,
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openAppendFile } from './append-file.ts'

let dir: string
let said: string[]
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-append-'))
  said = []
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const at = (name = 'day.ndjson') => join(dir, name)
const open = (path = at()) =>
  openAppendFile(path, { beginning: '{"kind"', what: 'a recording', notice: (text) => said.push(text) })
const LINE = '{"kind":1}\n'

test('a new file is private to its owner, and lines are appended to existing content', () => {
  for (let i = 0; i < 2; i++) {
    const file = open()
    file.append(LINE)
    file.append(LINE + LINE)
    file.close()
  }
  expect(readFileSync(at(), 'utf8')).toBe(LINE.repeat(6))
  expect(statSync(at()).mode & 0o777).toBe(0o600)
})

test.each([
  ['after whole lines', LINE + LINE, '{"kind":', LINE + LINE],
  ['that is the only one', '', '{"kind":2', ''],
  ['longer than a block', LINE, `{"kind":"${'x'.repeat(200_000)}`, LINE],
  ['there is none', LINE, '', LINE],
])('a last line that a crash cut off is removed: %s', (_, whole, torn, left) => {
  writeFileSync(at(), whole + torn, { mode: 0o600 })
  open().close()
  expect(readFileSync(at(), 'utf8')).toBe(left)
})

test('two open files append to the same path, and no line is written into another line', () => {
  const [one, other] = [open(), open()]
  for (let i = 0; i < 5; i++) {
    one.append(LINE)
    other.append(LINE)
  }
  one.close()
  other.close()
  expect(readFileSync(at(), 'utf8')).toBe(LINE.repeat(10))
})

test('a file of another kind and a link are refused and unchanged', () => {
  writeFileSync(at(), 'a,b\n')
  expect(() => open()).toThrow(expect.objectContaining({ kind: 'config', code: 'NOT_OURS' }))
  writeFileSync(at('other'), LINE)
  symlinkSync(at('other'), at('link'))
  expect(() => open(at('link'))).toThrow(expect.objectContaining({ kind: 'config', code: 'SYMLINK' }))
  expect([readFileSync(at(), 'utf8'), readFileSync(at('other'), 'utf8')]).toEqual(['a,b\n', LINE])
})

test('a folder that does not exist is refused with what to do', () => {
  expect(() => open(at('no/day.ndjson'))).toThrow(
    expect.objectContaining({ kind: 'config', hint: 'Name a file in a folder that exists and that you can write in.' }),
  )
})

test('a file that others can read is made private, and the change is reported', () => {
  writeFileSync(at(), LINE)
  chmodSync(at(), 0o644)
  open().close()
  expect(statSync(at()).mode & 0o777).toBe(0o600)
  expect(said).toEqual([expect.stringContaining('was open to other users')])
})

test.each([
  ['removed', () => rmSync(at())],
  [
    'replaced',
    () => {
      renameSync(at(), at('aside'))
      writeFileSync(at(), 'x')
    },
  ],
])('a file that is %s while it is open is reported when it is closed', (loss, happen) => {
  const file = open()
  happen()
  file.append(LINE)
  expect(() => file.close()).toThrow(
    expect.objectContaining({ kind: 'output', message: expect.stringContaining(`was ${loss}`) }),
  )
})

test('lines that another process appends after the start are kept', () => {
  const file = open()
  appendFileSync(at(), LINE)
  file.append(LINE)
  file.close()
  expect(readFileSync(at(), 'utf8')).toBe(LINE + LINE)
})

test('after the file is closed, an append is refused, and does not write into a file that was opened since', () => {
  const file = open()
  file.append(LINE)
  file.close()
  // The system gives a new file the lowest free number, which is that of the closed file.
  const other = openSync(at('other'), 'a')
  expect(() => file.append(LINE)).toThrow(expect.objectContaining({ kind: 'output', code: 'FILE_CLOSED' }))
  closeSync(other)
  expect([readFileSync(at(), 'utf8'), readFileSync(at('other'), 'utf8')]).toEqual([LINE, ''])
})
