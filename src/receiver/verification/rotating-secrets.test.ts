import { afterEach, expect, test, vi } from 'vitest'
import { fakeClock } from '../../../test/kit/harness.ts'
import { config } from '../../errors.ts'
import { LOOK_EVERY_MS, READ_MS, type RotatingSecrets, rotatingSecrets } from './rotating-secrets.ts'

let secrets: RotatingSecrets | undefined
afterEach(() => {
  secrets?.stop()
  vi.useRealTimers()
})

/** The secrets and the reports after each of several reads. */
async function rotate(initial: readonly string[], readings: (readonly string[] | Error)[]) {
  const clock = fakeClock()
  const counts: number[] = []
  const problems: (string | undefined)[] = []
  const faults: unknown[] = []
  const read = async () => {
    const reading = readings.shift() ?? []
    if (reading instanceof Error) throw reading
    return reading
  }
  secrets = rotatingSecrets(initial, {
    read,
    source: 'the file',
    clock,
    onChange: (count) => counts.push(count),
    onProblem: (why) => problems.push(why),
    onError: (error) => faults.push(error),
  })
  const seen: (readonly string[])[] = []
  while (readings.length > 0) {
    clock.advance(LOOK_EVERY_MS)
    await secrets.refresh()
    seen.push(secrets.current())
  }
  return { seen, counts, problems, faults }
}

test('secrets stay valid while their file is empty or cannot be read', async () => {
  const { seen, counts } = await rotate(['old'], [['old'], [], config('EIO'), ['new', 'old'], ['new']])
  expect(seen).toEqual([['old'], ['old'], ['old'], ['new', 'old'], ['new']])
  expect(counts).toEqual([2, 1])
})

const GOOD = 'a-secret-that-is-long-enough'

test('a source that had no secret from the beginning is reported only after a secret was added and removed again', async () => {
  const { seen, problems } = await rotate([], [[], [GOOD], []])
  expect(seen).toEqual([[], [GOOD], [GOOD]])
  expect(problems).toEqual(['the file contains no secret'])
})

test('a failure to read the secrets and its end are each reported once, and the last good secrets remain valid [attack 16]', async () => {
  const next = 'another-secret-long-enough'
  const { seen, problems } = await rotate(
    [GOOD],
    [config('it is gone'), config('it is gone'), [], [next.slice(0, 7)], [`${next} of two`], [next]],
  )
  expect(seen.slice(0, -1)).toEqual(Array.from({ length: 5 }, () => [GOOD]))
  expect(seen.at(-1)).toEqual([next])
  expect(problems).toEqual([
    'it is gone',
    'the file contains no secret',
    'the file has a line that is too short for a secret',
    'the file has a line with a space inside',
    undefined,
  ])
})

test('a short secret is accepted if the present one is also short [attack 16]', async () => {
  const { seen, problems } = await rotate(['short'], [['new'], ['two words']])
  expect(seen).toEqual([['new'], ['new']])
  expect(problems).toEqual(['the file has a line with a space inside'])
})

test('a fault in reading the secrets is reported as a fault [row 112]', async () => {
  const { seen, problems, faults } = await rotate([GOOD], [new TypeError('a fault of the test'), [GOOD]])
  expect(seen).toEqual([[GOOD], [GOOD]])
  expect(problems).toEqual([])
  expect(faults).toEqual([new TypeError('a fault of the test')])
})

test('a read that never ends is not repeated, is reported once, and the last good secret stays valid [attack 16]', async () => {
  vi.useFakeTimers()
  let reads = 0
  const problems: (string | undefined)[] = []
  const clock = fakeClock()
  let answer = (_: readonly string[]) => {}
  secrets = rotatingSecrets([GOOD], {
    read: () => {
      reads++
      return new Promise((resolve) => {
        answer = resolve
      })
    },
    source: 'the file',
    clock,
    onChange: () => {},
    onProblem: (why) => problems.push(why),
    onError: () => {},
  })
  await vi.advanceTimersByTimeAsync(LOOK_EVERY_MS)
  clock.advance(LOOK_EVERY_MS)
  const waiting = secrets.refresh()
  await vi.advanceTimersByTimeAsync(READ_MS + 10 * LOOK_EVERY_MS)
  expect(await waiting).toBe(false)
  clock.advance(LOOK_EVERY_MS)
  expect(await secrets.refresh()).toBe(false)
  expect([reads, secrets.current()]).toEqual([1, [GOOD]])
  expect(problems).toEqual(['the file cannot be read: no answer within 5 s'])
  // The overdue read ends. The next look starts a new read.
  answer(['overdue-and-not-used-secret'])
  await vi.advanceTimersByTimeAsync(LOOK_EVERY_MS)
  answer([`${GOOD}-2`])
  await vi.advanceTimersByTimeAsync(0)
  expect([reads, secrets.current()]).toEqual([2, [`${GOOD}-2`]])
  expect(problems.slice(1)).toEqual([undefined])
})

