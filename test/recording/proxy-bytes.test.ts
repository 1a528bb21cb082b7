import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { encodeForm, FORM_TYPE } from '../../src/contract/form.ts'
import { FAULT_KIND_NAMES, faultKind } from '../../src/domain/sandbox-faults.ts'
import { machine } from '../kit/harness.ts'
import { proxied, tcpServer } from '../kit/proxied.ts'
import { FUZZING } from '../kit/seed.ts'
import { whileServed } from '../kit/served.ts'

/** Starts a server that passes bytes on to another server, and collects them: a pair of texts for each connection. */
async function tap(port: () => number) {
  const lines: { sent: string; got: string }[] = []
  const server = await tcpServer((socket) => {
    const line = { sent: '', got: '' }
    lines.push(line)
    const other = connect({ port: port(), host: '127.0.0.1', allowHalfOpen: true })
    const pass = (from: Socket, to: Socket, side: 'sent' | 'got') =>
      from
        .on('data', (bytes: Buffer) => {
          line[side] += bytes.toString('latin1')
          to.write(bytes)
        })
        .on('end', () => to.end())
        .on('error', () => to.destroy())
        .on('close', () => to.destroySoon())
    pass(socket, other, 'sent')
    pass(other, socket, 'got')
  })
  return { ...server, lines }
}

/** Makes calls over kept connections, one after the other on each. @returns their statuses, or a word if the connection was cut */
async function calls(port: number, apiKey: string, count: number): Promise<(number | string)[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const one = (i: number) =>
    new Promise<number | string>((resolve) => {
      const kinds = [
        [
          'POST',
          '/partner/widget/start',
          encodeForm({ amount: '250000', externalTrxId: `T${i}`, entityId: 'x', email: 'ana@mail.example' }),
        ],
        ['GET', '/partner/webhook', undefined],
        ['POST', `/partner/pre-approve/T${i}/loan`, encodeForm({})],
        ['GET', '/partner/nothing', undefined],
        ['HEAD', '/partner/webhook', undefined],
      ] as const
      const [method, path, body] = kinds[i % kinds.length] ?? kinds[1]
      const headers = {
        aUTHORIZATION: `Bearer ${apiKey}`,
        ...(body && { 'Content-Type': FORM_TYPE, ...(i % 2 ? {} : { 'Content-Length': body.length }) }),
        'X-Number': String(i),
      }
      const sent = request({ port, host: '127.0.0.1', agent, method, path, headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.complete ? (answer.statusCode ?? 0) : 'cut'))
        answer.on('error', () => resolve('cut'))
      })
      sent.on('error', () => resolve('cut'))
      if (body) sent.write(body)
      sent.end()
    })
  const statuses = await Promise.all(Array.from({ length: count }, (_, i) => one(i)))
  agent.destroy()
  return statuses
}

/** How many calls are compared. `npm run fuzz` compares more. */
const CALLS = FUZZING ? 10_000 : 200

test(`the proxy passes ${CALLS} calls on kept connections byte for byte in both directions, except the Host header`, async () => {
  using m = machine()
  let sandboxPort = 0
  await using behind = await tap(() => sandboxPort)
  const work = async ({ port, apiKey }: { port: number; apiKey: string }) => {
    sandboxPort = port
    await using proxy = await proxied(behind.port)
    await using before = await tap(() => proxy.port)
    const statuses = await calls(before.port, apiKey, CALLS)
    expect(new Set(statuses)).toEqual(new Set([422, 200, 404]))
    await expect.poll(() => proxy.seen.length).toBe(CALLS)
    // The `Host` header is the only difference: the proxy sends the service's name to the sandbox, and the program sent the proxy's name.
    const named = before.lines.map(({ sent, got }) => ({
      sent: sent.replaceAll(`Host: 127.0.0.1:${before.port}`, `Host: 127.0.0.1:${behind.port}`),
      got,
    }))
    expect(behind.lines.map(({ sent }) => sent).sort()).toEqual(named.map(({ sent }) => sent).sort())
    expect(behind.lines.map(({ got }) => got).sort()).toEqual(named.map(({ got }) => got).sort())
    expect(proxy.seen.map(({ status }) => status).sort()).toEqual([...statuses].sort())
  }
  await whileServed(m, work, `--allow-host 127.0.0.1:${behind.port}`)
})

