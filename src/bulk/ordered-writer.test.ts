import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOrder } from './ordered-writer.ts'

test('property: everything is returned once, in the order of its positions', () => {
  const shuffled = fc.integer({ min: 1, max: 60 }).chain((n) =>
    fc.shuffledSubarray(
      Array.from({ length: n }, (_, i) => i),
      { minLength: n },
    ),
  )
  fc.assert(
    fc.property(shuffled, (positions) => {
      const order = createOrder<number>(1000)
      const out: number[] = []
      for (const position of positions) {
        order.put(position, position)
        out.push(...order.take())
      }
      expect(out).toEqual(positions.map((_, i) => i))
    }),
  )
})

test('a missing position holds back the later ones until the rest is taken, and writing makes room', async () => {
  const order = createOrder<string>(3)
  order.put(0, 'a')
  order.put(2, 'c')
  expect(order.take()).toEqual(['a'])
  order.put(3, undefined)
  let begun = false
  const waiting = order.room(4)?.then(() => {
    begun = true
  })
  await Promise.resolve()
  expect(begun).toBe(false)
  order.put(1, undefined)
  expect(order.take()).toEqual(['c'])
  await waiting
  order.put(5, 'f')
  expect(order.rest()).toEqual(['f'])
})
