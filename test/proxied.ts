import { connect, createServer, type Socket } from 'node:net'
import { type ProxyOptions, serveProxy } from '../src/proxy/serve.ts'
import type { PassedExchange } from '../src/proxy/watch.ts'
import { realClock } from './harness.ts'

/** A proxy before a service of the test's, with the exchanges that it saw. */
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

/** A server of plain connections on a free port. */
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

/** What a program gets for some bytes: those that came back, and how its connection ended. @param enough ends it when they have come */
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
