import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { launch, temporaryFolder } from '../kit/built-program.ts'
import { http, tcpServer } from './tcp.ts'

const LIMIT = 10 * 1024 * 1024 - 1000
const list = (piece: string, bytes = LIMIT) => `{"data":[${piece.repeat(Math.floor(bytes / piece.length))}{}]}`

test.each([
  ['ten megabytes of empty objects', 'webhooks list', list('{},')],
  ['ten megabytes of numbers', 'webhooks list', list('7,')],
  ['ten megabytes of numbers no double holds', 'verify T1', list('9007199254740993,')],
  ['as many objects as are read', 'webhooks list', list('{},', 740_000)],
  ['ten megabytes of one text', 'verify T1', `{"data":"${'x'.repeat(LIMIT)}"}`],
])('%s as the answer: %s exits with 8 and uses less than 200 MiB of memory [row 24]', async (_, line, body) => {
  using folder = temporaryFolder()
  const hook = join(folder.path, 'hook.cjs')
  // The peak memory of this program alone. The figure of `resourceUsage` also counts the process that started it.
  const tell = `const fs = require('node:fs'); fs.writeSync(2, /VmHWM.*/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[0] + '\\n')`
  writeFileSync(hook, `process.on('exit', () => { ${tell} })`)
  await using server = await tcpServer((socket) => socket.end(http(200, body)))
  const ran = await launch({
    args: line.split(' '),
    env: { BNPL_BASE_URL: server.url, BNPL_API_KEY: 'key' },
    node: ['--require', hook],
  })
  expect(ran).toMatchObject({ code: 8, stdout: '' })
  const kibibytes = Number(/^VmHWM:\s*(\d+) kB$/m.exec(ran.stderr)?.[1])
  expect(kibibytes).toBeGreaterThan(20_000)
  expect(kibibytes).toBeLessThan(200 * 1024)
})
