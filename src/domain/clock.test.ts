import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { dayInChile, formatDuration, parseDuration, startDeadline } from './clock.ts'

test.each([
  ['250ms', 250],
  [' 2s ', 2_000],
  ['0.25', 250],
  ['12.75', 12_750],
  ['1.25s', 1_250],
  ['1.5m', 90_000],
  ['0.0004s', 0],
  ['1h30m', 5_400_000],
  ['1d1h1m1s1ms', 90_061_001],
  ['0', 0],
])('%s is read as %i ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test.each(['s', '1.', '.5', '1.x', '1,5', '1.5.5', '5sx', 'x5s', '5s 3m', '5 s', '1e3s', '-5s', '9007199254740992s'])(
  '“%s” is refused as a duration, even if a part of the text is valid',
  (text) => {
    expect(parseDuration(text)).toBeUndefined()
  },
)

test('a duration is shown in its two largest units', () => {
  expect(
    [-5, 0.4, 999.4, 1000, 1499, 59_999, 60_000, 3_600_000, 86_400_000, 90_061_000, 3_661_000].map(formatDuration),
  ).toEqual(['0ms', '0ms', '999ms', '1s', '1s', '1m', '1m', '1h', '1d', '1d1h', '1h1m'])
})

test('the day in Chile is that of the time-zone database, at every time since 1950', () => {
  const byDatabase = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Santiago' })
  const [from, to] = [Date.parse('1950-01-01'), Date.parse('2100-01-01')]
  const anyTime = fc.integer({ min: from, max: to })
  const nearMidnight = anyTime.map((at) => at - (at % 86_400_000) + 3 * 3_600_000 + (at % 3_600_000))
  fc.assert(
    fc.property(fc.oneof(anyTime, nearMidnight), (at) => {
      expect(dayInChile(at)).toBe(byDatabase.format(at))
    }),
  )
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
