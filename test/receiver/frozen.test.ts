import { execFileSync } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'
import { createDatabase } from '../kit/postgres.ts'
import { startStuckProxy } from '../kit/stuck-proxy.ts'
import { startHandler } from './handler.ts'
import { cleanUp, deliver, type Listener, startListener, until } from './listener.ts'

// Both tests wait for seconds until a session ends, so they run at the same time.
afterAll(cleanUp)

const stored = async (to: Listener, eventId: string) =>
  until(async () => (await deliver(to, { eventId })).status === 200)
const emittedBy = (...listeners: Listener[]) =>
  new Set(listeners.flatMap((each) => each.events().map(({ eventId }) => eventId)))

test.concurrent('a receiver stopped by SIGSTOP loses its destination within seconds, and forwards no old event afterwards [database 2]', async () => {
  await using database = await createDatabase()
  const gates = new Map(['gate', 'e1'].map((id) => [id, Promise.withResolvers<void>()]))
  const handler = await startHandler(async ({ eventId }) => {
    const gate = gates.get(eventId)
    gates.delete(eventId)
    await gate?.promise
    return 200
  })
  const open = [...gates.values()]
  const args = ['--forward-to', handler.url]
  const env = { BNPL_DATABASE: database.url }
  const first = await startListener({ args, env })
  await stored(first, 'gate')
  await until(() => handler.handled.length === 1)
  const second = await startListener({ args, env })
  // These events arrive while the receiver waits for the handler. It reads them all at once, and is stopped with the first.
  for (const eventId of ['e1', 'e2', 'e3', 'e4', 'e5']) await stored(first, eventId)
  open[0]?.resolve()
  await until(() => handler.ids().includes('e1'))
  first.child.kill('SIGSTOP')
  await until(() => execFileSync('ps', ['-o', 'state=', '-p', String(first.pid)], { encoding: 'utf8' }).startsWith('T'))
  // When the receiver continues, it finds this answer first, before it learns that its session was lost.
  open[1]?.resolve()
  await stored(second, 'e6')
  await until(() => handler.ids().includes('e6'))
  expect(handler.ids()).toEqual(['gate', 'e1', 'e1', 'e2', 'e3', 'e4', 'e5', 'e6'])

  first.child.kill('SIGCONT')
  await stored(first, 'e7')
  await until(() => handler.ids().includes('e7'))
  expect(handler.ids().slice(8)).toEqual(['e7'])
  await until(() => emittedBy(first, second).size === 8)
  expect(await first.end('SIGTERM')).toBe(143)
  expect(await second.end('SIGTERM')).toBe(143)
  await handler.stop()
})

test.concurrent('a receiver with a blocked database connection loses its destination to another within seconds, and has a new session afterwards [database 2]', async () => {
  await using database = await createDatabase()
  const direct = new URL(database.url)
  await using proxy = await startStuckProxy(Number(direct.port))
  const handler = await startHandler()
  const args = ['--forward-to', handler.url]
  const through = database.url.replace(`:${direct.port}/`, `:${proxy.port}/`)
  const first = await startListener({ args, env: { BNPL_DATABASE: through } })
  await stored(first, 'e1')
  await until(() => handler.ids().includes('e1'))
  const second = await startListener({ args, env: { BNPL_DATABASE: database.url } })
  proxy.freeze()
  await stored(second, 'e2')
  expect((await deliver(first, { eventId: 'lost' })).status).toBe(503)
  await until(() => handler.ids().includes('e2'))
  proxy.thaw()
  await stored(first, 'e3')
  await until(() => handler.ids().includes('e3'))
  expect(handler.ids()).toEqual(['e1', 'e2', 'e3'])
  await until(() => first.stderr().includes('is back after'))
  await handler.stop()
})
