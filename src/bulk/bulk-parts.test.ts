import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fakeClock } from '../../test/harness.ts'
import { BnplError, Interrupted } from '../errors.ts'
import { checkRows, createProblems } from './check.ts'
import { createIdHashes, idHash } from './id-hashes.ts'
import { openInput } from './input.ts'
import type { Operation } from './operation.ts'
import { createOrder } from './ordered-writer.ts'
import { createHalt } from './outcome.ts'
import { createPace } from './pace.ts'

test('property: an id that occurs twice is always a suspect, and others are not', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 30 })), (ids) => {
      const hashes = createIdHashes()
      for (const id of ids) hashes.add(id)
      const twice = new Set(ids.filter((id, i) => ids.indexOf(id) !== i).map(idHash))
      expect(hashes.repeated()).toEqual(twice)
    }),
  )
})

test('rows without end are refused before they fill the disk or the memory, and no file stays', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-endless-'))
  try {
    const { signal } = new AbortController()
    const stdin = async function* () {
      for (;;) yield Buffer.from('trx\n')
    }
    const opening = openInput('-', { cwd: dir, spoolDir: join(dir, 'bulk'), stdin, signal, maxSpoolBytes: 1024 })
    await expect(opening).rejects.toMatchObject({ kind: 'usage', code: 'INPUT_TOO_LARGE' })
    expect(readdirSync(join(dir, 'bulk'))).toEqual([])
    writeFileSync(join(dir, 'in.csv'), 'trx\n1\n2\n3\n')
    const input = await openInput('in.csv', { cwd: dir, spoolDir: dir, stdin, signal })
    const operation: Operation = {
      command: 'test',
      things: 'tests',
      columns: [{ name: 'trx', required: true }],
      id: 0,
      repeatable: true,
      settings: '',
      resultColumns: [],
      read: () => ({ send: async () => ({ outcome: 'ok' }) }),
    }
    expect(await checkRows(input, operation, signal, 3)).toMatchObject({ rows: 3 })
    await expect(checkRows(input, operation, signal, 2)).rejects.toMatchObject({ code: 'INPUT_TOO_LARGE' })
    const stopped = AbortSignal.abort(new Interrupted())
    await expect(checkRows(input, operation, stopped)).rejects.toBeInstanceOf(Interrupted)
    await input.close()
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})

test('200,000 similar ids have different hashes', () => {
  const hashes = createIdHashes()
  for (let i = 0; i < 200_000; i++) hashes.add(`order-2026-${i}`)
  expect(hashes.repeated().size).toBe(0)
})

test('property: everything is returned once, in the order of its positions', () => {
  const shuffled = fc.integer({ min: 1, max: 60 }).chain((n) =>
    fc.shuffledSubarray(
      Array.from({ length: n }, (_, i) => i),
      { minLength: n },
    ),
  )
  fc.assert(
    fc.property(shuffled, (positions) => {
      const order = createOrder<number>(1000)
      const out: number[] = []
      for (const position of positions) {
        order.put(position, position)
        out.push(...order.take())
      }
      expect(out).toEqual(positions.map((_, i) => i))
    }),
  )
})

test('a missing position holds back the later ones until the rest is taken, and writing makes room', async () => {
  const order = createOrder<string>(3)
  order.put(0, 'a')
  order.put(2, 'c')
  expect(order.take()).toEqual(['a'])
  order.put(3, undefined)
  let begun = false
  const waiting = order.room(4)?.then(() => {
    begun = true
  })
  await Promise.resolve()
  expect(begun).toBe(false)
  order.put(1, undefined)
  expect(order.take()).toEqual(['c'])
  await waiting
  order.put(5, 'f')
  expect(order.rest()).toEqual(['f'])
})

test('requests keep a rate, all wait for a pause, and a signal ends the wait', async () => {
  const clock = fakeClock()
  const stop = new AbortController()
  const pace = createPace(clock, stop.signal, 4)
  for (let i = 0; i < 5; i++) await pace.ready()
  expect(clock.monotonic()).toBe(1000)
  pace.pause(5000)
  pace.pause(1000)
  expect(pace.pausedFor()).toBe(5000)
  await pace.ready()
  expect(clock.monotonic()).toBeGreaterThanOrEqual(6000)
  stop.abort(new Error('stop'))
  await expect(pace.ready()).rejects.toThrow('stop')
  await expect(createPace(clock, stop.signal).ready()).rejects.toThrow('stop')
})

test('five refused keys in a row end a run, not four, and not with a success in between', () => {
  const auth = new BnplError('auth', 'no')
  const halt = createHalt()
  const seen = [auth, auth, auth, auth, undefined, auth, auth, auth, auth, auth].map((error) => halt(error))
  expect(seen.map(Boolean)).toEqual([...Array(9).fill(false), true])
  const refused = new BnplError('refused', 'no')
  expect(Array.from({ length: 100 }, () => halt(refused)).some(Boolean)).toBe(false)
})

test('the first twenty problems are named by line, and the others are counted', () => {
  const problems = createProblems()
  for (let line = 500; line > 0; line--) problems.add(line, 'wrong')
  expect(problems.lines().slice(0, 2)).toEqual(['line 1: wrong', 'line 2: wrong'])
  expect(problems.lines().at(-1)).toBe('… and 480 more')
  expect(problems.lines()).toHaveLength(21)
})
