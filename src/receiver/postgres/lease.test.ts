import { expect, test } from 'vitest'
import { createLease, IDLE_MS } from './lease.ts'

/** A lease with clocks that the test moves. */
function scene() {
  const time = { monotonic: 10_000, wall: 1_000_000 }
  const lease = createLease({ monotonic: () => time.monotonic, wall: () => time.wall })
  const pass = (ms: number) => {
    time.monotonic += ms
    time.wall += ms
  }
  return { lease, pass, time }
}

test('locks are certain for four seconds after the last question, which is before the server ends a silent session', () => {
  const { lease, pass } = scene()
  expect(lease.isFresh()).toBe(true)
  pass(3999)
  expect(lease.isFresh()).toBe(true)
  pass(1)
  expect(lease.isFresh()).toBe(false)
  expect(IDLE_MS).toBe(5000)
})

test('an answer renews the lease from the moment of its question, and only when it comes', async () => {
  const { lease, pass } = scene()
  pass(3000)
  const asked = Promise.withResolvers<string>()
  const renewed = lease.renew(() => asked.promise)
  pass(2000)
  expect(lease.isFresh()).toBe(false)
  asked.resolve('answer')
  expect(await renewed).toBe('answer')
  expect(lease.isFresh()).toBe(true)
  pass(1999)
  expect(lease.isFresh()).toBe(true)
  pass(1)
  expect(lease.isFresh()).toBe(false)
})

test('a question that fails renews nothing', async () => {
  const { lease, pass } = scene()
  pass(4000)
  await expect(lease.renew(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
  expect(lease.isFresh()).toBe(false)
})

test('time in which the machine slept counts, by either clock', () => {
  const slept = scene()
  slept.time.wall += 4000
  expect(slept.lease.isFresh()).toBe(false)
  const putBack = scene()
  putBack.time.wall -= 100_000
  putBack.time.monotonic += 4000
  expect(putBack.lease.isFresh()).toBe(false)
})

test('without clocks it goes by those of the machine', () => {
  expect(createLease().isFresh()).toBe(true)
})
