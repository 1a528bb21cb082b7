import { expect, test } from 'vitest'
import { createLease, IDLE_MS } from './session.ts'

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

test('a lease is fresh for 4 s after the last query, and the server ends an idle session after 5 s', () => {
  const { lease, pass } = scene()
  expect(lease.isFresh()).toBe(true)
  pass(3999)
  expect(lease.isFresh()).toBe(true)
  pass(1)
  expect(lease.isFresh()).toBe(false)
  expect(IDLE_MS).toBe(5000)
})

test('an answer renews the lease from the time of its query, and only once the answer arrives', async () => {
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

test('a failed query does not renew the lease', async () => {
  const { lease, pass } = scene()
  pass(4000)
  await expect(lease.renew(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
  expect(lease.isFresh()).toBe(false)
})

test('the lease expires when either clock has advanced by 4 s, as after a sleep of the machine', () => {
  const slept = scene()
  slept.time.wall += 4000
  expect(slept.lease.isFresh()).toBe(false)
  const putBack = scene()
  putBack.time.wall -= 100_000
  putBack.time.monotonic += 4000
  expect(putBack.lease.isFresh()).toBe(false)
})

test('a lease without given clocks uses the clocks of the machine', () => {
  expect(createLease().isFresh()).toBe(true)
})
