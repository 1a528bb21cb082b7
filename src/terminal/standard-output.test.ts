import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../test/kit/built-program.ts'
import { needsProgram } from '../../test/kit/needs.ts'
import { BnplError, ClosedPipe, Interrupted } from '../errors.ts'
import { wordsIn } from '../language/language.ts'
import { createStderr, createStdout } from './standard-output.ts'

const KIB = 1024

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** A pipe, and a stream that stands for Node's own. The stream takes nothing until `read` is called. */
function scene() {
  needsProgram('mkfifo')
  const folder = temporaryFolder()
  const path = join(folder.path, 'pipe')
  execFileSync('mkfifo', [path])
  const fd = openSync(path, 'r+')
  const waiting: { chunk: Buffer; done(error?: Error): void }[] = []
  const stream = new Writable({ write: (chunk, _, done) => void waiting.push({ chunk, done }) })
  const controller = new AbortController()
  let opened = 0
  let isTerminal = false
  const place = {
    fd,
    open() {
      opened++
      return stream as unknown as NodeJS.WriteStream
    },
    isTerminal: () => isTerminal,
  }
  const waits = vi.fn()
  return {
    place,
    out: createStdout(place, () => controller.signal, waits),
    waits,
    waiting,
    stream,
    interrupt: (reason: Error) => controller.abort(reason),
    atTerminal() {
      isTerminal = true
    },
    opened: () => opened,
    /** Reads what was written to the pipe without the stream. */
    direct(most = 64 * KIB) {
      const bytes = Buffer.alloc(most)
      return bytes.subarray(0, readSync(fd, bytes)).toString()
    },
    [Symbol.dispose]() {
      closeSync(fd)
      folder[Symbol.dispose]()
    },
  }
}

test('a short result is written without a stream', async () => {
  using s = scene()
  await s.out('hello\n')
  await s.out('')
  expect([s.direct(), s.opened(), s.waits.mock.calls.length]).toEqual(['hello\n', 0, 0])
})

test('only 16 KiB are written into a pipe without a stream, because a full pipe would block; the order is kept', async () => {
  using s = scene()
  await s.out('a'.repeat(16 * KIB))
  expect(s.direct()).toBe('a'.repeat(16 * KIB))
  const second = s.out('b')
  const third = s.out('c')
  expect(s.waits).toHaveBeenCalled()
  expect(s.waiting.map(({ chunk }) => chunk.toString())).toEqual(['b'])
  s.waiting[0]?.done()
  await second
  s.waiting[1]?.done()
  await third
  expect([s.waiting.map(({ chunk }) => chunk.toString()).join(''), s.opened()]).toEqual(['bc', 1])
})

test('a large result, and every result at a terminal, is written by the stream', async () => {
  using s = scene()
  void s.out('x'.repeat(16 * KIB + 1))
  expect(s.waiting.map(({ chunk }) => chunk.length)).toEqual([16 * KIB + 1])
  using t = scene()
  t.atTerminal()
  void t.out('x')
  expect(t.waiting.map(({ chunk }) => chunk.toString())).toEqual(['x'])
})

test('after a signal, the process waits 3 s for the reader, and then nothing more is written', async () => {
  using s = scene()
  const reason = new Interrupted(143)
  const ends = vi.fn()
  s.out('x'.repeat(20 * KIB)).catch(ends)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(ends).not.toHaveBeenCalled()
  s.interrupt(reason)
  await vi.advanceTimersByTimeAsync(2999)
  expect(ends).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(ends).toHaveBeenCalledWith(reason)
  await expect(s.out('more')).rejects.toBe(reason)
})

test('after a signal, a reader that reads gets everything', async () => {
  using s = scene()
  s.interrupt(new Interrupted(130))
  const first = s.out('x'.repeat(20 * KIB))
  await vi.advanceTimersByTimeAsync(2000)
  s.waiting[0]?.done()
  await first
  await vi.advanceTimersByTimeAsync(10_000)
  const second = s.out('y')
  s.waiting[1]?.done()
  await second
})

test.each([
  ['EPIPE', ClosedPipe],
  ['ENOSPC', BnplError],
])('an error of the stream is an error of this result and of every later one: %s', async (code, kind) => {
  using s = scene()
  const first = s.out('x'.repeat(20 * KIB))
  s.waiting[0]?.done(Object.assign(new Error('no'), { code }))
  await expect(first).rejects.toBeInstanceOf(kind)
  await expect(s.out('y')).rejects.toBeInstanceOf(kind)
})

test('if nobody reads stderr, at most 1 MiB of text waits in memory', async () => {
  using s = scene()
  const { err } = createStderr(s.place, (text) => text)
  for (let i = 0; i < 100; i++) err('x'.repeat(64 * KIB))
  expect(s.stream.writableLength).toBe(KIB * KIB)
})

test('when stderr is read again, a line says in the language of the user how many lines are missing', async () => {
  using s = scene()
  const { err } = createStderr(s.place, await wordsIn('es'))
  for (let i = 0; i < 30; i++) err(`${'x'.repeat(64 * KIB)}\n`)
  const read: string[] = []
  while (s.stream.writableLength > 0) {
    const { chunk, done } = s.waiting.shift() ?? {}
    read.push(String(chunk))
    done?.()
    await new Promise(setImmediate)
  }
  expect(read.at(-1)).toMatch(/^! Aquí faltan \d+ líneas, porque no se pudo escribir en stderr\.\n$/)
})
