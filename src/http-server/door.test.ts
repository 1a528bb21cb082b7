import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openDoor, resetConnection } from './door.ts'

type DoorPlan = Parameters<typeof openDoor>[0]

const LIMITS = { headersMs: 2000, requestMs: 2000, checkMs: 500, keepAliveMs: 2000, headBytes: 8192 }

/** Opens a server that answers 200 with an empty body. */
async function open(more: Partial<DoorPlan> = {}) {
  const door = await openDoor({
    host: '127.0.0.1',
    port: 0,
    hosts: [],
    limits: LIMITS,
    handle: ({ response, hostRefusal }) => response.writeHead(hostRefusal || 200).end(),
    onError: (error) => expect.fail(String(error)),
    ...more,
  })
  onTestFinished(() => door.close())
  return door
}

async function statusOf(port: number, host: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  const [data] = await once(socket, 'data')
  socket.destroy()
  return String(data).split(' ')[1] ?? ''
}

test('the port of the Host header must equal the bound port, even if port 0 was requested', async () => {
  const { port } = await open()
  expect(await statusOf(port, `127.0.0.1:${port}`)).toBe('200')
  expect(await statusOf(port, `127.0.0.1:${port + 1}`)).toBe('421')
})

test('a taken port is an error that names the option, or the error of Node if no option chose the port', async () => {
  const { port } = await open()
  await expect(open({ port, optionPrefix: 'metrics-' })).rejects.toMatchObject({
    kind: 'config',
    code: 'PORT_TAKEN',
    hint: expect.stringContaining('--metrics-port'),
  })
  await expect(open({ port })).rejects.toMatchObject({ code: 'EADDRINUSE', syscall: 'listen' })
})

test('with a limit of connections a new one replaces the oldest', async () => {
  const door = await open({ limits: { ...LIMITS, connections: 2 } })
  const sockets = []
  for (let i = 0; i < 3; i++) {
    const socket = connect(door.port, '127.0.0.1')
    await once(socket, 'connect')
    sockets.push(socket)
  }
  await once(sockets[0]!, 'close')
  expect(door.connections()).toBe(2)
})

test('a handler that throws is reported, and its connection is cut', async () => {
  const faults: unknown[] = []
  const fault = new TypeError('a fault of the test')
  const door = await open({
    handle: () => {
      throw fault
    },
    onError: (error) => faults.push(error),
  })
  const socket = connect(door.port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  await once(socket, 'close')
  expect(faults).toEqual([fault])
})

test('closing with a signal lets a running answer finish; closing without a signal cuts the connections at once', async () => {
  const handled = Promise.withResolvers<() => void>()
  const door = await open({ handle: ({ response }) => handled.resolve(() => response.end('late')) })
  const socket = connect(door.port, '127.0.0.1')
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n')
  const end = await handled.promise
  const closed = door.close(new AbortController().signal)
  end()
  await closed
  await expect.poll(() => answer).toContain('late')

  const other = await open({ handle: () => {} })
  const stuck = connect(other.port, '127.0.0.1')
  stuck.on('error', () => {})
  stuck.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  await expect.poll(() => other.connections()).toBe(1)
  await other.close()
  await expect.poll(() => other.connections()).toBe(0)
})

/** Blocks this thread, as a stopped process does. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('a request that arrived while the process was held up is answered, though its time limit has passed', async () => {
  const { port, connections } = await open({ limits: { ...LIMITS, headersMs: 500, requestMs: 500, checkMs: 25 } })
  const socket = connect(port, '127.0.0.1')
  const answer = once(socket, 'data')
  while (connections() === 0) await turn()
  socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  block(600)
  expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 200 /)
  // The limits hold again afterwards.
  const slow = connect(port, '127.0.0.1')
  slow.write('GET / HTTP/1.1\r\n')
  expect(String((await once(slow, 'data'))[0])).toMatch(/^HTTP\/1\.1 408 /)
  for (const each of [socket, slow]) each.destroy()
})

test.each<[when: string, close: (socket: Socket) => void]>([
  ['open', (socket) => resetConnection(socket)],
  [
    'ending',
    (socket) => {
      socket.end()
      resetConnection(socket)
    },
  ],
  [
    'ending with data that nobody reads',
    (socket) => {
      socket.end(Buffer.alloc(10_000_000))
      resetConnection(socket)
      setImmediate(() => resetConnection(socket))
    },
  ],
  [
    'reset twice',
    (socket) => {
      resetConnection(socket)
      resetConnection(socket)
    },
  ],
  [
    'reset and destroyed',
    (socket) => {
      resetConnection(socket)
      process.nextTick(() => socket.destroy())
    },
  ],
  ['closed', (socket) => socket.once('close', () => resetConnection(socket)).destroy()],
])('a connection that is %s is closed by a reset', async (_, close) => {
  const closed = Promise.withResolvers<void>()
  const { port, connections } = await open({
    handle({ request }) {
      request.socket.once('close', closed.resolve)
      request.resume().once('end', () => close(request.socket))
    },
  })
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.pause().end(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  await closed.promise
  expect(connections()).toBe(0)
  socket.destroy()
})
