import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { realClock } from '../../test/kit/harness.ts'
import { deliver, ON_LOOPBACK } from '../../test/receiver/listener.ts'
import { sign } from '../domain/signature.ts'
import { BnplError, ClosedPipe } from '../errors.ts'
import { bugChannel, watchedInbox } from './bug-channel.ts'
import type { Happening } from './delivery.ts'
import { openInbox } from './file/inbox.ts'
import { FORWARD_PAUSES } from './forwarding/forwarder.ts'
import type { Inbox } from './inbox.ts'
import { type ReceiverOptions, selfTest, startReceiver } from './receiver.ts'
import type { VerifierOptions } from './verification/verifier.ts'

const fault = () => new TypeError('a fault of the test')
const failing = () => Promise.reject(fault())

async function openOwn(): Promise<Inbox> {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-faults-'))
  const inbox = await openInbox(dir)
  onTestFinished(async () => {
    await inbox.close()
    rmSync(dir, { recursive: true, force: true })
  })
  return inbox
}

/** A real receiver with one part that fails. */
async function start(change: (inbox: Inbox) => Partial<ReceiverOptions>) {
  const faults: unknown[] = []
  const happenings: Happening[] = []
  const inbox = await openOwn()
  const receiver = await startReceiver({
    ...ON_LOOPBACK,
    inbox,
    emit: async (events) => ({ taken: events.length, more: true }),
    observe: (happening) => happenings.push(happening),
    onError: (error) => faults.push(error),
    ...change(inbox),
  })
  onTestFinished(() => receiver.close(0).catch(() => {}))
  return { faults, happenings, url: `http://127.0.0.1:${receiver.port}/webhooks` }
}

const forward = (transport: NonNullable<ReceiverOptions['forward']>['target']['transport'], onResult = () => {}) => ({
  target: { url: 'http://127.0.0.1:1/', transport, clock: realClock, timeoutMs: 1000, userAgent: 'test' },
  retry: { ...FORWARD_PAUSES, attempts: 8 },
  random: () => 0.5,
  onResult,
})
const taken = async () => ({ status: 200, headers: {}, body: new Uint8Array() })

test.each<[string, (inbox: Inbox) => Partial<ReceiverOptions>]>([
  ['storing', (inbox) => ({ inbox: { ...inbox, commit: failing } })],
  [
    'observing',
    () => ({
      observe: () => {
        throw fault()
      },
    }),
  ],
  ['writing out', () => ({ emit: failing })],
  ['handing on', () => ({ forward: forward(failing) })],
  [
    'showing what the handler said',
    () => ({
      forward: forward(taken, () => {
        throw fault()
      }),
    }),
  ],
  ['reading what waits', (inbox) => ({ inbox: { ...inbox, waiting: failing }, forward: forward(taken) })],
  [
    'looking at a secret',
    () => ({
      secrets: {
        current: () => {
          throw fault()
        },
        refresh: async () => false,
      },
    }),
  ],
  [
    'looking again at the secrets',
    () => ({ secrets: { current: () => ['another'], refresh: () => Promise.reject(fault()) } }),
  ],
])('a fault in %s is reported [row 112]', async (_, change) => {
  const { url, faults } = await start(change)
  await deliver({ url })
  await expect.poll(() => faults.length).toBeGreaterThan(0)
  expect(faults[0]).toBeInstanceOf(TypeError)
})

test('a fault in the listener’s own test delivery is reported [row 112]', async () => {
  const { url, faults } = await start((inbox) => ({ inbox: { ...inbox, probe: failing } }))
  expect(await deliver({ url }, { eventId: 'own' })).toMatchObject({ status: 503 })
  expect(faults).toEqual([fault()])
})

test('a failing observer does not prevent the acknowledgements of a batch [row 112]', async () => {
  const { url, faults } = await start(() => ({
    observe: () => {
      throw fault()
    },
  }))
  const all = await Promise.all(Array.from({ length: 20 }, (_, i) => deliver({ url }, { eventId: `e${i}` })))
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
  expect(faults).toHaveLength(20)
})

test('a fault after an acknowledgement stops neither the answer nor the next write [row 112]', async () => {
  let isStored = false
  const { url, faults } = await start((inbox) => ({
    inbox: {
      ...inbox,
      commit: async (...given) => {
        const recorded = await inbox.commit(...given)
        isStored = true
        return recorded
      },
    },
    clock: {
      ...realClock,
      monotonic() {
        if (isStored) throw fault()
        return realClock.monotonic()
      },
    },
  }))
  expect(await deliver({ url }, { eventId: 'e1' })).toMatchObject({ status: 200 })
  expect(faults).toEqual([fault()])
  isStored = false
  expect(await deliver({ url }, { eventId: 'e2' })).toMatchObject({ status: 200 })
})

test('a full disk is reported and is not a fault [row 112]', async () => {
  const full = new BnplError('output', 'the disk is full')
  const { url, faults, happenings } = await start((inbox) => ({
    inbox: { ...inbox, commit: () => Promise.reject(full) },
  }))
  expect(await deliver({ url })).toMatchObject({ status: 503 })
  await expect.poll(() => happenings.map(({ what }) => what)).toEqual(['unacknowledged', 'not-stored'])
  expect(faults).toEqual([])
})

test('the fault channel rejects with the first error, and rethrow throws only faults of the program [row 112]', async () => {
  const channel = bugChannel()
  channel.report(new ClosedPipe())
  channel.report(fault())
  channel.report(new RangeError('later'))
  await expect(channel.raised).rejects.toBeInstanceOf(ClosedPipe)
  expect(() => channel.rethrow()).toThrow(TypeError)
  const foreseen = bugChannel()
  foreseen.report(new ClosedPipe())
  foreseen.rethrow()
})

