import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { lastingPort, onceFree } from '../kit/lasting-port.ts'

export interface Handled {
  eventId: string
  headers: IncomingHttpHeaders
  body: string
  path: string
}

/**
 * Starts a handler that answers one request on each connection, and drops the next one unread, as a server does that closes each connection
 * without saying so.
 */
export async function startClosingHandler() {
  const used = new WeakSet<Socket>()
  const handled: { eventId: string; attempt: string }[] = []
  const server = createServer((request, response) => {
    if (used.has(request.socket)) return void request.socket.destroy()
    used.add(request.socket)
    handled.push({
      eventId: String(request.headers['bnpl-event-id']),
      attempt: String(request.headers['bnpl-attempt']),
    })
    request.resume().on('end', () => response.end())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    handled,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * Starts a merchant's handler on this machine. `answer` returns the status; 0 cuts the connection, undefined gives no answer. @param
 * headers headers of every answer
 */
export async function startHandler(
  answer: (handled: Handled, count: number) => number | undefined | Promise<number | undefined> = () => 200,
  headers: Record<string, string> = {},
) {
  const handled: Handled[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', async () => {
      const one = {
        eventId: String(request.headers['bnpl-event-id']),
        headers: request.headers,
        body,
        path: String(request.url),
      }
      handled.push(one)
      const status = await answer(one, handled.length)
      if (status === undefined) return
      if (status === 0) request.socket.destroy()
      else {
        if (status >= 300 && status < 400) response.setHeader('location', '/elsewhere')
        response.writeHead(status, headers).end('thanks')
      }
    })
  })
  const port = await lastingPort()
  const listen = () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject)
        resolve()
      })
    })
  const start = () => onceFree(listen)
  await start()
  return {
    url: `http://127.0.0.1:${port}/hook`,
    handled,
    ids: () => handled.map(({ eventId }) => eventId),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
    start,
  }
}
