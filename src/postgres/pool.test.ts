import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { machine } from '../../test/kit/harness.ts'

/** A message as PostgreSQL frames it. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const login = (kind: number, text = '') =>
  message('R', Buffer.concat([Buffer.from([0, 0, 0, kind]), Buffer.from(text)]))
const WELCOME = Buffer.concat([login(0), message('Z', Buffer.from('I'))])
const row = message('D', Buffer.from([0, 1, 0, 0, 0, 0]))

/** A server that sends the same bytes to every client. @param ends whether it closes the connection afterwards */
async function serve(says: Buffer, ends = false): Promise<{ server: Server; address: string } & AsyncDisposable> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => (ends ? socket.end(says) : socket.write(says)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    server,
    address: `postgres://u@127.0.0.1:${port}/x`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

test.each<[string, Buffer, string, number]>([
  ['another program, asked for TLS', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), '?sslmode=require', 9],
  ['a login of no known kind', login(99), '', 9],
  ['a login cut short', message('R', Buffer.alloc(0)), '', 9],
  ['a message of no known kind', Buffer.from([0, 0, 0, 0, 4]), '', 9],
  ['an answer to nothing', Buffer.concat([WELCOME, row]), '', 9],
  ['a column that ends in its middle', Buffer.concat([WELCOME, message('T', Buffer.from([0x7f, 0xff]))]), '', 9],
  ['a way to prove the password that nobody knows', login(10, 'SCRAM-EVIL\0\0'), '', 3],
])('%s is reported in one line, and its connection is closed', async (_, says, query, code) => {
  await using evil = await serve(says)
  using m = machine()
  const ran = await m.run(['webhooks', 'events', 'list', '--json', '--database', evil.address + query])
  expect(ran).toMatchObject({ code, stdout: '' })
  // Either the wrong bytes or the end of the connection may be noticed first, so one of several codes is reported.
  expect(['DATABASE_GARBLED', 'DATABASE_LOST', 'DATABASE_LOGIN']).toContain(ran.error().code)
  const open = () => new Promise<number>((resolve) => evil.server.getConnections((_, count) => resolve(count)))
  await expect.poll(open).toBe(0)
})

test('a web server at the database address is reported as a wrong server, not as a lost connection', async () => {
  await using web = await serve(Buffer.from('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'), true)
  using m = machine()
  const ran = await m.run(['webhooks', 'events', 'list', '--json', '--database', web.address])
  expect(ran).toMatchObject({ code: 9, stdout: '' })
  expect(ran.error()).toMatchObject({ code: 'DATABASE_GARBLED', hint: expect.stringContaining('port') })
})
