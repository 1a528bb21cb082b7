import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startDeadline } from './deadline.ts'

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
  const [own] = await Promise.all([accepted.promise, once(socket, 'connect')])
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
