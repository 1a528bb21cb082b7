import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sign } from '../../src/domain/signature.ts'
import { createDatabase } from '../kit/postgres.ts'
import { startClosingHandler, startHandler } from './handler.ts'
import { cleanUp, deliver, SECRET, SIGNATURE, startHere, startListener, until } from './listener.ts'

const handlers: { stop(): Promise<void> }[] = []
async function handlerOf(...args: Parameters<typeof startHandler>) {
  const handler = await startHandler(...args)
  handlers.push(handler)
  return handler
}
// Most tests of this file wait, so they run at the same time. Tests that send much run alone. What they have started is ended after the
// last test.
afterAll(async () => {
  await cleanUp()
  for (const handler of handlers.splice(0)) await handler.stop()
})

test.concurrent('the handler gets the body byte for byte, the eventId and the signature, which it can verify [row 65]', async () => {
  const handler = await handlerOf()
  const listener = await startHere({ args: ['--forward-to', handler.url] })
  const body = '{ "eventId": "$(touch /tmp/x) é",\r\n "data": {"a": 1.50} }'
  await deliver(listener, { body })
  await until(() => handler.handled.length === 1)
  const [got] = handler.handled
  expect(got?.body).toBe(Buffer.from(body).toString())
  expect(got?.headers).toMatchObject({
    'bnpl-event-id': encodeURIComponent('$(touch /tmp/x) é'),
    'bnpl-event': 'loan_approved',
    'bnpl-attempt': '1',
    'bnpl-confirmed': 'true',
    'content-type': 'application/json',
    'service-signature': sign(Buffer.from(body), SECRET, SIGNATURE),
  })
})

test.concurrent('a static token is not forwarded to the handler, and its events are forwarded as unconfirmed [row 57, row 65]', async () => {
  const handler = await handlerOf()
  const listener = await startHere({ args: ['--scheme', 'token', '--forward-to', handler.url] })
  await deliver(listener, { signature: null, headers: { 'service-webhook-secret': SECRET } })
  await until(() => handler.handled.length === 1)
  expect(JSON.stringify(handler.handled)).not.toContain(SECRET)
  expect(handler.handled[0]?.headers).toMatchObject({ 'bnpl-event': 'new_lead', 'bnpl-confirmed': 'false' })
})

test.concurrent('a redirect of the handler is not followed: it is a failure, tried again, then set aside [row 65]', async () => {
  const handler = await handlerOf(() => 302)
  const listener = await startHere({ args: ['--forward-to', handler.url, '--forward-attempts', '2'] })
  await deliver(listener)
  await until(() => listener.stderr().includes('set aside after 2 attempts'))
  expect(handler.handled.map(({ path }) => path)).toEqual(['/hook', '/hook'])
})

test('a slow, failing or absent handler delays no acknowledgement, and gets all events in order afterwards [row 64]', async () => {
  let released = false
  const handler = await handlerOf(async (_, count) => {
    if (count === 1) return 0
    if (count === 2) return 500
    await until(() => released)
    return 200
  })
  const listener = await startHere({ args: ['--forward-to', handler.url] })
  const started = performance.now()
  for (let i = 0; i < 50; i++) expect((await deliver(listener, { eventId: `e${i}` })).status).toBe(200)
  // The handler never answers the third event. An acknowledgement that waited for the handler would take far longer.
  expect(performance.now() - started).toBeLessThan(30_000)
  await until(() => handler.handled.length === 3)
  expect(new Set(handler.ids())).toEqual(new Set(['e0']))
  await handler.stop()
  released = true
  await until(
    () =>
      listener.stderr().includes('nothing answers at the address') ||
      listener.stderr().includes('the connection was cut off'),
  )
  await handler.start()
  await until(() => handler.ids().includes('e49'))
  const order = handler.ids().filter((id, i, all) => all.indexOf(id) === i)
  expect(order).toEqual(Array.from({ length: 50 }, (_, i) => `e${i}`))
})

