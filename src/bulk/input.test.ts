import { execFileSync } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { open as openFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { timesOpen } from '../../test/kit/open-files.ts'
import { BnplError, Interrupted } from '../errors.ts'
import { type Input, openInput } from './input.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-input-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

async function* of(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

const open = (from: string, more: Partial<Parameters<typeof openInput>[1]> = {}) =>
  openInput(from, {
    cwd: dir,
    spoolDir: join(dir, 'spool'),
    stdin: () => of('from ', 'stdin'),
    signal: new AbortController().signal,
    ...more,
  })

async function blocksOf(input: Input): Promise<string[]> {
  const found: string[] = []
  for await (const block of input.bytes()) found.push(Buffer.from(block).toString())
  return found
}

test.each([
  [0, []],
  [2, ['ab']],
  [3, ['abc']],
  [4, ['abc', 'd']],
  [9, ['abc', 'def', 'ghi']],
])(
  'a file of %i bytes is read in blocks of equal size except the last, and can be read again',
  async (size, blocks) => {
    writeFileSync(join(dir, 'in.csv'), 'abcdefghi'.slice(0, size))
    const input = await open('in.csv', { blockBytes: 3 })
    expect([input.name, input.path]).toEqual(['in.csv', join(dir, 'in.csv')])
    expect(await blocksOf(input)).toEqual(blocks)
    expect(await blocksOf(input)).toEqual(blocks)
    await input.close()
  },
)

test('a block is 64 KiB, of a file and of a pipe', async () => {
  const text = 'x'.repeat(65_536 + 1)
  writeFileSync(join(dir, 'in.csv'), text)
  for (const input of [await open('in.csv'), await open('-', { stdin: () => of(text) })]) {
    expect((await blocksOf(input)).map((block) => block.length)).toEqual([65_536, 1])
    await input.close()
  }
})

test('the version of a file changes with each write, even if its size and its modification time are set back', async () => {
  const path = join(dir, 'in.csv')
  writeFileSync(path, 'abc')
  utimesSync(path, 1000, 1000)
  const input = await open('in.csv')
  const version = await input.version()
  expect(await input.version()).toBe(version)
  // The system's clock for files may advance only every few milliseconds.
  await expect
    .poll(async () => {
      writeFileSync(path, 'abd')
      utimesSync(path, 1000, 1000)
      return await input.version()
    })
    .not.toBe(version)
  await input.close()
})

test('the content of stdin is stored where only this process can read it, and can be read repeatedly', async () => {
  const input = await open('-', { blockBytes: 4 })
  expect([input.name, input.path]).toEqual(['stdin', undefined])
  expect(readdirSync(join(dir, 'spool'))).toEqual([])
  expect(statSync(join(dir, 'spool')).mode & 0o777).toBe(0o700)
  for (let pass = 0; pass < 2; pass++) expect((await blocksOf(input)).join('')).toBe('from stdin')
  await input.close()
})

test.each([
  ['nowhere.csv', 'it does not exist'],
  ['folder', 'it is a folder'],
  ['in.csv/more.csv', 'a part of its path is not a folder'],
])('--from %s is refused with the reason: %s', async (from, why) => {
  mkdirSync(join(dir, 'folder'))
  writeFileSync(join(dir, 'in.csv'), '')
  await expect(open(from)).rejects.toMatchObject({
    kind: 'usage',
    code: 'INPUT_UNREADABLE',
    message: `--from ${from} cannot be read: ${why}`,
    hint: undefined,
  })
})

test('a pipe is read up to its limit, and one byte more is refused', async () => {
  const stdin = () => of('abc', 'de')
  const input = await open('-', { stdin, maxSpoolBytes: 5 })
  expect(await blocksOf(input)).toEqual(['abcde'])
  await input.close()
  await expect(open('-', { stdin: () => of('x'.repeat(1024), 'y'), maxSpoolBytes: 1024 })).rejects.toMatchObject({
    kind: 'usage',
    code: 'INPUT_TOO_LARGE',
    message: `stdin is longer than ${1 / 1024 ** 2} GiB, the maximum that bnpl reads from a pipe`,
    hint: 'If the input has an end, write it to a file and use --from FILE. Nothing was sent.',
  })
})

test('reading a pipe stops at input that the check would refuse', async () => {
  let given = 0
  const stdin = async function* () {
    for (; ; given++) yield given === 2 ? Uint8Array.of(0xff, 0xff) : Buffer.from('id\n')
  }
  const input = await open('-', { stdin })
  expect(given).toBe(2)
  await input.close()
})

test('a folder that cannot hold the rows of a pipe is named in the error, and the hint suggests --from FILE', async () => {
  writeFileSync(join(dir, 'spool'), '')
  const error = await open('-').catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(BnplError)
  expect(error).toMatchObject({
    kind: 'config',
    code: 'SPOOL_FAILED',
    message: expect.stringContaining(`the rows of stdin could not be copied to ${join(dir, 'spool')} (`),
    hint: 'Write the rows into a file and use --from FILE. bnpl reads a file directly, without a copy. Nothing was sent.',
  })
})

test('a failing pipe is not reported as a full disk', async () => {
  const broken = new Error('EPIPE')
  const stdin = async function* () {
    yield Buffer.from('id\n')
    throw broken
  }
  await expect(open('-', { stdin })).rejects.toBe(broken)
})

test('a signal before the file is opened ends the run with the signal’s reason [row 100]', async () => {
  writeFileSync(join(dir, 'in.csv'), 'id\n')
  const reason = new Interrupted()
  await expect(open('in.csv', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})

/** Creates a named pipe. `writer` opens it for reading and writing, so that opening it does not wait for the other side. */
function pipe(name: string) {
  const path = join(dir, name)
  execFileSync('mkfifo', [path])
  return { path, writer: openFile(path, 'r+') }
}

test('a named pipe is read to its end, in pieces of any size, and then again like a file', async () => {
  const { path, writer } = pipe('rows.csv')
  const input = open('rows.csv')
  const into = await writer
  const out = await openFile(path, 'w')
  await out.write('id\na\n')
  await out.write('x'.repeat(100_000))
  await out.close()
  await into.close()
  const { name, path: kept, bytes, close } = await input
  expect([name, kept]).toEqual(['rows.csv', undefined])
  for (let pass = 0; pass < 2; pass++) {
    let text = ''
    for await (const block of bytes()) text += Buffer.from(block).toString()
    expect(text).toBe(`id\na\n${'x'.repeat(100_000)}`)
  }
  await close()
  expect(timesOpen(path)).toBe(0)
})

test('an open file adds no signal listener, and closing the file leaves no descriptor open', async () => {
  writeFileSync(join(dir, 'in.csv'), 'id\n')
  const { signal } = new AbortController()
  const input = await open('in.csv', { signal })
  expect([timesOpen(join(dir, 'in.csv')), getEventListeners(signal, 'abort').length]).toEqual([1, 0])
  await blocksOf(input)
  await input.close()
  expect(timesOpen(join(dir, 'in.csv'))).toBe(0)
})

/** Returns the size of the spool file, which has no name but is open in this process. */
function spooledBytes(): number {
  const fd = '/proc/self/fd'
  const isSpool = (number: string) => {
    try {
      return readlinkSync(join(fd, number)).startsWith(join(dir, 'spool'))
    } catch {
      return false
    }
  }
  const found = readdirSync(fd).find(isSpool)
  return found === undefined ? 0 : statSync(join(fd, found)).size
}

test('a signal ends the wait for more data from a named pipe, with the signal’s reason [row 100]', async () => {
  const { writer } = pipe('rows.csv')
  const over = new AbortController()
  const input = open('rows.csv', { signal: over.signal })
  const into = await writer
  await into.write('id\n')
  // When all written bytes are in the spool, the reader waits for more.
  await expect.poll(spooledBytes).toBe(3)
  await new Promise(setImmediate)
  const reason = new Interrupted()
  over.abort(reason)
  await expect(input).rejects.toBe(reason)
  await into.write('x')
  await into.close()
})
