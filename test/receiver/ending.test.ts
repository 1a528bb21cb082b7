import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openInbox } from '../../src/receiver/file/inbox.ts'
import { lastingPort } from '../kit/lasting-port.ts'
import { startHandler } from './handler.ts'
import { batch, result } from './inbox-kit.ts'
import { cleanUp, deliver, folder, type Listener, startHere, startListener, until } from './listener.ts'

const closers: (() => void)[] = []
// The tests of this file mostly wait, so they run at the same time. What they have started is ended after the last test.
afterAll(async () => {
  await cleanUp()
  for (const close of closers.splice(0)) close()
})

/** Starts the service, with the calls that a listener makes. */
async function service({ deleteMs = 0, secret = 'from-the-201' as string | null } = {}) {
  const waits = { deleteMs }
  const destinations: { id: string; url: string; verificationScheme: string }[] = []
  const calls: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      calls.push(`${request.method} ${request.url}`)
      const send = (status: number, data: unknown) => response.writeHead(status).end(JSON.stringify({ data }))
      if (request.method === 'GET') return send(200, destinations)
      if (request.method === 'DELETE') {
        setTimeout(() => {
          const at = destinations.findIndex(({ id }) => request.url?.endsWith(`/${id}`))
          if (at >= 0) destinations.splice(at, 1)
          send(at < 0 ? 404 : 200, {})
        }, waits.deleteMs)
        return
      }
      const made = {
        id: `w${calls.length}`,
        url: String(new URLSearchParams(body).get('url')),
        verificationScheme: request.url?.endsWith('subscription') ? 'token' : 'hmac',
      }
      destinations.push(made)
      send(201, secret === null ? made : { ...made, secret })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    destinations,
    calls,
    waits,
    env: { BNPL_BASE_URL: `http://127.0.0.1:${port}`, BNPL_API_KEY: 'key-of-the-test', BNPL_WEBHOOK_SECRET: '' },
  }
}

const PUBLIC = ['--public-url', 'https://abc.tunnel.example/hook']
const portIsFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.on('error', () => resolve(true))
  })

/** The receiver ends after five seconds by its own clock. A busy machine may add to the time that the test measures. */
const SOON_MS = 5000 + 20_000

test.concurrent.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)(
  '%s ends the listener with %i within 5 s, with the port free and all events printed [row 101]',
  async (signal, code) => {
    const listener = await startHere({ args: ['--port', String(await lastingPort())] })
    for (let i = 0; i < 20; i++) await deliver(listener, { eventId: `e${i}` })
    const started = performance.now()
    expect(await listener.end(signal)).toBe(code)
    expect(performance.now() - started).toBeLessThan(SOON_MS)
    expect(listener.events()).toHaveLength(20)
    expect(await portIsFree(listener.port)).toBe(true)
    expect(existsSync(join(listener.dir, 'ready.json'))).toBe(false)
  },
)

test.concurrent('a reader of stdout that stops reading does not delay the end, and the next listener prints the other events', async () => {
  const listener = await startListener()
  listener.child.stdout?.pause()
  const data = 'x'.repeat(50_000)
  // More than a pipe and both its ends can store.
  for (let i = 0; i < 20; i++) await deliver(listener, { eventId: `e${i}`, data })
  const exited = once(listener.child, 'exit')
  listener.child.kill('SIGTERM')
  // The pipe still contains a part of the last line, so the signal itself may end the process.
  expect([143, 'SIGTERM']).toContain((await exited).find((each) => each !== null))
  expect(existsSync(join(listener.dir, 'ready.json'))).toBe(false)
  const next = await startListener({ dir: listener.dir })
  await until(() => next.events().some(({ eventId }) => eventId === 'e19'))
})