test('events that arrive while the handler is down are delivered in order when the handler is back [row 64]', async () => {
  const handler = await handlerOf()
  await handler.stop()
  const listener = await startHere({ args: ['--forward-to', handler.url] })
  const data = 'x'.repeat(900_000)
  for (let i = 0; i < 20; i++) expect((await deliver(listener, { eventId: `e${i}`, data })).status).toBe(200)
  await until(() => listener.stderr().includes('nothing answers at the address'))
  await handler.start()
  await until(() => handler.ids().includes('e19'))
  expect(handler.ids()).toEqual(Array.from({ length: 20 }, (_, i) => `e${i}`))
})

test.concurrent('events that a killed listener did not forward are forwarded by the next listener', async () => {
  const handler = await handlerOf((_, count) => (count === 1 ? undefined : 200))
  const args = ['--forward-to', handler.url]
  const first = await startListener({ args })
  for (const eventId of ['e1', 'e2', 'e3']) await deliver(first, { eventId })
  await until(() => handler.handled.length === 1)
  await first.end('SIGKILL')
  const second = await startListener({ dir: first.dir, args })
  await until(() => handler.ids().includes('e3'))
  expect(handler.ids()).toEqual(['e1', 'e1', 'e2', 'e3'])
  // The third receiver does not forward these events again.
  await second.end('SIGTERM')
  const third = await startListener({ dir: first.dir, args })
  await deliver(third, { eventId: 'e4' })
  await until(() => handler.ids().includes('e4'))
  expect(handler.ids().slice(4)).toEqual(['e4'])
})

test.concurrent('while a proxy reports that the handler is away, events wait in order; only refused events are set aside [attack 13]', async () => {
  let statuses = [503, 429]
  const handler = await handlerOf(({ eventId }) => statuses.shift() ?? (eventId === 'poison' ? 422 : 200))
  const listener = await startHere({
    args: ['--forward-to', handler.url, '--forward-attempts', '1', '--metrics-port', '0'],
  })
  const ids = ['e1', 'poison', 'e2', 'e3']
  for (const eventId of ids) expect((await deliver(listener, { eventId })).status).toBe(200)
  await until(() => handler.ids().includes('e3'))
  expect(handler.ids()).toEqual(['e1', 'e1', ...ids])
  await until(() => listener.stderr().includes('poison is set aside after 1 attempt (answered 422)'))
  const said = listener.stderr()
  expect(said).toMatch(
    /^! the handler http:\S+ is not available \(answered 50\d\): e1 and the later events will be forwarded in order/m,
  )
  expect(said).toMatch(/^! the handler http:\S+ is available again$/m)
  expect(said.match(/is set aside/g)).toEqual(['is set aside'])
  const { metricsUrl } = JSON.parse(readFileSync(join(listener.dir, 'ready.json'), 'utf8'))
  const counts = async () => {
    const metrics = await (await fetch(metricsUrl)).text()
    const count = (result: string) =>
      Number(new RegExp(`forwards_total\\{result="${result}"\\} (\\d+)`).exec(metrics)?.[1])
    return ['delivered', 'away', 'refused', 'set-aside', 'no-answer'].map(count)
  }
  // The handler has the last event before the receiver has the handler's answer.
  await until(async () => (await counts()).join() === '3,2,0,1,0')

  // The inbox is now in a database, where another receiver may forward between two attempts.
  await using database = await createDatabase()
  statuses = [502, 504, 503, 502]
  const shared = await startHere({
    args: ['--forward-to', handler.url, '--forward-attempts', '1', '--database', database.url],
  })
  for (const eventId of ['s1', 's2']) await deliver(shared, { eventId })
  await until(() => handler.ids().includes('s2'))
  expect(handler.ids().slice(6)).toEqual(['s1', 's1', 's1', 's1', 's1', 's2'])
  expect(shared.stderr()).not.toContain('set aside')
})

