import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { isOwnHost } from '../http-server/door.ts'
import { MAX_BODY_BYTES, serveDeliveries } from './server.ts'

test('bodies that wait to be stored are limited to 64 MiB: while the disk hangs, further deliveries are asked to retry', async () => {
  const waiting: ((status: number) => void)[] = []
  const server = await serveDeliveries({
    host: '127.0.0.1',
    port: 0,
    path: '/webhooks',
    hosts: ['shop.example'],
    canBeGenuine: () => true,
    closesConnections: () => false,
    onError: (error) => expect.fail(String(error)),
    onDelivery: (_, _body, answer) => waiting.push(answer),
    onRefused: () => {},
  })
  const send = () =>
    new Promise<number>((resolve, reject) => {
      const headers = { host: 'shop.example', 'content-length': MAX_BODY_BYTES }
      const sent = request(
        { host: '127.0.0.1', port: server.port, path: '/webhooks', method: 'POST', headers, agent: false },
        (answer) => {
          answer.resume()
          resolve(answer.statusCode ?? 0)
        },
      )
      sent.on('error', reject)
      sent.end(Buffer.alloc(MAX_BODY_BYTES, 'x'))
    })
  const refused: number[] = []
  // On a busy machine a body may arrive so slowly that it is answered with 408. It is sent again.
  const sendInTime = (): Promise<number> => send().then((status) => (status === 408 ? sendInTime() : status))
  const all = Array.from({ length: 70 }, () => sendInTime().then((status) => status === 503 && refused.push(status)))
  await expect.poll(() => waiting.length + refused.length).toBe(70)
  // The bodies arrive at the same time, so fewer of them may be accepted than there is room for.
  expect(waiting.length).toBeGreaterThan(32)
  expect(waiting.length).toBeLessThanOrEqual(64)
  for (const answer of waiting.splice(0)) answer(200)
  await Promise.all(all)
  const after = send()
  await expect.poll(() => waiting.length).toBe(1)
  waiting[0]?.(200)
  expect(await after).toBe(200)
  await server.close(AbortSignal.abort())
})

test('a request refused by its head gets one answer even without its body, and the next request gets its own answer', async () => {
  const refused: number[] = []
  const server = await serveDeliveries({
    host: '127.0.0.1',
    port: 0,
    path: '/webhooks',
    hosts: ['shop.example'],
    canBeGenuine: () => true,
    closesConnections: () => false,
    onError: (error) => expect.fail(String(error)),
    onDelivery: (_, _body, answer) => answer(200),
    onRefused: (status) => refused.push(status),
  })
  const told = async (sent: string) => {
    const socket = connect(server.port, '127.0.0.1')
    let answers = ''
    socket.on('data', (chunk) => {
      answers += chunk
    })
    socket.write(sent)
    await once(socket, 'close')
    return [...answers.matchAll(/^HTTP\/1.1 (\d+)/gm)].map(([, status]) => Number(status))
  }
  const head = 'POST /elsewhere HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 3\r\n\r\n'
  expect(await Promise.all([told(`${head}ab`), told(`${head}abcPOST`)])).toEqual([[404], [404, 408]])
  expect(refused).toEqual([404, 404, 408])
  await server.close(AbortSignal.abort())
})

/** Everything that a server sends on one connection, until it closes the connection or sends nothing for a moment. */
async function said(port: number, sent: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk
      resolve()
    })
    socket.on('close', () => resolve())
  })
  socket.write(sent)
  await answered
  await new Promise(setImmediate)
  socket.destroy()
  return text.split('\r\n')[0] ?? ''
}

describe('the delivery server', () => {
  const delivered: string[] = []
  const start = (hosts = ['shop.example']) =>
    serveDeliveries({
      host: '127.0.0.1',
      port: 0,
      path: '/webhooks',
      hosts,
      canBeGenuine: () => true,
      closesConnections: () => false,
      onError: (error) => expect.fail(String(error)),
      onDelivery: (_, body, answer) => {
        delivered.push(String(body))
        answer(200)
      },
      onRefused: () => {},
    })
  const head = (...lines: string[]) => ['POST /webhooks HTTP/1.1', ...lines, 'Content-Length: 2', '', ''].join('\r\n')

  test('two Host headers are 400, whichever of them is ours, on /healthz too [attack 23]', async () => {
    const server = await start()
    for (const hosts of [
      ['Host: shop.example', 'Host: evil.example'],
      ['Host: evil.example', 'hOST: shop.example'],
      ['Host: shop.example', 'Host: shop.example'],
    ])
      expect(await said(server.port, `${head(...hosts)}{}`)).toBe('HTTP/1.1 400 Bad Request')
    const probe = 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'
    expect(await said(server.port, probe)).toBe('HTTP/1.1 400 Bad Request')
    expect(delivered).toEqual([])
    await server.close(AbortSignal.abort())
  })

  test('a request with Expect: 100-continue is refused by its head, or answered with 100 [attack 24]', async () => {
    const server = await start()
    const ask = (...lines: string[]) => said(server.port, head(...lines, 'Expect: 100-continue'))
    expect(await ask('Host: evil.example')).toBe('HTTP/1.1 421 Misdirected Request')
    expect(await ask('Host: shop.example', 'Content-Encoding: br')).toBe('HTTP/1.1 415 Unsupported Media Type')
    expect(await ask('Host: shop.example')).toBe('HTTP/1.1 100 Continue')
    const whole = `${head('Host: shop.example', 'Expect: 100-continue')}{}`
    expect(await said(server.port, whole)).toBe('HTTP/1.1 100 Continue')
    await expect.poll(() => delivered).toEqual(['{}'])
    await server.close(AbortSignal.abort())
  })

  test('a Host with another port than ours is foreign, except for a configured name [row 69]', () => {
    const names = { port: 4556, hosts: ['shop.example'] }
    const own = ['127.0.0.1:4556', '127.0.0.1', 'localhost:4556', '[::1]:4556', 'shop.example', 'shop.example:8443']
    const foreign = [
      '127.0.0.1:4557',
      'localhost:80',
      '[::1]:4557',
      'evil.example:4556',
      '10.0.0.1:4556',
      '',
      undefined,
    ]
    for (const host of own) expect([host, isOwnHost(host, names)]).toEqual([host, true])
    for (const host of foreign) expect([host, isOwnHost(host, names)]).toEqual([host, false])
  })
})
