import { once as event } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { closeAll, once, startDeadline } from './lifetime.ts'

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

test('once() runs no work before it is asked, and keeps also a promise that was rejected', async () => {
  let made = 0
  const failing = once(() => Promise.reject(new Error(`failure ${++made}`)))
  expect(made).toBe(0)
  await expect(failing()).rejects.toThrow('failure 1')
  await expect(failing()).rejects.toThrow('failure 1')
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

/** Blocks this thread, as a stopped process or a blocked terminal does. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test.each([
  [10, 30],
  [10, 400],
])('a deadline of %i ms counts only after what arrived during a hold-up of %i ms was read', async (ms, heldUpMs) => {
  const accepted = Promise.withResolvers<Socket>()
  const server = createServer(accepted.resolve)
  onTestFinished(() => void server.close())
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const address = server.address()
  const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1')
  const [own] = await Promise.all([accepted.promise, event(socket, 'connect')])
  const first = await new Promise((resolve) => {
    socket.once('data', () => {
      deadline.clear()
      resolve('read')
    })
    const deadline = startDeadline(ms, () => resolve('late'))
    own.write('answer')
    block(heldUpMs)
  })
  socket.destroy()
  expect(first).toBe('read')
})

test('a deadline is called once, not before its time, and not after it was cleared', async () => {
  let calls = 0
  const started = performance.now()
  await new Promise<void>((resolve) => {
    startDeadline(20, () => {
      calls++
      resolve()
    })
    const cleared = startDeadline(5, () => calls++)
    cleared.refresh()
    cleared.clear()
  })
  expect(performance.now() - started).toBeGreaterThanOrEqual(19)
  expect(calls).toBe(1)
})

test('a deadline that passed during a hold-up is called soon afterwards', async () => {
  const late = new Promise<number>((resolve) => {
    startDeadline(10, () => resolve(performance.now()))
  })
  block(300)
  const over = performance.now()
  expect((await late) - over).toBeLessThan(10_000)
})
