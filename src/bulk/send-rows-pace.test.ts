import { expect, test } from 'vitest'
import { fakeClock } from '../../test/kit/harness.ts'
import { createPace } from './send-rows.ts'

const { signal } = new AbortController()

test('without a rate or a pause no request waits', () => {
  const pace = createPace(fakeClock(), signal)
  expect([pace.ready(), pace.pausedFor()]).toEqual([undefined, 0])
})

test.each([
  [1, [1000, 1000]],
  [4, [250, 250]],
  [1000, [1, 1]],
])('%i requests a second are evenly spaced, and the first request does not wait', async (perSecond, slept) => {
  const clock = fakeClock()
  const pace = createPace(clock, signal, perSecond)
  for (let i = 0; i < 3; i++) await pace.ready()
  expect(clock.slept).toEqual(slept)
})

test('slots closer than a timer’s resolution cause no wait, and the rate is still kept', async () => {
  const clock = fakeClock()
  const pace = createPace(clock, signal, 4000)
  for (let i = 0; i < 9; i++) await pace.ready()
  expect(clock.slept).toEqual([1, 1])
})

test('requests are not sent faster after unused slots', async () => {
  const clock = fakeClock()
  const pace = createPace(clock, signal, 2)
  await pace.ready()
  clock.advance(10_000)
  await pace.ready()
  await pace.ready()
  expect(clock.slept).toEqual([500])
})

test('a request waits until the pause ends, in whole milliseconds, and later requests do not wait [row 20]', async () => {
  const clock = fakeClock()
  const pace = createPace(clock, signal)
  pace.pause(99.5)
  expect(pace.pausedFor()).toBe(99.5)
  await pace.ready()
  expect(clock.slept).toEqual([100])
  expect(pace.pausedFor()).toBe(0)
  await pace.ready()
  expect(clock.slept).toEqual([100])
})

test('of several pauses the one that ends last counts, from the time when the service asked for it [row 20]', () => {
  const clock = fakeClock()
  const pace = createPace(clock, signal)
  pace.pause(1000)
  clock.advance(800)
  pace.pause(100)
  expect(pace.pausedFor()).toBe(200)
  pace.pause(300)
  expect(pace.pausedFor()).toBe(300)
})

test('a pause also delays a request that already waits for its slot [row 20]', async () => {
  const clock = fakeClock()
  const pace = createPace(
    {
      ...clock,
      async sleep(ms, stop) {
        if (clock.slept.length === 0) pace.pause(5000)
        await clock.sleep(ms, stop)
      },
    },
    signal,
    2,
  )
  await pace.ready()
  await pace.ready()
  expect(clock.slept).toEqual([500, 4500])
  expect(clock.monotonic()).toBe(5000)
})

test('a stop ends the wait for a slot with the signal’s reason [row 100]', async () => {
  const stop = new AbortController()
  const reason = new Error('stop')
  const clock = fakeClock()
  const rated = createPace(clock, stop.signal, 1)
  const free = createPace(clock, stop.signal)
  await rated.ready()
  stop.abort(reason)
  await expect(rated.ready()).rejects.toBe(reason)
  await expect(free.ready()).rejects.toBe(reason)
  expect(clock.slept).toEqual([])
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

test('no more requests than the window allows are sent in any time of its length', async () => {
  const clock = fakeClock()
  const held: number[] = []
  const pace = createPace(clock, signal, undefined, {
    window: { calls: 3, ms: 1000 },
    onHold: (_, ms) => held.push(ms),
  })
  const sentAt: number[] = []
  for (let i = 0; i < 8; i++) {
    await pace.ready()
    sentAt.push(clock.monotonic())
    clock.advance(100)
  }
  expect(sentAt).toEqual([0, 100, 200, 1000, 1100, 1200, 2000, 2100])
  expect(held).toEqual([700, 700])
})

test('requests wait when an answer says that no more are allowed than are in flight', async () => {
  const clock = fakeClock()
  const pace = createPace(clock, signal)
  for (const _ of [1, 2, 3]) void pace.ready()
  pace.ended({ left: 3, resetMs: 5000 })
  expect(pace.pausedFor()).toBe(0)
  pace.ended({ left: 1, resetMs: 5000 })
  expect(pace.pausedFor()).toBe(5000)
  pace.ended(undefined)
  await pace.ready()
  expect(clock.slept).toEqual([5000])
  pace.ended({ left: 0, resetMs: 10 ** 12 })
  expect(pace.pausedFor()).toBe(600_000)
})
