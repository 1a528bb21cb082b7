import { expect, test } from 'vitest'
import { closeAll } from './closing.ts'

test('closing runs everything, last in first out, and gives back all that failed [row 113]', async () => {
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

test('what is added while it closes is closed too [row 113]', async () => {
  const ran: string[] = []
  const closers = [
    async () => {
      closers.push(async () => ran.push('late'))
    },
  ] as (() => Promise<unknown>)[]
  await closeAll(closers)
  expect(ran).toEqual(['late'])
})
