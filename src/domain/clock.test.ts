import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayInChile, formatDuration, parseDuration } from './clock.ts'

test.each([
  ['250ms', 250],
  [' 2s ', 2_000],
  ['0.25', 250],
  ['12.75', 12_750],
  ['1.25s', 1_250],
  ['1.5m', 90_000],
  ['0.0004s', 0],
  ['1h30m', 5_400_000],
  ['1d1h1m1s1ms', 90_061_001],
  ['0', 0],
])('%s is read as %i ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test.each(['s', '1.', '.5', '1.x', '1,5', '1.5.5', '5sx', 'x5s', '5s 3m', '5 s', '1e3s', '-5s', '9007199254740992s'])(
  '“%s” is refused as a duration, even if a part of the text is valid',
  (text) => {
    expect(parseDuration(text)).toBeUndefined()
  },
)

test('a duration is shown in its two largest units', () => {
  expect(
    [-5, 0.4, 999.4, 1000, 1499, 59_999, 60_000, 3_600_000, 86_400_000, 90_061_000, 3_661_000].map(formatDuration),
  ).toEqual(['0ms', '0ms', '999ms', '1s', '1s', '1m', '1m', '1h', '1d', '1d1h', '1h1m'])
})

test('the day in Chile is that of the time-zone database, at every time since 1950', () => {
  const byDatabase = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Santiago' })
  const [from, to] = [Date.parse('1950-01-01'), Date.parse('2100-01-01')]
  const anyTime = fc.integer({ min: from, max: to })
  const nearMidnight = anyTime.map((at) => at - (at % 86_400_000) + 3 * 3_600_000 + (at % 3_600_000))
  fc.assert(
    fc.property(fc.oneof(anyTime, nearMidnight), (at) => {
      expect(dayInChile(at)).toBe(byDatabase.format(at))
    }),
  )
})