test('every method of the inbox reports a fault and still throws the fault [row 112]', async () => {
  const inbox = await openOwn()
  const methods = Object.entries(watchedInbox(inbox, () => {}))
    .filter(([name, value]) => typeof value === 'function' && !['holds', 'watch'].includes(name))
    .map(([name]) => name)
  expect(methods.sort()).toEqual(
    Object.keys(inbox)
      .filter((name) => !['shared', 'holds', 'watch'].includes(name))
      .sort(),
  )
  const broken = { ...inbox, ...Object.fromEntries(methods.map((name) => [name, failing])) }
  for (const name of methods) {
    const reported: unknown[] = []
    const watched = watchedInbox(broken, (error) => reported.push(error))
    await expect(Reflect.get(watched, name)()).rejects.toThrow('a fault of the test')
    expect([name, reported]).toEqual([name, [fault()]])
  }
})

test('an expected error such as a full disk is thrown by the inbox, and not reported as a fault [row 112]', async () => {
  const full = new BnplError('output', 'the disk is full')
  const reported: unknown[] = []
  const watched = watchedInbox({ ...(await openOwn()), probe: () => Promise.reject(full) }, (error) =>
    reported.push(error),
  )
  await expect(watched.probe()).rejects.toBe(full)
  expect(reported).toEqual([])
})

test('a delivery without a signature is answered 401 before its body arrives, if the body has no declared length', async () => {
  const { url, happenings } = await start(() => ({}))
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname)
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nTransfer-Encoding: chunked\r\n`
  socket.write(`${head}\r\n`)
  let answer = ''
  for await (const bytes of socket) answer += bytes
  // The connection is cut at the time limit, without a second answer.
  expect(answer).toMatch(/^HTTP\/1\.1 401 /)
  expect(answer).not.toContain('408')
  expect(happenings).toMatchObject([{ what: 'unverified', why: 'missing' }])
})

const SIGNATURE = { algorithm: 'sha256', encoding: 'hex' } as const
const SECRETS = ['the-newest-secret', 'an-older-secret']

/** A receiver that answers with a status or not at all, and the requests that it received. */
async function receiver(given: number | undefined | ((nth: number) => number | undefined), host = '127.0.0.1') {
  const got: { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const nth = got.push({ method: request.method, url: request.url, headers: request.headers, body })
      const status = typeof given === 'function' ? given(nth) : given
      if (status !== undefined) response.writeHead(status).end('x'.repeat(1000))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { got, port: (server.address() as AddressInfo).port }
}

const send = (
  host: string,
  port: number,
  scheme: VerifierOptions['scheme'] = 'hmac',
  secrets = SECRETS,
  timeMs = 60_000,
) =>
  selfTest({
    timeMs,
    host,
    port,
    path: '/hooks/mine',
    id: 'own-id',
    scheme,
    signature: SIGNATURE,
    secrets: { current: () => secrets, refresh: async () => false },
  })

test('the own test delivery is posted to the receiver’s path, signed with the newest secret, on a new connection', async () => {
  const { got, port } = await receiver(200)
  await send('127.0.0.1', port)
  const body = '{"eventId":"own-id","data":null}'
  expect(got).toMatchObject([
    {
      method: 'POST',
      url: '/hooks/mine',
      body,
      headers: {
        'content-type': 'application/json',
        'content-length': String(body.length),
        connection: 'close',
        'service-signature': sign(Buffer.from(body), 'the-newest-secret', SIGNATURE),
      },
    },
  ])
  expect(got[0]?.headers['service-webhook-secret']).toBeUndefined()
})

test('under the token scheme the test delivery carries the newest token and no signature', async () => {
  const { got, port } = await receiver(200)
  await send('127.0.0.1', port, 'token')
  expect(got[0]?.headers).toMatchObject({ 'service-webhook-secret': 'the-newest-secret' })
  expect(got[0]?.headers['service-signature']).toBeUndefined()
})

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
  ['::1', '::1'],
])('the test delivery to a receiver on %s is sent to %s', async (host, address) => {
  const { got, port } = await receiver(200, address)
  await send(host, port)
  expect(got).toHaveLength(1)
})

test.each([
  [503, 'Check the disk of the state folder, or the database, because no delivery can be stored.'],
  [401, 'Check that --host is an address of this machine.'],
  [201, 'Check that --host is an address of this machine.'],
])('an answer of %i to the test delivery is an error with a hint', async (status, hint) => {
  const { port } = await receiver(status)
  await expect(send('127.0.0.1', port)).rejects.toMatchObject({
    kind: 'config',
    code: 'SELF_TEST',
    message: `the listener's own test delivery was not acknowledged (${status})`,
    hint,
  })
})

test('an unreachable receiver is an error with the error code of the system', async () => {
  const { port } = await receiver(200)
  // Nothing listens on another loopback address of this port.
  await expect(send('127.0.0.2', port)).rejects.toMatchObject({
    message: "the listener's own test delivery was not acknowledged (ECONNREFUSED)",
    hint: 'Check that --host is an address of this machine.',
  })
})

test('a receiver that answers no test delivery in time is an error, and one that answers the third is not', async () => {
  const silent = await receiver(undefined)
  await expect(send('127.0.0.1', silent.port, 'hmac', SECRETS, 50)).rejects.toMatchObject({
    message: "the listener's own test delivery was not acknowledged (no answer within 3 s)",
    hint: 'Check the disk of the state folder, or the database, because the listener did not answer 3 test deliveries in time.',
  })
  const late = await receiver((nth) => (nth < 3 ? undefined : 200))
  await send('127.0.0.1', late.port, 'hmac', SECRETS, 400)
  expect(late.got).toHaveLength(3)
})
