import { expect, test } from 'vitest'
import { fakeClock } from '../../test/harness.ts'
import { createPace } from './pace.ts'

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
