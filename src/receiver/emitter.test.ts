import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BnplError } from '../errors.ts'
import { type EmitterOptions, startEmitter } from './emitter.ts'
import type { StoredEvent } from './inbox.ts'

const event = (seq: number, bytes = 10): StoredEvent => ({
  seq,
  place: seq,
  fate: 'new',
  variantOf: null,
  confirmation: null,
  destination: '/webhooks',
  scheme: 'hmac',
  eventId: `e${seq}`,
  event: 'loan_approved',
  odd: null,
  body: new Uint8Array(bytes),
  contentType: null,
  signature: null,
  receivedAt: 0,
  forwarding: null,
})

/** An inbox with events 1 to `count`, and a function that prints events and can be paused. */
function scene(count: number, upTo = 0) {
  let stored = count
  let stale = false
  let isAway = false
  const foreign = new Set<number>()
  const reads: number[] = []
  const taken: number[] = []
  const marks: number[] = []
  const unread: string[] = []
  let gate: PromiseWithResolvers<void> | undefined
  const options: EmitterOptions = {
    inbox: {
      shared: true,
      holds: () => !stale,
      emittedUpTo: async () => upTo,
      emittable: async (seq, limit) => {
        reads.push(seq)
        stale = false
        if (isAway) throw new BnplError('network', 'the database cannot be reached')
        return Array.from({ length: Math.min(limit, stored - seq) }, (_, i) => event(seq + 1 + i)).filter(
          (each) => !foreign.has(each.seq),
        )
      },
    },
    emit: async (events) => {
      expect(events).not.toEqual([])
      await gate?.promise
      taken.push(...events.map(({ seq }) => seq))
      return { taken: events.length, more: true }
    },
    emitted: (seq) => marks.push(seq),
    onUnread: (error) => unread.push(error.message),
    onFailure: (error) => {
      throw error
    },
  }
  return {
    options,
    reads,
    taken,
    marks,
    unread,
    store: () => ++stored,
    /** Simulates that another receiver took over these events. */
    giveAway: (...seqs: number[]) => {
      for (const seq of seqs) foreign.add(seq)
    },
    /** Simulates that the process was suspended for a while. */
    freeze: () => {
      stale = true
    },
    /** Makes reads of the inbox fail from now on, or succeed again. */
    away: (away: boolean) => {
      isAway = away
    },
    close: () => {
      gate = Promise.withResolvers()
    },
    open: () => gate?.resolve(),
  }
}

const oneTo = (count: number, from = 1) => Array.from({ length: count }, (_, i) => from + i)

test('a new emitter first writes out the stored events that were not yet taken, in order', async () => {
  const s = scene(130, 10)
  const emitter = await startEmitter(s.options)
  await emitter.stop(5000)
  expect(s.taken).toEqual(oneTo(120, 11))
  expect(s.marks.at(-1)).toBe(130)
})

test('while the output keeps up, no event is read from the inbox', async () => {
  const s = scene(0)
  const emitter = await startEmitter(s.options)
  await new Promise(setImmediate)
  const before = s.reads.length
  for (let i = 0; i < 500; i++) {
    emitter.add(event(s.store()))
    await new Promise(setImmediate)
  }
  await emitter.stop(5000)
  expect(s.taken).toEqual(oneTo(500))
  expect(s.reads.length).toBe(before)
})

test('when the output stalls, events are read from the inbox instead of memory, without loss or duplicates [row 64]', async () => {
  const s = scene(0)
  const emitter = await startEmitter(s.options)
  await new Promise(setImmediate)
  s.close()
  // 100 MiB arrive while nothing is printed. At most 4 MiB may be kept in memory.
  for (let i = 0; i < 100; i++) emitter.add(event(s.store(), 1024 * 1024))
  s.open()
  await emitter.stop(5000)
  expect(s.taken).toEqual(oneTo(100))
  expect(s.reads.length).toBeGreaterThan(1)
})

test('the emitter stops when the output wants no more events, and leaves the rest', async () => {
  const s = scene(100)
  s.options.emit = async (events) => {
    s.taken.push(...events.slice(0, 3).map(({ seq }) => seq))
    return { taken: Math.min(3, events.length), more: false }
  }
  const emitter = await startEmitter(s.options)
  emitter.add(event(s.store()))
  await emitter.stop(5000)
  expect(s.taken).toEqual([1, 2, 3])
  expect(s.marks).toEqual([3])
})

