import { expect, test } from 'vitest'
import { countdown } from './countdown.ts'

const events = (...seqs: number[]) => seqs.map((seq) => ({ seq }))

test('without --until nothing is counted and nothing is kept', () => {
  const count = countdown({ until: undefined, forwardTo: 'http://127.0.0.1:1/' }, () => expect.fail('it ended'))
  count.emitted(events(1, 2))
  expect([count.left(), count.open()]).toEqual([Number.POSITIVE_INFINITY, []])
})

test('without a handler it ends with the last event that is written out', () => {
  let ended = 0
  const count = countdown({ until: 2, forwardTo: undefined }, () => ended++)
  count.emitted(events(1))
  expect([count.left(), ended]).toEqual([1, 0])
  count.emitted(events(2))
  expect([count.left(), ended]).toEqual([0, 1])
})

test('with a handler it ends when every written event is forwarded or set aside, in any order', () => {
  let ended = 0
  const count = countdown({ until: 2, forwardTo: 'http://127.0.0.1:1/' }, () => ended++)
  count.forwarded(2)
  count.emitted(events(1, 2))
  expect([count.open(), ended]).toEqual([[1], 0])
  count.forwarded(1)
  expect([count.open(), ended]).toEqual([[], 1])
})