/** Every fault of a call: the kinds with a name, and combinations of options. */
const FAULTS = [
  ...FAULT_KIND_NAMES.filter((kind) => faultKind(kind).at === 'call').map((kind) =>
    kind === 'slow' ? '--kind slow --delay 50ms' : `--kind ${kind}`,
  ),
  '--truncate 4',
  '--status 429 --retry-after 5s',
  '--status 503',
]

test('a program gets every fault of the service through the proxy exactly as without the proxy', async () => {
  using m = machine()
  expect(FAULTS.length).toBeGreaterThan(16)
  await whileServed(m, async ({ port, apiKey }) => {
    await using proxy = await proxied(port)
    /** Returns the bytes that a program gets, how the connection ends, and whether the program had to wait. */
    const outcome = async (to: number, fault: string) => {
      expect(await m.run(`sandbox fault add listWebhooks ${fault}`)).toMatchObject({ code: 0 })
      const started = performance.now()
      const ending = await new Promise<string>((resolve) => {
        const socket = connect(to, '127.0.0.1')
        let got = ''
        let end = 'closed'
        socket.on('data', (bytes) => {
          got += bytes.toString('latin1')
        })
        socket.on('error', ({ message }) => {
          end = message
        })
        socket.on('close', () => resolve(`${got} | ${end}`))
        socket.write(
          `GET /partner/webhook HTTP/1.1\r\nHost: 127.0.0.1:${to}\r\nAuthorization: Bearer ${apiKey}\r\nConnection: close\r\n\r\n`,
        )
      })
      const waited = fault.includes('--delay') && performance.now() - started >= 50
      return { fault, waited, ending: ending.replace(/^(date|x-request-id): .*$/gim, '') }
    }
    for (const [i, fault] of FAULTS.entries()) {
      expect(await outcome(proxy.port, fault)).toEqual(await outcome(port, fault))
      await expect.poll(() => proxy.seen.length).toBe(i + 1)
    }
  })
})

const MIB = 1024 * 1024
const PIECE = Buffer.alloc(64 * 1024, 'x')

/** Writes bytes as fast as the socket accepts them. @returns a function that returns how many bytes the socket has accepted so far */
function pour(socket: Socket, bytes: number): () => number {
  let left = bytes / PIECE.length
  const write = (): void => {
    while (left > 0) {
      left--
      if (!socket.write(PIECE)) return void socket.once('drain', write)
    }
  }
  write()
  return () => bytes - left * PIECE.length
}

/** Waits until a number no longer changes, and returns it. */
async function settled(count: () => number): Promise<number> {
  for (let before = -1; ; before = count()) {
    if (before === count()) return before
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

test.each(['answer', 'request'])(
  'the proxy passes a large %s only as fast as its reader reads, and does not store the bytes',
  async (side) => {
    const SIZE = 80 * MIB
    const head = `Content-Length: ${SIZE}\r\n\r\n`
    const accepted = Promise.withResolvers<Socket>()
    await using service = await tcpServer((socket) => accepted.resolve(socket))
    await using proxy = await proxied(service.port)
    const program = connect(proxy.port, '127.0.0.1').pause()
    const isUpload = side === 'request'
    program.write(`POST /x HTTP/1.1\r\nHost: 127.0.0.1:${proxy.port}\r\n${isUpload ? head : '\r\n'}`)
    const served = (await accepted.promise).pause()
    const [writer, reader] = isUpload ? [program, served] : [served, program]
    if (!isUpload) writer.write(`HTTP/1.1 200 OK\r\n${head}`)
    const poured = pour(writer, SIZE)
    // The buffers of the system and of both sockets are full, and the proxy stores no more.
    expect(await settled(poured)).toBeLessThan(40 * MIB)
    let taken = 0
    reader.on('data', (bytes: Buffer) => {
      taken += bytes.length
    })
    reader.resume()
    await expect.poll(() => taken).toBeGreaterThan(SIZE)
    if (isUpload) served.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    await expect.poll(() => proxy.seen.map(({ status }) => status)).toEqual([200])
    const [seen] = proxy.seen
    expect(isUpload ? seen?.request : seen?.response).toMatchObject({ size: SIZE, bytes: undefined })
    program.destroy()
  },
)