test.each([
  ['that lost the database', (_: ReturnType<typeof scene>, reread: () => void) => reread()],
  ['that was stopped for a while', (s: ReturnType<typeof scene>) => s.freeze()],
])('a receiver %s writes out only events that still belong to it [database 2]', async (_, happen) => {
  const s = scene(0)
  const emitter = await startEmitter(s.options)
  await new Promise(setImmediate)
  s.close()
  for (let i = 0; i < 3; i++) {
    emitter.add(event(s.store()))
    await new Promise(setImmediate)
  }
  // The first event is being printed. The others wait in memory.
  s.giveAway(2, 3)
  happen(s, emitter.reread)
  s.open()
  await new Promise(setImmediate)
  emitter.add(event(s.store()))
  await emitter.stop(5000)
  expect(s.taken).toEqual([1, 4])
})

/** An emitter whose output is paused, while one event is being printed. */
async function stalled() {
  const s = scene(0)
  const emitter = await startEmitter(s.options)
  await new Promise(setImmediate)
  s.close()
  emitter.add(event(s.store()))
  return { s, emitter }
}

test('a stop abandons a stalled output after the timeout, and events taken later are not marked as taken', async () => {
  const { s, emitter } = await stalled()
  await new Promise(setImmediate)
  await emitter.stop(5)
  s.open()
  emitter.add(event(s.store()))
  emitter.look()
  await new Promise(setImmediate)
  expect([s.taken, s.marks]).toEqual([[1], []])
})

test('a stop abandons a read that takes too long, and its failure is not reported when the inbox is closed', async () => {
  const s = scene(0)
  const failures: unknown[] = []
  s.options.onFailure = (error) => failures.push(error)
  const emitter = await startEmitter(s.options)
  await new Promise(setImmediate)
  const read = Promise.withResolvers<StoredEvent[]>()
  s.options.inbox.emittable = () => read.promise
  emitter.look()
  await new Promise(setImmediate)
  await emitter.stop(5)
  read.reject(new Error('the inbox is closed'))
  await new Promise(setImmediate)
  expect(failures).toEqual([])
})

test('a stop waits until the event in progress is written out', async () => {
  const { s, emitter } = await stalled()
  let isStopped = false
  const stopped = emitter.stop(60_000).then(() => {
    isStopped = true
  })
  await new Promise(setImmediate)
  expect(isStopped).toBe(false)
  s.open()
  await stopped
  expect(s.marks).toEqual([1])
})

test('a failure to write out is reported once, and nothing is written out after it', async () => {
  const s = scene(0)
  const failures: unknown[] = []
  const error = new Error('the pipe is closed')
  let tries = 0
  s.options.emit = async () => {
    tries++
    throw error
  }
  s.options.onFailure = (each) => failures.push(each)
  const emitter = await startEmitter(s.options)
  for (let i = 0; i < 2; i++) {
    emitter.add(event(s.store()))
    emitter.look()
    await new Promise(setImmediate)
  }
  await emitter.stop(5000)
  expect([tries, failures, s.marks]).toEqual([1, [error], []])
})

test('an event that another process stored is read when the emitter looks into the inbox', async () => {
  const s = scene(0)
  const emitter = await startEmitter(s.options)
  await new Promise(setImmediate)
  s.store()
  await new Promise(setImmediate)
  expect(s.taken).toEqual([])
  emitter.look()
  await emitter.stop(5000)
  expect(s.taken).toEqual([1])
})

test.each([
  [0, 0],
  [1, 1],
])('4 MiB of bodies wait in memory; the inbox is read only above 4 MiB (%i more bytes)', async (more, reads) => {
  const s = scene(0)
  const emitter = await startEmitter(s.options)
  await new Promise(setImmediate)
  const before = s.reads.length
  s.close()
  emitter.add(event(s.store(), 0))
  await new Promise(setImmediate)
  for (let i = 0; i < 4; i++) emitter.add(event(s.store(), 1024 * 1024))
  emitter.add(event(s.store(), more))
  s.open()
  await emitter.stop(5000)
  expect([s.taken, s.reads.length - before]).toEqual([oneTo(6), reads])
})

test('an event that arrives during a read of the inbox, and is also read, is written out once', async () => {
  const s = scene(0)
  const gate = Promise.withResolvers<void>()
  const { emittable } = s.options.inbox
  s.options.inbox.emittable = async (place, limit) => {
    await gate.promise
    return emittable(place, limit)
  }
  const emitter = await startEmitter(s.options)
  await new Promise(setImmediate)
  emitter.add(event(s.store()))
  gate.resolve()
  await new Promise(setImmediate)
  await emitter.stop(5000)
  expect(s.taken).toEqual([1])
})

