import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { timesOpen } from '../../test/kit/open-files.ts'
import { spoolRows } from './input.ts'

let root: string
let spoolDir: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bnpl-spool-'))
  spoolDir = join(root, 'state')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Returns a pipe with these pieces, which counts how many of them were read. */
function pipe(...pieces: (string | Uint8Array)[]) {
  const state = { taken: 0 }
  async function* source() {
    for (const piece of pieces) {
      state.taken++
      yield Buffer.from(piece as string)
    }
  }
  return { state, source: source() }
}

async function textOf(handle: Awaited<ReturnType<typeof spoolRows>>): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(10_000), 0, 10_000, 0)
  return buffer.toString('utf8', 0, bytesRead)
}

test('rows of a pipe are kept in a private file without a name, in a private folder', async () => {
  const { source } = pipe('id\n', '1\n', '2\n')
  const handle = await spoolRows(source, 'stdin', { spoolDir })
  try {
    expect(await textOf(handle)).toBe('id\n1\n2\n')
    const { mode, nlink } = await handle.stat()
    expect([mode & 0o777, nlink]).toEqual([0o600, 0])
    expect([statSync(spoolDir).mode & 0o777, readdirSync(spoolDir)]).toEqual([0o700, []])
  } finally {
    await handle.close()
  }
})

const MIB = 1024 * 1024

test('input up to the size limit is stored; one more byte is refused, and no file is left open', async () => {
  const line = Buffer.alloc(1024, 'a')
  line[1023] = 10
  const lines = Array.from({ length: 1024 }, () => line)
  const place = { spoolDir, maxSpoolBytes: MIB }
  await (await spoolRows(pipe(...lines).source, 'stdin', place)).close()
  await expect(spoolRows(pipe(...lines, 'b').source, 'stdin', place)).rejects.toMatchObject({
    kind: 'usage',
    code: 'INPUT_TOO_LARGE',
    message: 'stdin is longer than 0.0009765625 GiB, the maximum that bnpl reads from a pipe',
    hint: 'If the input has an end, write it to a file and use --from FILE. Nothing was sent.',
  })
  expect(timesOpen(spoolDir)).toBe(0)
})

test('reading a pipe stops at a piece that the check refuses, and this piece is stored for the error message', async () => {
  const { source, state } = pipe('id\n', Buffer.from([0x61, 0xff]), '2\n')
  const handle = await spoolRows(source, 'stdin', { spoolDir })
  expect([state.taken, (await handle.stat()).size]).toEqual([2, 5])
  await handle.close()
})

test('an error of the pipe is rethrown unchanged, and no file is left open', async () => {
  const error = new Error('cut')
  async function* broken() {
    yield Buffer.from('id\n')
    throw error
  }
  await expect(spoolRows(broken(), 'stdin', { spoolDir })).rejects.toBe(error)
  expect(timesOpen(spoolDir)).toBe(0)
})

test('if the rows of a pipe cannot be stored, the hint suggests a file, which is read without a copy', async () => {
  const folder = join(root, 'file')
  writeFileSync(folder, '')
  await expect(spoolRows(pipe('id\n').source, 'stdin', { spoolDir: join(folder, 'state') })).rejects.toMatchObject({
    kind: 'config',
    code: 'SPOOL_FAILED',
    message: expect.stringMatching(/^the rows of stdin could not be copied to .*state \(/),
    hint: 'Write the rows into a file and use --from FILE. bnpl reads a file directly, without a copy. Nothing was sent.',
  })
})