test('a secret learned from a registration is the newest secret, and remains valid whatever the file contains', async () => {
  const readings: (readonly string[])[] = [[GOOD], ['another-secret-long-enough', 'learned-first-and-long']]
  const clock = fakeClock()
  secrets = rotatingSecrets([GOOD], {
    read: async () => readings.shift() ?? [],
    source: 'the file',
    clock,
    onChange: () => {},
    onProblem: () => {},
    onError: () => {},
  })
  secrets.learn('learned-first-and-long')
  secrets.learn(GOOD)
  expect(secrets.current()).toEqual([GOOD, 'learned-first-and-long'])
  for (let i = 0; i < 2; i++) {
    clock.advance(LOOK_EVERY_MS)
    await secrets.refresh()
  }
  expect(secrets.current()).toEqual([GOOD, 'learned-first-and-long', 'another-secret-long-enough'])
})

test('secrets that cannot change are never read again', async () => {
  const clock = fakeClock()
  const unchanging = { read: undefined, source: 'stdin', clock, onChange() {}, onProblem() {}, onError() {} }
  secrets = rotatingSecrets([GOOD], unchanging)
  clock.advance(LOOK_EVERY_MS)
  expect(await secrets.refresh()).toBe(false)
  expect(secrets.current()).toEqual([GOOD])
})

test('secrets are looked at again when the last look is a second old, and not before', async () => {
  let reads = 0
  const clock = fakeClock()
  secrets = rotatingSecrets([GOOD], {
    read: async () => [`${GOOD}-${++reads}`],
    source: 'the file',
    clock,
    onChange: () => {},
    onProblem: () => {},
    onError: () => {},
  })
  clock.advance(LOOK_EVERY_MS - 1)
  expect([await secrets.refresh(), reads]).toEqual([false, 0])
  clock.advance(1)
  expect([await secrets.refresh(), reads]).toEqual([true, 1])
  expect([await secrets.refresh(), reads]).toEqual([false, 1])
})

/** Secrets whose reads end when the test says so, with timers that the test moves. */
function byHand() {
  vi.useFakeTimers()
  const clock = fakeClock()
  const reads: PromiseWithResolvers<readonly string[]>[] = []
  const counts: number[] = []
  secrets = rotatingSecrets([GOOD], {
    read: () => {
      const one = Promise.withResolvers<readonly string[]>()
      reads.push(one)
      return one.promise
    },
    source: 'the file',
    clock,
    onChange: (count) => counts.push(count),
    onProblem: () => {},
    onError: () => {},
  })
  return { clock, reads, counts, secrets }
}

test('deliveries that arrive during a read share the read, and each delivery learns whether the secrets changed', async () => {
  const { clock, reads, counts, secrets } = byHand()
  clock.advance(LOOK_EVERY_MS)
  const first = secrets.refresh()
  const second = secrets.refresh()
  const next = 'another-secret-long-enough'
  reads[0]?.resolve([next, GOOD, next])
  expect([await first, await second, reads.length]).toEqual([true, true, 1])
  expect([secrets.current(), counts]).toEqual([[next, GOOD], [2]])
  clock.advance(LOOK_EVERY_MS)
  const third = secrets.refresh()
  reads[1]?.resolve([GOOD, next, next])
  expect([await third, secrets.current()]).toEqual([true, [GOOD, next]])
})

test('the secrets are read every second until the stop, and a finished read leaves no timer', async () => {
  const { reads, secrets } = byHand()
  await vi.advanceTimersByTimeAsync(LOOK_EVERY_MS)
  reads[0]?.resolve([GOOD])
  await vi.advanceTimersByTimeAsync(0)
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(LOOK_EVERY_MS)
  reads[1]?.resolve([GOOD])
  await vi.advanceTimersByTimeAsync(0)
  expect(reads).toHaveLength(2)
  secrets.stop()
  await vi.advanceTimersByTimeAsync(5 * LOOK_EVERY_MS)
  expect([reads.length, vi.getTimerCount()]).toEqual([2, 0])
})
