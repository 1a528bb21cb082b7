import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** The points of an exchange, in order: after connecting, in the request, after the request, and in the answer. */
export const POINTS = [
  'connected',
  'request-head',
  'request-body',
  'sent',
  'status-line',
  'headers',
  'body',
  'last-byte',
] as const
export type Point = (typeof POINTS)[number]

/**
 * What happens at the point. `cut`: the connection ends. `reset`: the connection is reset. `stall`: no more bytes come, and the connection
 * stays open. `drip`: one byte at a time, slower than any client waits. `garble`: every byte from the point on is changed. `double`: the
 * bytes so far are sent again.
 */
export const FAULTS = ['cut', 'reset', 'stall', 'drip', 'garble', 'double'] as const
export type Fault = (typeof FAULTS)[number]

export interface Plan {
  at: Point
  what: Fault
}

export interface FaultProxy {
  url: string
  /** How many connections were made so far. */
  connections: number
  /** The requests that arrived completely, such as `POST /partner/webhook`. */
  requests: string[]
  /** Ends the proxy. After this no server listens on its port. */
  end(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const DRIP_MS = 1000

/**
 * Starts a plain TCP proxy on loopback that treats each request by its plan. Requests without a plan pass unchanged.
 * @param plan called once for each connection, without a request, and once for each request on the connection
 * @param port where the proxy listens; 0 for a port that the system chooses
 */
export async function faultProxy(
  target: { port: number },
  plan: (n: number, request: string) => Plan | undefined,
  port = 0,
): Promise<FaultProxy> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  }
  const made: FaultProxy = {
    url: '',
    connections: 0,
    requests: [],
    async end() {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
    [Symbol.asyncDispose]: () => made.end(),
  }
  const server = createServer((client) => {
    keep(client)
    const fate = plan(made.connections++, '')
    if (fate?.at === 'connected' && fate.what !== 'garble') {
      if (fate.what === 'cut') client.destroy()
      else if (fate.what === 'reset') client.resetAndDestroy()
      return
    }
    let text = Buffer.alloc(0)
    client.on('data', (chunk) => {
      text = Buffer.concat([text, chunk])
      for (let request = whole(text); request; request = whole(text)) {
        text = text.subarray(request.length)
        const [method = '', path = ''] = request.toString('latin1').split(' ')
        const name = `${method} ${path}`
        const number = made.requests.push(name) - 1
        void exchange(client, request, plan(number, name))
      }
    })
  })

  /** Treats one request and its answer. The proxy reads both completely first, so that it knows where each point is. */
  async function exchange(client: Socket, request: Buffer, fate: Plan | undefined): Promise<void> {
    // The service accepts only its own host name, and the links in its answers must lead to this proxy.
    const [here, there] = [new URL(made.url).host, `127.0.0.1:${target.port}`]
    const own = Buffer.from(request.toString('latin1').replace(here, there), 'latin1')
    const head = own.indexOf('\r\n\r\n') + 4
    const stop = fate?.at === 'request-head' ? 20 : fate?.at === 'request-body' ? head + ((own.length - head) >> 1) : -1
    if (fate && stop >= 0 && fate.what !== 'garble') {
      const service = connect(target.port, '127.0.0.1')
      keep(service)
      client.on('close', () => service.destroy())
      service.write(own.subarray(0, stop), () => end(client, fate.what))
      return
    }
    const given = await ask(target.port, stop < 0 ? own : garbled(own, stop), keep)
    const answer = Buffer.from(given.toString('latin1').replaceAll(there, here), 'latin1')
    if (client.destroyed) return
    if (fate === undefined || stop >= 0) return void client.write(answer)
    const body = answer.indexOf('\r\n\r\n') + 4
    const at = { sent: 0, 'status-line': 5, headers: 24, body: body + ((answer.length - body) >> 1), 'last-byte': -1 }
    const from = fate.at in at ? at[fate.at as keyof typeof at] : 0
    // At the last point, `double` sends the complete answer again.
    const start = from >= 0 ? from : answer.length - (fate.what === 'double' ? 0 : 1)
    const before = answer.subarray(0, start)
    if (fate.what === 'garble') client.write(garbled(answer, start))
    else if (fate.what === 'double') client.write(Buffer.concat([before, answer]))
    else if (fate.what === 'drip') drip(client, before, answer.subarray(start))
    else client.write(before, () => end(client, fate.what))
  }

  await new Promise<void>((ready) => server.listen(port, '127.0.0.1', ready))
  made.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return made
}

/** Returns the first complete request in the bytes; undefined if it is not complete yet. */
function whole(text: Buffer): Buffer | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.subarray(0, end).toString('latin1'))?.[1] ?? 0)
  return text.length < end + 4 + length ? undefined : text.subarray(0, end + 4 + length)
}

/** Returns the complete answer of the service, from a connection of its own. */
function ask(port: number, request: Buffer, keep: (socket: Socket) => void): Promise<Buffer> {
  return new Promise((resolve) => {
    const service = connect(port, '127.0.0.1')
    keep(service)
    let text = Buffer.alloc(0)
    service.on('data', (chunk) => {
      text = Buffer.concat([text, chunk])
      const answer = whole(text)
      if (answer) resolve(answer)
    })
    service.on('close', () => resolve(text))
    service.write(request)
  })
}

function end(client: Socket, what: Fault): void {
  // The client must read the earlier bytes first, because a reset discards them.
  if (what === 'reset') setTimeout(() => client.resetAndDestroy(), 20)
  else if (what === 'cut') client.end()
}

const garbled = (bytes: Buffer, from: number) =>
  Buffer.concat([bytes.subarray(0, from), bytes.subarray(from).map((byte) => byte ^ 0x55)])

function drip(client: Socket, at_once: Buffer, rest: Buffer): void {
  let i = 0
  client.write(at_once)
  const timer = setInterval(
    () => (i < rest.length ? client.write(rest.subarray(i, ++i)) : clearInterval(timer)),
    DRIP_MS,
  )
  client.on('close', () => clearInterval(timer))
}
