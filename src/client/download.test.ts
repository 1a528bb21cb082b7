import { expect, test } from 'vitest'
import { http, tcpServer } from '../../test/faults/tcp.ts'
import { WireFailure } from '../contract/wire.ts'
import { createDownload } from './network.ts'

/** Downloads an address. Returns its text, or a text about the failure. */
async function fetched(url: string, env: Record<string, string> = {}): Promise<string> {
  const chunks: Uint8Array[] = []
  const request = { url, headers: { accept: '*/*' }, idleMs: 20_000, timeoutMs: 20_000 }
  try {
    await createDownload({ env })(request, () => ({ take: (chunk) => void chunks.push(Buffer.from(chunk)) }))
    return Buffer.concat(chunks).toString()
  } catch (error) {
    return error instanceof WireFailure ? `${error.kind}, ${error.sent ? 'sent' : 'not sent'}` : String(error)
  }
}

test('a download over https uses CONNECT, so that the proxy sees the host but not the link [row 14]', async () => {
  await using proxy = await tcpServer((socket) => socket.end('HTTP/1.1 502 No\r\nconnection: close\r\n\r\n'))
  const link = 'https://storage.example.com/file?X-Amz-Signature=c0ffee'
  expect(await fetched(link, { HTTPS_PROXY: proxy.url })).toBe('proxy, not sent')
  expect(proxy.requests).toHaveLength(1)
  expect(proxy.requests[0]).toMatch(/^CONNECT storage\.example\.com:443 HTTP\/1\.1\r\n/)
  expect(proxy.requests[0]).not.toMatch(/c0ffee|\/file|^authorization:/im)
})

test('this machine is never reached through a proxy [row 14]', async () => {
  await using proxy = await tcpServer((socket) => socket.end())
  await using server = await tcpServer((socket) => socket.end(http(200, 'here')))
  expect(await fetched(server.url, { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url })).toBe('here')
  expect(await fetched('https://localhost:1/', { HTTPS_PROXY: proxy.url })).toBe('refused, not sent')
  expect(proxy.connections).toBe(0)
})

test.each([
  ['refused, not sent', 'http://127.0.0.1:1/'],
  ['dns, not sent', 'http://no-such-host.invalid/'],
])('%s', async (expected, url) => {
  expect(await fetched(url)).toBe(expected)
})

test.each([
  ['garbled, sent', 'garbage\r\n\r\n'],
  ['garbled, sent', 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd'],
  ['garbled, sent', 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n'],
  ['garbled, sent', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`],
  ['reset, sent', ''],
  ['reset, sent', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc'],
])('an answer that is invalid or incomplete HTTP is reported as “%s” [row 27]', async (expected, answer) => {
  await using server = await tcpServer((socket) => socket.end(answer))
  expect(await fetched(server.url)).toBe(expected)
})

test('bytes after the complete answer are ignored [row 27]', async () => {
  const answer = http(200, 'abc', { connection: 'close' })
  await using server = await tcpServer((socket) => socket.end(answer + answer))
  expect(await fetched(server.url)).toBe('abc')
})

test('a download in thousands of chunks of one byte is cut off', async () => {
  await using server = await tcpServer((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(10_000)}`)
  })
  expect(await fetched(server.url)).toBe('garbled, sent')
})

test('an error of the sink ends the download with that error and closes the connection', async () => {
  await using server = await tcpServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\nabc')
  })
  const request = { url: server.url, headers: {}, idleMs: 20_000, timeoutMs: 20_000 }
  const reason = new Error('full')
  const take = () => {
    throw reason
  }
  await expect(createDownload({ env: {} })(request, () => ({ take }))).rejects.toBe(reason)
  await expect(createDownload({ env: {} })(request, take)).rejects.toBe(reason)
})
