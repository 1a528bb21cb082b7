import { expect, test } from 'vitest'
import { createWindowKeys, UNUSED_MS } from './access.ts'

function entranceAt(start = 0) {
  const time = { now: start }
  const windowKeys = createWindowKeys('http://127.0.0.1:4000', { monotonic: () => time.now })
  const ticket = () => windowKeys.link().split('#ticket=')[1] ?? ''
  return { windowKeys, time, ticket, enter: () => windowKeys.enter(ticket()) ?? '' }
}

test('a ticket lets one browser in, once', () => {
  const { windowKeys, ticket } = entranceAt()
  const given = ticket()
  expect(windowKeys.isInside(windowKeys.enter(given) ?? '')).toBe(true)
  expect(windowKeys.enter(given)).toBeUndefined()
  expect(windowKeys.enter('')).toBeUndefined()
})

test('a key expires after 12 hours without use, and each use restarts the 12 hours', () => {
  const { windowKeys, time, enter } = entranceAt()
  const key = enter()
  time.now += UNUSED_MS
  expect(windowKeys.isInside(key)).toBe(true)
  time.now += UNUSED_MS
  expect(windowKeys.isInside(key)).toBe(true)
  time.now += UNUSED_MS + 1
  expect(windowKeys.isInside(key)).toBe(false)
  time.now -= UNUSED_MS
  expect(windowKeys.isInside(key)).toBe(false)
})

test('leaving ends only the key of that browser; leaving everywhere ends every key and every unused ticket', () => {
  const { windowKeys, ticket, enter } = entranceAt()
  const [mine, other, unused] = [enter(), enter(), ticket()]
  windowKeys.leave(mine)
  windowKeys.leave('unknown')
  expect([windowKeys.isInside(mine), windowKeys.isInside(other)]).toEqual([false, true])
  windowKeys.leaveAll()
  expect([windowKeys.isInside(other), windowKeys.enter(unused)]).toEqual([false, undefined])
})

test('when more than 100 browsers have a key, the key that was unused for the longest time ends [page 1.11]', () => {
  const { windowKeys, time, enter } = entranceAt()
  const [used, unused] = [enter(), enter()]
  for (let i = 0; i < 100; i++) {
    time.now++
    enter()
    expect(windowKeys.isInside(used)).toBe(true)
  }
  expect(windowKeys.isInside(unused)).toBe(false)
})

test('the seal of an address is valid for no other address', () => {
  const { windowKeys } = entranceAt()
  const seal = windowKeys.seal('/a?b=1')
  expect(windowKeys.isSealed('/a?b=1', seal)).toBe(true)
  expect(windowKeys.isSealed('/a?b=2', seal)).toBe(false)
  expect(windowKeys.isSealed('/a?b=1', '')).toBe(false)
})
