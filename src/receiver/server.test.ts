import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { MAX_BODY_BYTES } from './door.ts'
import { serve } from './server.ts'

test('bodies that wait to be stored are held to 64 MiB as well: while the disk stands still the rest is told to come again', async () => {
  const waiting: ((status: number) => void)[] = []
  const server = await serve({
    host: '127.0.0.1',
    port: 0,
    door: { path: '/webhooks', port: 0, hosts: ['shop.example'] },
    hurry: () => false,
    onFault: (error) => expect.fail(String(error)),
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
  const all = Array.from({ length: 70 }, () => send().then((status) => status === 503 && refused.push(status)))
  await expect.poll(() => waiting.length + refused.length).toBe(70)
  // The bodies come side by side, so that one more may be refused than there is no room for.
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

test('what was refused by its head alone has one answer, also when the rest never comes; the next request has its own', async () => {
  const refused: number[] = []
  const server = await serve({
    host: '127.0.0.1',
    port: 0,
    door: { path: '/webhooks', port: 0, hosts: ['shop.example'] },
    hurry: () => false,
    onFault: (error) => expect.fail(String(error)),
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