test.concurrent('Retry-After of the handler is respected [attack 13]', async () => {
  const at: number[] = []
  const handler = await handlerOf(
    (_, count) => {
      at.push(performance.now())
      return count === 1 ? 503 : 200
    },
    { 'retry-after': '2' },
  )
  const listener = await startHere({ args: ['--forward-to', handler.url] })
  await deliver(listener)
  await until(() => handler.handled.length === 2)
  expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(2000)
})

test.concurrent('an event that the handler keeps refusing is set aside, kept, and delays no later event', async () => {
  const handler = await handlerOf(({ eventId }) => (eventId === 'poison' ? 422 : 200))
  const listener = await startHere({ args: ['--forward-to', handler.url, '--forward-attempts', '2'] })
  await deliver(listener, { eventId: 'poison' })
  await deliver(listener, { eventId: 'good' })
  await until(() => handler.ids().includes('good'))
  expect(handler.ids()).toEqual(['poison', 'poison', 'good'])
  await until(() => listener.stderr().includes('bnpl webhooks events replay poison'))
})

test.concurrent('a handler that closes each connection without notice gets every event once, and no event is set aside', async () => {
  const handler = await startClosingHandler()
  handlers.push(handler)
  const listener = await startHere({
    args: ['--forward-to', handler.url, '--forward-attempts', '1', '--until', '5'],
  })
  for (let i = 1; i <= 5; i++) await deliver(listener, { eventId: `e${i}` })
  expect(await listener.ended).toBe(0)
  expect(handler.handled).toEqual(Array.from({ length: 5 }, (_, i) => ({ eventId: `e${i + 1}`, attempt: '1' })))
  expect(listener.stderr()).not.toContain('set aside')
})

test.concurrent('without --forward-to no event is queued for a later handler', async () => {
  const first = await startHere()
  await deliver(first, { eventId: 'before' })
  await first.end('SIGTERM')
  const handler = await handlerOf()
  const second = await startHere({ dir: first.dir, args: ['--forward-to', handler.url] })
  await deliver(second, { eventId: 'after' })
  await until(() => handler.ids().includes('after'))
  expect(handler.ids()).toEqual(['after'])
})

test.concurrent('--no-print forwards events without printing, and the next listener does not print these events either', async () => {
  const handler = await handlerOf()
  const listener = await startHere({ args: ['--no-print', '--forward-to', handler.url, '--until', '2'] })
  await deliver(listener, { eventId: 'e1', data: { rut: 'canary' } })
  await deliver(listener, { eventId: 'e2', data: { rut: 'canary' } })
  expect(await listener.ended).toBe(0)
  expect(handler.ids()).toEqual(['e1', 'e2'])
  expect(listener.stdout()).toBe('')
  expect(listener.stderr()).not.toContain('canary')
  const next = await startHere({ dir: listener.dir, args: ['--until', '1'] })
  await deliver(next, { eventId: 'e3' })
  expect(await next.ended).toBe(0)
  expect(next.events().map(({ eventId }) => eventId)).toEqual(['e3'])
})

test.concurrent('a listener that cannot bind its port forwards no event, and the next listener forwards each event once', async () => {
  const handler = await handlerOf()
  await handler.stop()
  const args = ['--forward-to', handler.url]
  const first = await startHere({ args })
  for (const eventId of ['e0', 'e1']) await deliver(first, { eventId })
  expect(await first.end('SIGTERM')).toBe(143)
  await handler.start()
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const second = await startHere({ args: [...args, '--port', String(port)], dir: first.dir, unready: true })
  expect(await second.ended).toBe(3)
  taken.close()
  expect(second.stdout()).toBe('')
  expect(handler.ids()).toEqual([])
  await startHere({ args, dir: first.dir })
  await until(() => handler.ids().includes('e1'))
  expect(handler.ids()).toEqual(['e0', 'e1'])
})
