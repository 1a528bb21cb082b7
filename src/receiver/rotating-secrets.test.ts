import { afterEach, expect, test } from 'vitest'
import { fakeClock } from '../../test/harness.ts'
import { LOOK_EVERY_MS, type RotatingSecrets, rotatingSecrets } from './rotating-secrets.ts'

let secrets: RotatingSecrets | undefined
afterEach(() => secrets?.stop())

test('a file of secrets that is empty while it is written takes none out of force, nor does one that cannot be read', async () => {
  const readings: (readonly string[] | Error)[] = [['old'], [], new Error('EIO'), ['new', 'old'], ['new']]
  const clock = fakeClock()
  const counts: number[] = []
  const read = async () => {
    const reading = readings.shift() ?? []
    if (reading instanceof Error) throw reading
    return reading
  }
  secrets = rotatingSecrets(['old'], read, clock, (count) => counts.push(count))
  const seen: (readonly string[])[] = []
  while (readings.length > 0) {
    clock.advance(LOOK_EVERY_MS)
    await secrets.refresh()
    seen.push(secrets.current())
  }
  expect(seen).toEqual([['old'], ['old'], ['old'], ['new', 'old'], ['new']])
  expect(counts).toEqual([2, 1])
})
