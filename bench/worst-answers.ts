/**
 * Measures how long a command takes, and how much memory, when a server gives the worst possible answers:
 * `node bench/worst-answers.ts`, after a build.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from './processes.ts'

const LIMIT = 10 * 1024 * 1024 - 100
const fill = (piece: string) => piece.repeat(Math.floor(LIMIT / piece.length))
const ANSWERS: Record<string, string | undefined> = {
  'a small one': '{"data":[]}',
  '10 MiB of one text': `{"data":"${'x'.repeat(LIMIT)}"}`,
  '10 MiB of empty lists': `{"data":[${fill('[],')}[]]}`,
  '10 MiB of empty objects': `{"data":[${fill('{},')}{}]}`,
  '10 MiB of numbers': `{"data":[${fill('7,')}7]}`,
  '10 MiB of numbers no double holds': `{"data":[${fill('9007199254740993,')}1]}`,
  'as many objects as are read': `{"data":[${'{},'.repeat(249_990)}{}]}`,
  'five million brackets': fill('['),
  'a body without end': undefined,
}

const dir = mkdtempSync(join(tmpdir(), 'bnpl-worst-'))
const hook = join(dir, 'hook.cjs')
writeFileSync(
  hook,
  `process.on('exit', () => require('node:fs').writeSync(2, 'RSS ' + process.resourceUsage().maxRSS / 1024 + '\\n'))`,
)
let answer: string | undefined
const server = createServer((_, response) => {
  response.setHeader('content-type', 'application/json')
  if (answer !== undefined) return response.end(answer)
  const more = () => {
    while (!response.destroyed && response.write('[1,2,3,4,5,6,7,8,9],'.repeat(5_000)));
  }
  response.on('drain', more)
  more()
})
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
const { port } = server.address() as AddressInfo
for (const line of ['webhooks list', 'verify T1', 'api GET /partner/webhook']) {
  for (const [name, body] of Object.entries(ANSWERS)) {
    answer = body
    const started = performance.now()
    const child = startProcess(
      process.execPath,
      ['--require', hook, join(import.meta.dirname, '../bin/bnpl.js'), ...line.split(' '), '--json'],
      {
        env: {
          PATH: process.env.PATH,
          HOME: dir,
          BNPL_STATE_DIR: dir,
          BNPL_BASE_URL: `http://127.0.0.1:${port}`,
          BNPL_API_KEY: 'k',
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
    let stderr = ''
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    const rss = Math.round(Number(/RSS ([\d.]+)/.exec(stderr)?.[1]))
    console.log(`${line}, ${name}: exit ${code}, ${Math.round(performance.now() - started)} ms, ${rss} MiB`)
  }
}
server.closeAllConnections()
server.close()
rmSync(dir, { recursive: true, force: true })
