import { connect, createServer, type Socket } from 'node:net'
import { type ProxyOptions, serveProxy } from '../../src/recording/proxy/serve.ts'
import type { PassedExchange } from '../../src/recording/proxy/watch.ts'
import { realClock } from './harness.ts'

/** Starts a proxy in front of a test's service, and collects the exchanges that the proxy saw. */
export async function proxied(servicePort: number, options: Partial<ProxyOptions> = {}) {
  const seen: PassedExchange[] = []
  const notHttp: boolean[] = []
  const door = await serveProxy({
    port: 0,
    baseUrl: `http://127.0.0.1:${servicePort}`,
    apiKey: undefined,
    strict: false,
    paths: {},
    env: {},
    clock: realClock,
    passed: async (exchange) => void seen.push(exchange),
    onFailure: (error) => {
      throw error
    },
    notHttp: (isTls) => notHttp.push(isTls),
    ...options,
  })
  return { port: door.port, door, seen, notHttp, [Symbol.asyncDispose]: () => door.close() }
}

/** Starts a TCP server on a free port. */
export async function tcpServer(serve: (socket: Socket) => void) {
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket.on('error', () => {}).on('close', () => open.delete(socket)))
    serve(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    open,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * Returns the bytes that a program gets as an answer to some bytes, and how its connection ended. @param enough ends the connection when
 * this text has arrived
 */
export function talk(port: number, bytes: string, enough?: string): Promise<{ text: string; end: string }> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let text = ''
    let end = 'closed'
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (enough !== undefined && text.includes(enough)) socket.destroy()
    })
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
      end = code
    })
    socket.on('close', () => resolve({ text, end: enough !== undefined && text.includes(enough) ? 'enough' : end }))
    socket.write(bytes, 'latin1')
  })
}
