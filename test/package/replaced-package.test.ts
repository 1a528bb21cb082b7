import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { compiledCode, LAUNCHER, temporaryFolder } from '../kit/built-program.ts'
import { outputOf } from '../kit/child-output.ts'
import { countingService } from '../kit/counting-service.ts'
import { deliver, SECRET, until } from '../receiver/listener.ts'

const ROOT = dirname(dirname(LAUNCHER))
const service = await countingService(20)
afterAll(() => service.close())

/** Copies the package, as `npm install --global` does, starts a command of the copy, and removes or replaces the files when it works. */
async function replacedUnder(words: readonly string[], dir: string, how: 'removed' | 'replaced') {
  const place = join(dir, 'package')
  mkdirSync(place)
  for (const name of ['bin', 'dist', 'package.json']) cpSync(join(ROOT, name), join(place, name), { recursive: true })
  const ids = Array.from({ length: 200 }, (_, i) => `T${i}`)
  writeFileSync(join(dir, 'orders.csv'), ['externalTrxId', ...ids, ''].join('\n'))
  const before = service.total()
  const child: ChildProcess = spawn(process.execPath, [join(place, 'bin', 'bnpl.js'), ...words], {
    cwd: dir,
    env: {
      PATH: process.env.PATH,
      HOME: dir,
      ...compiledCode(),
      BNPL_STATE_DIR: join(dir, 'state'),
      BNPL_CONFIG_DIR: join(dir, 'config'),
      BNPL_WEBHOOK_SECRET: SECRET,
      BNPL_BASE_URL: service.baseUrl,
      BNPL_API_KEY: 'sk_canary_0123456789',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { ended, stderr } = outputOf(child)
  const ready = join(dir, 'ready')
  await until(() => existsSync(ready) || service.total() > before + 2 || child.exitCode !== null)
  rmSync(place, { recursive: true })
  if (how === 'replaced') {
    mkdirSync(join(place, 'dist'), { recursive: true })
    writeFileSync(join(place, 'dist', 'main.cjs'), 'throw new Error("another version")')
  }
  const url = existsSync(ready) ? JSON.parse(readFileSync(ready, 'utf8')) : {}
  return { child, ended, stderr, ready: url }
}

const READY = ['--port', '0', '--ready-file', 'ready']
const LISTEN = ['webhooks', 'listen', '--metrics-port', '0', ...READY]
const RUN = ['verify', '--from', 'orders.csv', '--concurrency', '1']

test.each([
  ['a listener', 'replaced', LISTEN],
  [
    'a listener with --json, --record and a handler',
    'removed',
    [...LISTEN, '--json', '--record', 'day.ndjson', '--forward-to', `${service.baseUrl}/hook`],
  ],
  ['a sandbox', 'removed', ['sandbox', 'start', ...READY]],
  ['a sandbox in memory with --json', 'replaced', ['sandbox', 'start', '--ephemeral', '--json', ...READY]],
  ['a proxy', 'removed', ['proxy', ...READY]],
  ['a proxy with --json and --record', 'replaced', ['proxy', '--json', '--record', 'day.ndjson', ...READY]],
  ['a run over a file with all its reports', 'removed', [...RUN, '--out', 'out.csv', '--junit', 'r.xml', '--json']],
  ['a run over a file to CSV', 'replaced', [...RUN, '-o', 'csv', '--record', 'day.ndjson']],
] as const)('%s ends on SIGTERM, although the files of the program were %s while it ran', async (_, how, words) => {
  using folder = temporaryFolder()
  const { child, ended, ready } = await replacedUnder(words, folder.path, how)
  if (words[0] === 'webhooks') expect((await deliver(ready, { eventId: 'e1' })).status).toBe(200)
  child.kill('SIGTERM')
  const { code, stderr } = await ended
  expect(stderr).not.toMatch(/fault in bnpl/)
  expect(code).toBe(143)
  for (const url of [ready.url, ready.baseUrl, ready.metricsUrl])
    if (url !== undefined) await expect(fetch(url)).rejects.toThrow()
})

test.each([
  ['a table', [...RUN, '--out', 'out.csv', '--junit', 'r.xml'], 0],
  ['CSV', [...RUN, '-o', 'csv'], 0],
] as const)(
  'a run over a file finishes its work, although the files of the program were removed: %s',
  async (_, words, code) => {
    using folder = temporaryFolder()
    const { ended } = await replacedUnder(words, folder.path, 'removed')
    const end = await ended
    expect([end.code, end.stderr]).toEqual([code, expect.not.stringMatching(/fault in bnpl/)])
  },
)