test('an event that arrives while the previous write finishes is written out, at any moment', async () => {
  for (let moment = 0; moment < 20; moment++) {
    const s = scene(0)
    const emitter = await startEmitter(s.options)
    await new Promise(setImmediate)
    s.close()
    emitter.add(event(s.store()))
    await new Promise(setImmediate)
    s.open()
    for (let i = 0; i < moment; i++) await undefined
    emitter.add(event(s.store()))
    await new Promise(setImmediate)
    expect([moment, s.taken]).toEqual([moment, [1, 2]])
    await emitter.stop(5000)
  }
})

test('events that a failed read did not return are read at the next look, and written out before later events', async () => {
  const s = scene(2)
  s.away(true)
  const emitter = await startEmitter(s.options)
  await new Promise(setImmediate)
  expect([s.taken, s.reads]).toEqual([[], [0]])
  s.away(false)
  // Many events a second can arrive, so they do not cause another read.
  emitter.add(event(s.store()))
  await new Promise(setImmediate)
  expect([s.taken, s.reads]).toEqual([[], [0]])
  emitter.look()
  await emitter.stop(5000)
  expect(s.taken).toEqual([1, 2, 3])
})

test.each([
  ['network', { code: 'DATABASE_LOST' }],
  ['config', { code: 'DATABASE_UNUSABLE' }],
] as const)('a database that refuses a read is read again, and the refusal is reported: %s', async (kind, more) => {
  const s = scene(2)
  const { emittable } = s.options.inbox
  let refusals = 1
  s.options.inbox.emittable = async (...of) => {
    if (refusals-- > 0) throw new BnplError(kind, 'refused', more)
    return emittable(...of)
  }
  const emitter = await startEmitter(s.options)
  await new Promise(setImmediate)
  expect([s.taken, s.unread]).toEqual([[], ['refused']])
  emitter.look()
  await emitter.stop(5000)
  expect([s.taken, s.unread]).toEqual([[1, 2], ['refused']])
})

test.each([
  ['a file', false, 'DATABASE_LOST'],
  ['a pooler that does not keep sessions', true, 'DATABASE_POOLER'],
])('a failed read is not tried again: %s', async (_, shared, code) => {
  const s = scene(2)
  const failures: unknown[] = []
  const error = new BnplError('config', 'refused', { code })
  s.options.inbox = { ...s.options.inbox, shared, emittable: () => Promise.reject(error) }
  s.options.onFailure = (each) => failures.push(each)
  const emitter = await startEmitter(s.options)
  await new Promise(setImmediate)
  emitter.look()
  await emitter.stop(5000)
  expect([s.taken, s.unread, failures]).toEqual([[], [], [error]])
})

test('in a new session, events are written out even if their places were given before', async () => {
  const s = scene(0)
  const marks: unknown[] = []
  s.options.emitted = (...mark) => marks.push(mark)
  const asked: unknown[] = []
  s.options.inbox.emittable = async (place, _, session) => {
    asked.push([place, session])
    return []
  }
  const emitter = await startEmitter(s.options)
  await new Promise(setImmediate)
  for (const [seq, session] of [
    [8, 1],
    [9, 1],
    [3, 2],
    [4, 2],
  ] as const) {
    if (seq === 3) {
      emitter.reread()
      emitter.look()
      await new Promise(setImmediate)
    }
    emitter.add({ ...event(seq), session })
    await new Promise(setImmediate)
  }
  await emitter.stop(5000)
  expect(s.taken).toEqual([8, 9, 3, 4])
  expect(marks).toEqual([
    [8, 1],
    [9, 1],
    [3, 2],
    [4, 2],
  ])
  expect(asked.slice(-1)).toEqual([[9, 1]])
})

test('property: every event is written out once and in order, whichever reads fail', async () => {
  const step = fc.constantFrom('add', 'store', 'look', 'reread', 'away', 'back', 'turn', 'moment')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
      const s = scene(0)
      const emitter = await startEmitter(s.options)
      for (const each of steps) {
        if (each === 'add') emitter.add(event(s.store()))
        else if (each === 'store') {
          // Events that were taken over are announced at once, before later events of this receiver.
          s.store()
          emitter.look()
        } else if (each === 'look') emitter.look()
        else if (each === 'reread') {
          emitter.reread()
          emitter.look()
        } else if (each === 'away' || each === 'back') s.away(each === 'away')
        else await (each === 'turn' ? new Promise(setImmediate) : undefined)
      }
      s.away(false)
      emitter.look()
      const last = s.store()
      emitter.add(event(last))
      await emitter.stop(5000)
      expect(s.taken).toEqual(oneTo(last))
    }),
  )
})
