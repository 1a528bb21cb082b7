import { expect, test } from 'vitest'
import { once } from './once.ts'

test('once() runs the work only once, even if the result is undefined, null or 0', () => {
  for (const value of [undefined, null, 0, 'text']) {
    let calls = 0
    const work = once(() => {
      calls++
      return value
    })
    expect([work(), work(), calls]).toEqual([value, value, 1])
  }
})
