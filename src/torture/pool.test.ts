import { expect, test } from 'vitest'
import { createIdleMeter, inParallel } from './pool.ts'

/** Items whose work ends when the test says so. `looks` counts how often the idle share was read. */
function work(count: number, pace: { least: number; most: number }, share: { idle: number }) {
  const running: { end(): void; fail(error: unknown): void }[] = []
  const state = { begun: 0, mostAtOnce: 0, looks: 0 }
  const ended = inParallel(
    Array.from({ length: count }, (_, at) => at),
    pace,
    () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const one = { end: resolve, fail: reject }
      running.push(one)
      state.begun += 1
      state.mostAtOnce = Math.max(state.mostAtOnce, running.length)
      return promise.finally(() => running.splice(running.indexOf(one), 1))
    },
    () => {
      state.looks += 1
      return share.idle
    },
  )
  const looksAgain = async () => {
    const { looks } = state
    await expect.poll(() => state.looks).toBeGreaterThan(looks + 1)
  }
  return { running, state, ended, looksAgain }
}

test('while the processors are idle, more runs are started, up to the largest number; all items are done', async () => {
  const { running, state, ended } = work(7, { least: 1, most: 3 }, { idle: 1 })
  expect(running).toHaveLength(1)
  await expect.poll(() => running.length).toBe(3)
  while (state.begun < 7) {
    running[0]?.end()
    await expect.poll(() => running.length > 2 || state.begun === 7).toBe(true)
  }
  for (const one of [...running]) one.end()
  expect([await ended, state.mostAtOnce]).toEqual([undefined, 3])
})

test('while the processors are busy, no run is added, and an added run that has ended is not replaced', async () => {
  const share = { idle: 0.1 }
  const { running, state, ended, looksAgain } = work(6, { least: 1, most: 3 }, share)
  await looksAgain()
  expect(running).toHaveLength(1)
  share.idle = 1
  await expect.poll(() => running.length).toBe(3)
  share.idle = 0
  await looksAgain()
  running[0]?.end()
  await expect.poll(() => running.length).toBe(2)
  await looksAgain()
  expect([running.length, state.begun]).toEqual([2, 3])
  while (running.length > 0) {
    running[0]?.end()
    await Promise.resolve()
    await new Promise(setImmediate)
  }
  expect([await ended, state.begun]).toEqual([undefined, 6])
})

test('with a fixed number of runs the processors are not looked at; after a failure no more work is begun', async () => {
  const { running, state, ended } = work(5, { least: 2, most: 2 }, { idle: 1 })
  const [one, two] = running
  one?.fail('first')
  await expect.poll(() => running.length).toBe(1)
  two?.fail('second')
  expect([await ended, state]).toEqual(['first', { begun: 2, mostAtOnce: 2, looks: 0 }])
})

test('the idle share is the idle part of the time since the last reading; 0 if the system tells no times', () => {
  const readings = [
    [100, 50],
    [150, 100],
    [150, 100],
  ].map(([user = 0, idle = 0]) => [{ times: { user, nice: 0, sys: 0, irq: 0, idle } }])
  const share = createIdleMeter(() => readings.shift() ?? [])
  expect([share(), share(), createIdleMeter(() => [])()]).toEqual([0.5, 0, 0])
})
