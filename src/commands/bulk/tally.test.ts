import { expect, test } from 'vitest'
import { createTally } from './tally.ts'

const row = (line: number, outcome: string) => ({
  number: line - 1,
  raw: { line, raw: '' },
  id: `T${line}`,
  others: {},
  result: { outcome },
  json: '',
})

test('rows are counted by outcome, by difference, as sent or done earlier, and as refused', () => {
  const tally = createTally(6, 2, ({ error }) => error?.kind === 'refused')
  const failed = (kind: string) => ({ outcome: 'failed', error: { kind, code: null, message: 'no' } })
  tally.count({ outcome: 'ok' }, false)
  tally.count({ outcome: 'ok' }, true)
  tally.count({ outcome: 'different', differences: ['amount', 'state'] }, true)
  tally.count({ outcome: 'different', differences: ['amount'] }, true)
  tally.count(failed('refused'), true)
  tally.count(failed('network'), true)
  expect([tally.sent, tally.earlier, tally.known, tally.done()]).toEqual([5, 1, 2, 6])
  expect([tally.of('ok'), tally.of('different'), tally.of('failed'), tally.of('unknown')]).toEqual([2, 2, 2, 0])
  expect([...tally.differences]).toEqual([
    ['amount', 2],
    ['state', 1],
  ])
  expect(tally.refused).toBe(1)
})

test('the first ten unknown rows are named by line', () => {
  const tally = createTally(30, 0, () => false)
  tally.name(Array.from({ length: 24 }, (_, i) => row(i + 2, i % 2 === 0 ? 'unknown' : 'ok')))
  expect(tally.unknownLines).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20])
})
