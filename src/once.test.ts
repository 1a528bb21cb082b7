import { expect, test } from 'vitest'
import { once } from './once.ts'

test('the work is done once, even if it returns nothing', () => {
  for (const value of [undefined, null, 0, 'text']) {
    let calls = 0
    const work = once(() => {
      calls++
      return value
    })
    expect([work(), work(), calls]).toEqual([value, value, 1])
  }
})