test.concurrent('a delivery in progress at the signal is still acknowledged [row 101]', async () => {
  const listener = await startHere()
  const body = JSON.stringify({ eventId: 'under-way', data: {} })
  const { sign } = await import('../../src/domain/signature.ts')
  const { SECRET, SIGNATURE } = await import('./listener.ts')
  const socket = connect(listener.port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  const head = `POST /webhooks HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nservice-signature: ${sign(Buffer.from(body), SECRET, SIGNATURE)}\r\nContent-Length: ${body.length}\r\n\r\n`
  await new Promise<void>((resolve) => socket.write(head + body.slice(0, 5), () => resolve()))
  // The answer to a later delivery shows that the head of this one has arrived.
  await deliver(listener, { eventId: 'later' })
  const ended = listener.end('SIGTERM')
  await until(() => portIsFree(listener.port))
  socket.write(body.slice(5))
  await until(() => answer !== '')
  expect(answer).toMatch(/^HTTP\/1.1 200/)
  expect(answer.toLowerCase()).toContain('connection: close')
  expect(await ended).toBe(143)
  expect(listener.events().map(({ eventId }) => eventId)).toContain('under-way')
})

test.concurrent('--until ends the listener with success after that many events, and the next listener prints the other events', async () => {
  // The handler waits, so that the receiver does not end before all four events have arrived.
  const gate = Promise.withResolvers<void>()
  const handler = await startHandler(() => gate.promise.then(() => 200))
  closers.push(() => void handler.stop())
  const listener = await startHere({ args: ['--until', '2', '--forward-to', handler.url] })
  for (const eventId of ['e1', 'e2', 'e3', 'e4']) expect((await deliver(listener, { eventId })).status).toBe(200)
  gate.resolve()
  expect(await listener.ended).toBe(0)
  expect(listener.events()).toHaveLength(2)
  // The later events are not lost: the next receiver begins with them.
  const next = await startHere({ dir: listener.dir, args: ['--until', '2'], unready: true })
  expect(await next.ended).toBe(0)
  expect(new Set([...listener.events(), ...next.events()].map(({ eventId }) => eventId)).size).toBe(4)
})

test.concurrent('--until waits until the handler has the counted events', async () => {
  const handler = await startHandler((_, count) => (count < 3 ? 503 : 200))
  closers.push(() => void handler.stop())
  const listener = await startHere({ args: ['--until', '1', '--forward-to', handler.url] })
  await deliver(listener, { eventId: 'e1' })
  expect(await listener.ended).toBe(0)
  expect(handler.ids()).toEqual(['e1', 'e1', 'e1'])
})

test.concurrent('an event that was replayed while the handler was away is counted by --until, and is not sent again', async () => {
  const handler = await startHandler(() => 503)
  closers.push(() => void handler.stop())
  const listener = await startHere({ args: ['--until', '2', '--forward-to', handler.url] })
  await deliver(listener, { eventId: 'e1' })
  await deliver(listener, { eventId: 'e2' })
  await until(() => handler.ids().length > 0)
  const inbox = await openInbox(join(listener.dir, 'state'))
  await inbox.commit(batch([], { forwards: [result(2, 'delivered'), result(1, 'delivered')] }))
  await inbox.close()
  expect(await listener.ended).toBe(0)
  expect(handler.ids()).not.toContain('e2')
})

test.concurrent('a closed stdout pipe ends the listener with 141, and the next listener prints the received events', async () => {
  const listener = await startListener()
  listener.child.stdout?.destroy()
  let code: Awaited<typeof listener.ended> | undefined
  void listener.ended.then((ended) => {
    code = ended
  })
  // A process that another test starts now may hold the pipe open for a moment. An event is written then without an error, so send more.
  let sent = 0
  const another = () => deliver(listener, { eventId: `e${++sent}` }).catch(() => {})
  await until(async () => {
    if (code === undefined) await another()
    return code !== undefined
  })
  expect(code).toBe(141)
  const next = await startListener({ dir: listener.dir, args: ['--until', '1'], unready: true })
  expect(await next.ended).toBe(0)
  expect(next.events()[0]).toMatchObject({ eventId: expect.stringMatching(/^e\d+$/) })
})

test.concurrent('a full device as stdout does not end a listener, but ends one with --until with 13', async () => {
  const listener = await startListener({ before: 'exec >/dev/full' })
  await deliver(listener, { eventId: 'e1' })
  await until(() => listener.stderr().includes('events cannot be printed'))
  expect((await deliver(listener, { eventId: 'e2' })).status).toBe(200)
  expect(await listener.end('SIGTERM')).toBe(143)
  const waiting = await startListener({
    before: 'exec >/dev/full',
    dir: listener.dir,
    args: ['--until', '1'],
    unready: true,
  })
  expect(await waiting.ended).toBe(13)
})

test.concurrent('--public-url registers when it starts, takes the secret of the 201, and removes it at the end', async () => {
  const s = await service()
  const listener = await startHere({ args: PUBLIC, env: s.env })
  expect(s.destinations).toMatchObject([{ url: 'https://abc.tunnel.example/hook', verificationScheme: 'hmac' }])
  expect(new URL(listener.url).pathname).toBe('/hook')
  const headers = { host: 'abc.tunnel.example' }
  expect((await deliver(listener, { secret: 'from-the-201', headers })).status).toBe(200)
  expect((await deliver(listener, { secret: 'other', headers })).status).toBe(401)
  expect(await listener.end('SIGINT')).toBe(130)
  expect(s.destinations).toEqual([])
  expect(listener.stdout() + listener.stderr()).not.toContain('from-the-201')
})

test.concurrent('--public-url with --scheme token registers a destination with the token scheme', async () => {
  const s = await service()
  const listener = await startHere({ args: [...PUBLIC, '--scheme', 'token'], env: s.env })
  expect(s.destinations).toMatchObject([{ verificationScheme: 'token' }])
  expect(await listener.end('SIGTERM')).toBe(143)
  expect(s.destinations).toEqual([])
})

test.concurrent('neither a second nor a third Ctrl-C stops the removal of the destination', async () => {
  const s = await service({ deleteMs: 700 })
  const listener = await startListener({ args: PUBLIC, env: s.env })
  listener.child.kill('SIGINT')
  await until(() => s.calls.some((call) => call.startsWith('DELETE')))
  listener.child.kill('SIGINT')
  listener.child.kill('SIGINT')
  expect(await listener.ended).toBe(130)
  expect(s.destinations).toEqual([])
})

test.concurrent('a removal without an answer does not delay the end, and both this listener and the next report the destination', async () => {
  const s = await service({ deleteMs: 60_000 })
  const listener = await startHere({ args: PUBLIC, env: s.env })
  const started = performance.now()
  expect(await listener.end('SIGINT')).toBe(130)
  expect(performance.now() - started).toBeLessThan(SOON_MS)
  await until(() => listener.stderr().includes(`bnpl webhooks rm ${s.destinations[0]?.id}`))
  s.waits.deleteMs = 0
  const next = await startHere({ dir: listener.dir, args: PUBLIC, env: { ...s.env, BNPL_WEBHOOK_SECRET: 'known' } })
  expect(s.destinations).toHaveLength(1)
  await until(() => next.stderr().includes('left this destination behind'))
})

test.concurrent('after a kill, a listener with another secret gets a new secret for its destination, and accepts its deliveries', async () => {
  const s = await service()
  const env = { ...s.env, BNPL_WEBHOOK_SECRET: 'known' }
  const first = await startListener({ args: PUBLIC, env })
  const [before] = s.destinations
  await first.end('SIGKILL')
  const second = await startListener({ dir: first.dir, args: PUBLIC, env })
  expect(s.destinations).toHaveLength(1)
  expect(s.destinations[0]?.id).not.toBe(before?.id)
  expect((await deliver(second, { secret: 'from-the-201' })).status).toBe(200)
  await second.end('SIGINT')
  expect(s.destinations).toEqual([])
})

test.concurrent('after a kill, a destination for which the service sent no secret is used with the known secret', async () => {
  const s = await service({ secret: null })
  const env = { ...s.env, BNPL_WEBHOOK_SECRET: 'known' }
  const first = await startListener({ args: PUBLIC, env })
  const [before] = s.destinations
  await first.end('SIGKILL')
  const second = await startListener({ dir: first.dir, args: PUBLIC, env })
  expect(s.destinations).toEqual([before])
  expect((await deliver(second, { secret: 'known' })).status).toBe(200)
  await second.end('SIGINT')
  expect(s.destinations).toEqual([])
})

test.concurrent('a killed listener leaves a destination; the next one registers it again for its secret, and removes it', async () => {
  const s = await service()
  const first = await startListener({ args: PUBLIC, env: s.env })
  await first.end('SIGKILL')
  expect(s.destinations).toHaveLength(1)
  const second = await startListener({ dir: first.dir, args: PUBLIC, env: s.env })
  expect(s.destinations).toHaveLength(1)
  expect((await deliver(second, { secret: 'from-the-201' })).status).toBe(200)
  await second.end('SIGINT')
  expect(s.destinations).toEqual([])
})

test.concurrent('an existing destination is used, and is not removed at the end', async () => {
  const s = await service()
  s.destinations.push({ id: 'w0', url: 'https://ABC.tunnel.example/hook', verificationScheme: 'HMAC' })
  const listener = await startHere({ args: PUBLIC, env: { ...s.env, BNPL_WEBHOOK_SECRET: 'known' } })
  expect((await deliver(listener, { secret: 'known' })).status).toBe(200)
  await listener.end('SIGINT')
  expect(s.destinations).toHaveLength(1)
  expect(s.calls.filter((call) => !call.startsWith('GET'))).toEqual([])
})

test.concurrent('without any secret the listener ends with 3, and no destination remains', async () => {
  const s = await service({ secret: null })
  const listener = await startHere({ args: PUBLIC, env: s.env, unready: true })
  expect(await listener.ended).toBe(3)
  expect(s.destinations).toEqual([])
  await until(() => listener.stderr().includes('BNPL_WEBHOOK_SECRET'))
})

test.concurrent('the ready file appears after the test delivery of the listener, and contains the url, the scheme and the pid', async () => {
  const dir = folder()
  writeFileSync(join(dir, 'ready.json'), 'stale')
  const listener: Listener = await startListener({ dir })
  expect(JSON.parse(readFileSync(join(dir, 'ready.json'), 'utf8'))).toEqual({
    url: listener.url,
    scheme: 'hmac',
    pid: listener.pid,
  })
  // The test delivery that the listener sends to itself is not printed as an event.
  await deliver(listener, { eventId: 'first' })
  await until(() => listener.events().length > 0)
  expect(listener.events().map(({ eventId }) => eventId)).toEqual(['first'])
})
