import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { http, type TcpServer, tcpServer } from '../faults/tcp.ts'

/** A complete PDF of 40 kB for downloads, which check only its beginning and its end mark. */
export const PDF = Buffer.concat([
  Buffer.from('%PDF-1.7\n'),
  Buffer.from(Array.from({ length: 4000 }, (_, i) => `${i} 0 obj`).join('\n')),
  Buffer.from('\ntrailer\n%%EOF\n'),
])

/** The signature in a link. Only `informe get` may print it. */
export const SIGNATURE = 'c0ffee0c0ffee0c0ffee'

export interface Stub extends TcpServer {
  /** The environment that makes the stub the service, with the storage on the same origin. */
  env: Record<string, string>
  /** A `urlInforme` that leads to the stub. */
  urlInforme: string
  /** The requests for the file, in the order of their arrival. */
  files: string[]
}

/**
 * Starts a service that answers every call with a link to itself, and every `urlInforme` with a redirect to the file.
 * @param answer writes the raw answer to a request for the file, or cuts it; its argument `number` counts the requests from 0
 */
export async function storageStub(answer: (socket: Socket, number: number) => void): Promise<Stub> {
  const files: string[] = []
  const server = await tcpServer((socket, request) => {
    const link = `${server.url}/file?X-Amz-Signature=${SIGNATURE}&n=${server.requests.length}`
    if (/^GET \/file\?/.test(request)) return answer(socket, files.push(request) - 1)
    if (/^GET \/partner\/informe\//.test(request)) return void socket.end(http(302, '', { location: link }))
    socket.write(http(200, JSON.stringify({ data: { url: link } })))
  })
  return Object.assign(server, {
    files,
    env: { BNPL_BASE_URL: server.url, BNPL_API_KEY: 'test-key-123456' },
    urlInforme: `${server.url}/partner/informe/${SIGNATURE}`,
  })
}

export type FramingName = 'length' | 'chunked' | 'close' | 'gzip'

/** Sends the first `bytes` of a body and cuts the connection. In some framings the head states the length of the whole body. */
export function sendCut(socket: Socket, framing: FramingName, bytes: number, body: Buffer = PDF): void {
  const head = (lines: string) => `HTTP/1.1 200 OK\r\ncontent-type: application/pdf\r\n${lines}\r\n`
  if (framing === 'length')
    socket.end(Buffer.concat([Buffer.from(head(`content-length: ${body.length}\r\n`)), body.subarray(0, bytes)]))
  else if (framing === 'close') socket.end(Buffer.concat([Buffer.from(head('')), body.subarray(0, bytes)]))
  else if (framing === 'chunked') {
    const whole = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])
    socket.end(Buffer.concat([Buffer.from(head('transfer-encoding: chunked\r\n')), whole.subarray(0, bytes)]))
  } else {
    // The framing is complete, and the gzip body in it is cut.
    const packed = gzipSync(body)
    const part = packed.subarray(0, Math.min(bytes, packed.length))
    socket.end(Buffer.concat([Buffer.from(head(`content-encoding: gzip\r\ncontent-length: ${part.length}\r\n`)), part]))
  }
}

/** Sends a complete answer with the PDF. */
export function sendPdf(socket: Socket, headers: Record<string, string> = {}, body: Buffer = PDF): void {
  const all = {
    'content-type': 'application/pdf',
    'content-length': String(body.length),
    connection: 'close',
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`), body]))
}
