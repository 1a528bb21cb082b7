import { expect, test } from 'vitest'
import { closeAll, once } from './lifetime.ts'

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

test('closing runs every closer, last in first out, and returns all failures [row 113]', async () => {
  const ran: number[] = []
  const closer = (n: number, error?: Error) => async () => {
    ran.push(n)
    if (error) throw error
  }
  const [second, third] = [new Error('second'), new Error('third')]
  const closers = [closer(1), closer(2, second), closer(3, third), closer(4)]
  expect(await closeAll(closers)).toEqual([third, second])
  expect(ran).toEqual([4, 3, 2, 1])
  expect(await closeAll(closers)).toEqual([])
  expect(ran).toHaveLength(4)
})

test('a closer that is added during closing also runs [row 113]', async () => {
  const ran: string[] = []
  const closers = [
    async () => {
      closers.push(async () => ran.push('late'))
    },
  ] as (() => Promise<unknown>)[]
  await closeAll(closers)
  expect(ran).toEqual(['late'])
})
