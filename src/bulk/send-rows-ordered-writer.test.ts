import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOrder, createOrderedWriter } from './send-rows.ts'

test('a position has room only within the window that starts at the oldest unfinished position', () => {
  const order = createOrder<string>(2)
  expect([order.room(0), order.room(1)]).toEqual([undefined, undefined])
  expect(order.room(2)).toBeInstanceOf(Promise)
  order.put(1, 'b')
  expect(order.take()).toEqual([])
  expect(order.room(2)).toBeInstanceOf(Promise)
  order.put(0, 'a')
  expect(order.take()).toEqual(['a', 'b'])
  expect([order.room(2), order.room(3)]).toEqual([undefined, undefined])
  expect(order.room(4)).toBeInstanceOf(Promise)
})

test('a worker that waits for room continues only when its own position has room', async () => {
  const order = createOrder<string>(1)
  const begun: number[] = []
  const waiting = [1, 2].map((position) => order.room(position)?.then(() => begun.push(position)))
  order.put(0, undefined)
  expect(order.take()).toEqual([])
  await waiting[0]
  await Promise.resolve()
  expect(begun).toEqual([1])
  order.put(1, 'b')
  expect(order.take()).toEqual(['b'])
  await waiting[1]
  expect(begun).toEqual([1, 2])
})

test('the end wakes every waiting worker, and no worker waits afterwards', async () => {
  const order = createOrder<string>(1)
  const waiting = [order.room(5), order.room(9)]
  order.release()
  await Promise.all(waiting)
  expect(order.room(100)).toBeUndefined()
})

test('the rest is returned once, in order, without gaps, even across the end of the ring', () => {
  const order = createOrder<number>(4)
  for (const position of [0, 1, 2]) order.put(position, position)
  expect(order.take()).toEqual([0, 1, 2])
  order.put(6, 6)
  order.put(4, 4)
  order.put(5, undefined)
  expect(order.take()).toEqual([])
  expect(order.rest()).toEqual([4, 6])
  expect(order.rest()).toEqual([])
})

test('a falsy item counts as an item', () => {
  const order = createOrder<number | string | boolean>(4)
  for (const [position, item] of [0, '', false].entries()) order.put(position, item)
  expect(order.take()).toEqual([0, '', false])
  order.put(4, 0)
  expect(order.rest()).toEqual([0])
})

/** Returns a writer that records what it writes. The write with the number `fails` fails. */
function watched(fails?: number) {
  const written: string[][] = []
  const failures: unknown[] = []
  const broken = new Error('full')
  let busy = 0
  const writer = createOrderedWriter<string>(
    4,
    async (rows) => {
      expect(busy++).toBe(0)
      await new Promise(setImmediate)
      written.push(rows)
      busy--
      if (written.length === fails) throw broken
    },
    (error) => {
      failures.push(error)
      writer.release()
    },
  )
  return { writer, written, failures, broken }
}

test('rows that are put in one turn are written together in order, one batch at a time', async () => {
  const { writer, written } = watched()
  writer.put(1, 'b')
  writer.put(0, 'a')
  await writer.room(4)
  writer.put(2, undefined)
  writer.put(4, 'e')
  writer.put(3, 'd')
  await writer.end()
  expect(written.flat()).toEqual(['a', 'b', 'd', 'e'])
  expect(written[0]).toEqual(['a', 'b'])
})

test('ending the writer also writes the rows after a missing position', async () => {
  const { writer, written, failures } = watched()
  writer.put(0, 'a')
  writer.put(2, 'c')
  await writer.end()
  expect([written, failures]).toEqual([[['a'], ['c']], []])
})

test('a failed write is reported once, wakes the workers that wait for room, and is the last write', async () => {
  const { writer, written, failures, broken } = watched(1)
  const waiting = writer.room(9)
  writer.put(0, 'a')
  writer.put(2, 'c')
  await waiting
  expect(failures).toEqual([broken])
  writer.put(1, 'b')
  await writer.end()
  expect([written, failures]).toEqual([[['a']], [broken]])
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

test('items after a missing position wait until that position is filled, and taking the items makes room', async () => {
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
