import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { machine, realClock } from '../kit/harness.ts'
import { http, tcpServer } from './tcp.ts'

const KEY = 'sk-canary-1234567890'
const STATUSES = [301, 302, 303, 307, 308]
const COMMANDS = [
  'verify T1 --json',
  'evaluate --rut 11222333-9 --amount 1000 --trx T1 --json',
  'webhooks list --json',
  'api POST /partner/webhook -f url=https://shop.example',
]

/** Returns different spellings of the address of another server. */
const addresses = (port: number) =>
  [
    `http://127.0.0.1:${port}/`,
    `//127.0.0.1:${port}/`,
    `HTTP://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `http://LOCALHOST:${port}/`,
    `http://localhost.:${port}/`,
    `http://127.1:${port}/`,
    `http://2130706433:${port}/`,
    `http://0x7f.0.0.1:${port}/`,
    `http://[::1]:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://user:pass@127.0.0.1:${port}/`,
    `http://api.example.com@127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}/`,
    `http:\\\\127.0.0.1:${port}\\`,
    `/\\127.0.0.1:${port}/`,
    `http:127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}/partner/pre-approve/T1/loan`,
    `http://127.0.0.1:${port}/?next=https://api.example.com`,
    `http://127.0.0.1:${port}#x`,
    `\thttp://127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}/ `,
    `ftp://127.0.0.1:${port}/`,
    'file:///etc/passwd',
    `/partner/elsewhere`,
  ] as const

test('no command follows a redirect to another address, whatever its spelling, status and command [row 6]', async () => {
  using m = machine()
  let foreign = 0
  const other = createServer((socket) => {
    foreign++
    socket.destroy()
  })
  await new Promise<void>((listening) => other.listen(0, '::', listening))
  let answer = ''
  await using server = await tcpServer((socket) => socket.end(answer))
  const env = { BNPL_API_KEY: KEY, BNPL_BASE_URL: server.url, BNPL_ENTITY_ID: 'E1' }
  const clock = { ...realClock, sleep: async () => {} }
  try {
    let tried = 0
    // Each address meets each status and each command, and each status meets each command.
    for (const [i, location] of addresses((other.address() as { port: number }).port).entries()) {
      for (const [j, status] of STATUSES.entries()) {
        answer = http(status, '', { location, connection: 'close' })
        const command = COMMANDS[(i + j) % COMMANDS.length] ?? ''
        const ran = await m.run(command, { env, clock })
        expect([location, status, command, ran.code]).toEqual([location, status, command, 8])
        tried++
      }
    }
    expect({ tried, asked: server.requests.length, foreign }).toEqual({ tried: 125, asked: 125, foreign: 0 })
  } finally {
    other.close()
  }
})
