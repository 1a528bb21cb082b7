import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** What happens to one connection. Byte counts are of the request and of the answer as they pass. */
export type Plan =
  | { kind: 'pass' }
  /** Cut once so many bytes of the request went through; 0 cuts at the connection. */
  | { kind: 'cut-request'; bytes: number }
  /** The whole request goes through; cut once so many bytes of the answer did. */
  | { kind: 'cut-answer'; bytes: number }
  /** Nothing of the answer comes through, and the connection stays. */
  | { kind: 'stall' }
  /** The answer comes a byte at a time, slower than anybody waits. */
  | { kind: 'drip' }
  /** Every byte of the answer is another one. */
  | { kind: 'garble' }
  /** The answer comes twice on the same connection. */
  | { kind: 'double' }

export interface FaultProxy {
  url: string
  /** Connections so far. */
  connections: number
  /** Bytes of requests that went through to the service. */
  forwarded: number
  [Symbol.asyncDispose](): Promise<void>
}

/** A plain TCP proxy on loopback that does to the nth connection what its plan says. */
export async function faultProxy(target: { port: number }, plan: (n: number) => Plan): Promise<FaultProxy> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  }
  const made: FaultProxy = {
    url: '',
    connections: 0,
    forwarded: 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
  const server = createServer((client) => {
    const fate = plan(made.connections++)
    keep(client)
    if (fate.kind === 'cut-request' && fate.bytes === 0) return client.destroy()
    const service = connect(target.port, '127.0.0.1')
    keep(service)
    client.on('close', () => service.destroy())
    let sent = 0
    client.on('data', (came) => {
      // The service only answers to its own name.
      const chunk = Buffer.from(
        came.toString('latin1').replace(new URL(made.url).host, `127.0.0.1:${target.port}`),
        'latin1',
      )
      const rest = fate.kind === 'cut-request' ? chunk.subarray(0, Math.max(0, fate.bytes - sent)) : chunk
      sent += chunk.length
      made.forwarded += rest.length
      if (rest.length > 0) service.write(rest)
      // Let what went through arrive before the other side goes.
      if (fate.kind === 'cut-request' && sent >= fate.bytes) setTimeout(() => client.destroy(), 20)
    })
    let came = 0
    service.on('data', (chunk) => {
      pass(client, chunk, fate, came)
      came += chunk.length
    })
    service.on('close', () => {
      if (fate.kind !== 'stall' && fate.kind !== 'drip') client.end()
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  made.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return made
}

/** @param before bytes of the answer that came earlier */
function pass(client: Socket, chunk: Buffer, fate: Plan, before: number): void {
  switch (fate.kind) {
    case 'stall':
      return
    case 'cut-answer': {
      const rest = chunk.subarray(0, Math.max(0, fate.bytes - before))
      if (rest.length === chunk.length && before + rest.length < fate.bytes) client.write(rest)
      else client.write(rest, () => client.destroy())
      return
    }
    case 'drip': {
      let i = 0
      const timer = setInterval(
        () => (i < chunk.length ? client.write(chunk.subarray(i, ++i)) : clearInterval(timer)),
        40,
      )
      client.on('close', () => clearInterval(timer))
      return
    }
    case 'garble':
      client.write(chunk.map((byte) => byte ^ 0x55))
      return
    case 'double':
      client.write(Buffer.concat([chunk, chunk]))
      return
    default:
      client.write(chunk)
  }
}
