import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { catchReturn } from './return-address.ts'

test('a return address takes one Host, its own [attack 23]', async () => {
  const address = await catchReturn()
  const { port, pathname } = new URL(address.successUrl)
  const firstLine = (...hosts: string[]) =>
    new Promise<string>((resolve) => {
      const lines = hosts.map((host) => `Host: ${host}\r\n`).join('')
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write(`GET ${pathname}?preApproveId=p1&externalTrxId=t1 HTTP/1.1\r\n${lines}\r\n`),
      )
      socket.once('data', (chunk) => resolve(String(chunk).split('\r\n')[0] ?? ''))
    })
  const own = `127.0.0.1:${port}`
  expect(await firstLine(own, 'evil.example')).toBe('HTTP/1.1 400 Bad Request')
  expect(await firstLine(`evil.example:${port}`)).toBe('HTTP/1.1 421 Misdirected Request')
  expect(await firstLine(own)).toBe('HTTP/1.1 200 OK')
  expect(await address.arrival).toMatchObject({ landedOn: 'success' })
  await address.close()
})
