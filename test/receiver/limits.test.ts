import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../src/receiver/server.ts'
import { WAIT_MS } from '../kit/limits.ts'
import { cleanUp, deliver, deliverAll, type Listener, startHere, startListener, until } from './listener.ts'

const HEAD = 'POST /webhooks HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n'

interface Slow {
  socket: Socket
  answer: string
  /** Resolves with the milliseconds until the connection was cut. */
  closed: Promise<number>
}

/** Opens a connection that sends `start`, and then a byte of `drip` every 100 ms. */
function drip(port: number, start: string, drip: string): Slow {
  const started = performance.now()
  const socket = connect(port, '127.0.0.1')
  const slow: Slow = { socket, answer: '', closed: Promise.resolve(0) }
  let timer: NodeJS.Timeout
  socket.on('connect', () => {
    socket.write(start)
    timer = setInterval(() => socket.write(drip), 100)
  })
  socket.on('data', (chunk) => {
    slow.answer += chunk
  })
  socket.on('error', () => {})
  slow.closed = new Promise((resolve) =>
    socket.on('close', () => {
      clearInterval(timer)
      resolve(performance.now() - started)
    }),
  )
  return slow
}

const rss = (pid: number) => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

describe('one listener under attack', () => {
  let listener: Listener
  beforeAll(async () => {
    listener = await startHere()
  })
  afterAll(cleanUp)

  test('500 slow clients are cut within 2.5 s with a 408, and deliveries go through meanwhile [row 61]', async () => {
    const slow = Array.from({ length: 500 }, (_, i) =>
      i % 2
        ? drip(listener.port, `${HEAD}X-A: `, 'a')
        : drip(listener.port, `${HEAD}Content-Length: 5000\r\n\r\n`, 'a'),
    )
    const times: number[] = []
    for (let i = 0; i < 30; i++) {
      const started = performance.now()
      expect((await deliver(listener, { eventId: `good-${i}` })).status).toBe(200)
      times.push(performance.now() - started)
    }
    expect(Math.max(...times)).toBeLessThan(WAIT_MS)
    const closed = await Promise.all(slow.map(async (each) => each.closed))
    // The listener cuts by its own clock, and a busy machine may add to the time that the test measures. The clients would never stop.
    expect(Math.max(LIMITS.headersMs, LIMITS.requestMs) + LIMITS.checkMs).toBeLessThanOrEqual(2500)
    expect(Math.max(...closed)).toBeLessThan(WAIT_MS)
    const cut = slow.filter(({ answer }) => answer.startsWith('HTTP/1.1 408'))
    expect(cut.length).toBeGreaterThan(450)
  })

  test('a body that announces too much or has no end is refused with 413 at 1 MiB, without much more memory [row 62]', async () => {
    const announced = await deliver(listener, { body: '{}', headers: { 'content-length': String(2 ** 30) } }).catch(
      () => null,
    )
    expect(announced?.status).toBe(413)
    const before = rss(listener.pid)
    const socket = connect(listener.port, '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    const closed = new Promise((resolve) => socket.on('close', resolve))
    socket.on('error', () => {})
    socket.write(`${HEAD}Service-Signature: 00\r\nTransfer-Encoding: chunked\r\n\r\n`)
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
    let sent = 0
    // More than the memory that is allowed below. Without a bound, the two processes would pass gigabytes on until the time is over.
    const pump = () => {
      while (sent < 260 * 1024 * 1024 && !socket.destroyed && socket.write(chunk)) sent += 65_536
    }
    socket.on('drain', pump)
    pump()
    await closed
    expect(answer).toMatch(/^HTTP\/1.1 413/)
    expect(sent).toBeGreaterThan(1024 * 1024)
    // Node frees the memory of refused deliveries when it has time, so a part of what was sent may still be counted.
    expect(rss(listener.pid) - before).toBeLessThan(200)
  })

  test('300 large bodies without an end use limited memory, and a later delivery is accepted [row 62]', async () => {
    const before = rss(listener.pid)
    const body = Buffer.alloc(1024 * 1024 - 1, 'x')
    const flood = Array.from({ length: 300 }, () => {
      const slow = drip(listener.port, `${HEAD}Content-Length: ${1024 * 1024}\r\n\r\n`, '')
      slow.socket.on('connect', () => slow.socket.write(body))
      return slow
    })
    const sawEnd = Promise.all(flood.map(({ closed }) => closed))
    let peak = 0
    let over = false
    void sawEnd.then(() => {
      over = true
    })
    await until(() => {
      peak = Math.max(peak, rss(listener.pid))
      return over
    })
    const answers = flood.map(({ answer }) => answer.slice(9, 12))
    // A delivery is refused as too much (503) or too slow (408). A client that is cut while it sends may not see its answer.
    expect(answers.filter((status) => !['503', '408', ''].includes(status))).toEqual([])
    // The stored bytes, and the bytes that are under way or not yet freed. Without the limit this would be all of the 300 MiB.
    expect(peak - before).toBeLessThan(250)
    expect((await deliver(listener, { eventId: 'after-the-flood' })).status).toBe(200)
  })

  test('a body of exactly 1 MiB is accepted, one byte more is not', async () => {
    const frame = '{"eventId":"large","data":""}'.length
    const large = (size: number) => `{"eventId":"large","data":"${'x'.repeat(size - frame)}"}`
    expect((await deliver(listener, { body: large(1024 * 1024) })).status).toBe(200)
    expect((await deliver(listener, { body: large(1024 * 1024 + 1) })).status).toBe(413)
  })

  test('500 connections at once: none is reset [row 63]', async () => {
    const statuses = await deliverAll(
      listener,
      Array.from({ length: 500 }, (_, i) => ({ eventId: `many-${i}` })),
    )
    expect(statuses.filter((status) => status !== 200)).toEqual([])
  })

  test('a request that is not HTTP gets an error that does not repeat the request, and the connection is closed', async () => {
    for (const text of [
      'garbage\r\n\r\n',
      'POST /webhooks HTTP/9.9\r\n\r\n',
      `${HEAD}X: ${'y'.repeat(40_000)}\r\n\r\n`,
    ]) {
      const slow = drip(listener.port, text, '')
      await slow.closed
      expect(slow.answer).toMatch(/^HTTP\/1.1 4(00|31)/)
      expect(slow.answer).not.toContain('garbage')
    }
  })

  test('healthz answers every client, and reveals nothing', async () => {
    const answer = await deliver(listener, { method: 'GET', path: '/healthz', headers: { host: '10.1.2.3' } })
    expect(answer).toEqual({ status: 200, text: 'ok\n' })
  })
})

describe('starting', () => {
  afterEach(cleanUp)

  test('a low limit of open files is reported at the start [row 63]', async () => {
    const listener = await startListener({ before: 'ulimit -n 80' })
    await expect.poll(() => listener.stderr()).toMatch(/ulimit -n 4096.*at most 48 connections/s)
    expect((await deliver(listener)).status).toBe(200)
    const enough = await startListener({ before: 'ulimit -n 1024' })
    expect(enough.stderr()).not.toContain('ulimit')
  })

  test('when few open files are left, each connection is closed after its answer [row 63]', async () => {
    const listener = await startListener({ before: 'ulimit -n 80' })
    const answer = () =>
      new Promise<string>((resolve) => {
        const slow = drip(listener.port, 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', '')
        slow.socket.on('data', () => {
          resolve(slow.answer.toLowerCase())
          slow.socket.destroy()
        })
        slow.socket.on('close', () => resolve(slow.answer.toLowerCase()))
      })
    expect(await answer()).toContain('connection: keep-alive')
    // Most of the 48 allowed connections stay silent. When the listener cuts one, a new one replaces it.
    const idle = new Set<Socket>()
    const fill = () => {
      while (idle.size < 42) {
        const socket = connect(listener.port, '127.0.0.1')
        idle.add(socket.on('error', () => {}).on('close', () => idle.delete(socket)))
      }
    }
    await until(async () => {
      fill()
      return (await answer()).includes('connection: close')
    })
    for (const socket of idle) socket.destroy()
    await until(async () => (await answer()).includes('connection: keep-alive'))
  })

  test('a port that is taken, and an address that is not ours, end with 3 [row 69]', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const taken = await startHere({ args: ['--port', String(port)], unready: true })
    expect(await taken.ended).toBe(3)
    await expect.poll(() => taken.stderr()).toContain(`port ${port} on 127.0.0.1 is taken`)
    server.close()
    const elsewhere = await startHere({ args: ['--host', '192.0.2.1'], unready: true })
    expect(await elsewhere.ended).toBe(3)
  })

  test('without --host the listener accepts only this machine, and --public-host adds a host name [row 69]', async () => {
    const listener = await startHere({ args: ['--public-host', 'shop.example'] })
    expect(new URL(listener.url).hostname).toBe('127.0.0.1')
    expect((await deliver(listener, { headers: { host: 'shop.example' } })).status).toBe(200)
    expect((await deliver(listener, { headers: { host: 'SHOP.example:443' } })).status).toBe(200)
    expect((await deliver(listener, { headers: { host: 'evil.example' } })).status).toBe(421)
    const open = await startHere({ args: ['--host', '0.0.0.0'] })
    expect((await deliver(open, { headers: { host: `10.0.0.7:${open.port}` } })).status).toBe(200)
    expect((await deliver(open, { headers: { host: 'evil.example' } })).status).toBe(421)
  })

  test.each([
    ['--scheme both', 2],
    ['--path webhooks', 2],
    ['--forward-to ftp://x', 2],
    ['--until 0', 2],
    ['--public-host shop.example:8443', 2],
    ['--public-host https://shop.example', 2],
    ['--public-host *', 2],
    ['--public-url http://shop.example/x', 2],
    ['-o csv', 2],
    ['--dry-run', 2],
    ['--ready-file /no/such/folder/ready', 3],
  ])('with %s is refused with %i', async (args, code) => {
    const { machine } = await import('../kit/harness.ts')
    using m = machine()
    const ran = await m.run(`webhooks listen --port 0 ${args}`, { env: { BNPL_WEBHOOK_SECRET: 'x' } })
    expect(ran.code).toBe(code)
  })
})
