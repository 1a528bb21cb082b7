import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { LOAN } from '../kit/loan.ts'

/** A server of raw TCP on loopback. The test decides what it answers and when it cuts. */
export interface TcpServer {
  url: string
  port: number
  /** The requests as they arrived, each with its head and body. */
  requests: string[]
  connections: number
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts the server. @param answer called after a complete request was read, with its text and its number, counted from 0 */
export async function tcpServer(answer: (socket: Socket, request: string, number: number) => void): Promise<TcpServer> {
  const sockets = new Set<Socket>()
  const made: TcpServer = {
    url: '',
    port: 0,
    requests: [],
    connections: 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
  const server = createServer((socket) => {
    made.connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (text.length < end + 4 + length) return
      const request = text.slice(0, end + 4 + length)
      text = text.slice(end + 4 + length)
      answer(socket, request, made.requests.push(request) - 1)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  made.port = (server.address() as AddressInfo).port
  made.url = `http://127.0.0.1:${made.port}`
  return made
}

/** Returns a complete HTTP answer as text. */
export function http(status: number, body: string, headers: Record<string, string> = {}): string {
  const all = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n${body}`
}

export const loanAnswer = (more: object = {}) => http(200, JSON.stringify({ data: { ...LOAN, ...more } }))
