import { expect, test } from 'vitest'
import { createEntrance, UNUSED_MS } from './access.ts'

function entranceAt(start = 0) {
  const time = { now: start }
  const entrance = createEntrance('http://127.0.0.1:4000', { monotonic: () => time.now })
  const ticket = () => entrance.link().split('#ticket=')[1] ?? ''
  return { entrance, time, ticket, enter: () => entrance.enter(ticket()) ?? '' }
}

test('a ticket lets one browser in, once', () => {
  const { entrance, ticket } = entranceAt()
  const given = ticket()
  expect(entrance.isInside(entrance.enter(given) ?? '')).toBe(true)
  expect(entrance.enter(given)).toBeUndefined()
  expect(entrance.enter('')).toBeUndefined()
})

test('a key expires after 12 hours without use, and each use restarts the 12 hours', () => {
  const { entrance, time, enter } = entranceAt()
  const key = enter()
  time.now += UNUSED_MS
  expect(entrance.isInside(key)).toBe(true)
  time.now += UNUSED_MS
  expect(entrance.isInside(key)).toBe(true)
  time.now += UNUSED_MS + 1
  expect(entrance.isInside(key)).toBe(false)
  time.now -= UNUSED_MS
  expect(entrance.isInside(key)).toBe(false)
})

test('leaving ends only the key of that browser; leaving everywhere ends every key and every unused ticket', () => {
  const { entrance, ticket, enter } = entranceAt()
  const [mine, other, unused] = [enter(), enter(), ticket()]
  entrance.leave(mine)
  entrance.leave('unknown')
  expect([entrance.isInside(mine), entrance.isInside(other)]).toEqual([false, true])
  entrance.leaveAll()
  expect([entrance.isInside(other), entrance.enter(unused)]).toEqual([false, undefined])
})

test('when more than 100 browsers have a key, the key that was unused for the longest time ends [page 1.11]', () => {
  const { entrance, time, enter } = entranceAt()
  const [used, unused] = [enter(), enter()]
  for (let i = 0; i < 100; i++) {
    time.now++
    enter()
    expect(entrance.isInside(used)).toBe(true)
  }
  expect(entrance.isInside(unused)).toBe(false)
})

test('the seal of an address is valid for no other address', () => {
  const { entrance } = entranceAt()
  const seal = entrance.seal('/a?b=1')
  expect(entrance.isSealed('/a?b=1', seal)).toBe(true)
  expect(entrance.isSealed('/a?b=2', seal)).toBe(false)
  expect(entrance.isSealed('/a?b=1', '')).toBe(false)
})
