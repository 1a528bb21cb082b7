import { expect, test } from 'vitest'
import { countdown } from './view.ts'

const events = (...seqs: number[]) => seqs.map((seq) => ({ seq }))

test('without --until no event is counted or kept', () => {
  const count = countdown({ until: undefined, forwardTo: 'http://127.0.0.1:1/' }, () => expect.fail('it ended'))
  count.emitted(events(1, 2))
  expect([count.left(), count.open()]).toEqual([Number.POSITIVE_INFINITY, []])
})

test('without a handler the countdown ends when the last event is printed', () => {
  let ended = 0
  const count = countdown({ until: 2, forwardTo: undefined }, () => ended++)
  count.emitted(events(1))
  expect([count.left(), ended]).toEqual([1, 0])
  count.emitted(events(2))
  expect([count.left(), ended]).toEqual([0, 1])
})

test('with a handler the countdown ends when every printed event is also forwarded, in any order', () => {
  let ended = 0
  const count = countdown({ until: 2, forwardTo: 'http://127.0.0.1:1/' }, () => ended++)
  count.forwarded(2)
  count.emitted(events(1, 2))
  expect([count.open(), ended]).toEqual([[1], 0])
  count.forwarded(1)
  expect([count.open(), ended]).toEqual([[], 1])
})
