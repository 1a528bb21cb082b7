import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { publish, quick, words } from './finding.ts'
import { spread, time } from './measure.ts'
import { installPeer, versionOf } from './peers.ts'
import { startProcess } from './processes.ts'

/**
 * Measures the time from the start of a server to its first answer, after a build: `node bench/sandbox-boot.ts [rounds]`. Installs the
 * other programs first.
 */

const rounds = Number(words[0] ?? (quick ? 2 : 10))
const GOAL = 6
/** The most milliseconds for a hundred sandboxes in one process. */
const HUNDRED_MS = 1_000
const root = dirname(import.meta.dirname)
const home = mkdtempSync(join(tmpdir(), 'bnpl-bench-'))
const bnpl = join(root, 'bin', 'bnpl.js')

interface Server {
  name: string
  words: (port: number) => string[]
  path: string
  env?: Record<string, string>
}

const BARE = "require('http').createServer((q, r) => r.end('{}')).listen(process.argv[1], '127.0.0.1')"
const openapi = join(home, 'openapi.json')
const data = join(home, 'db.json')
const prism = installPeer('prism')
const jsonServer = installPeer('json-server')

function servers(): Server[] {
  const document = spawnSync(process.execPath, [bnpl, 'contract', 'openapi', '--json'], { encoding: 'utf8' })
  writeFileSync(openapi, document.stdout)
  writeFileSync(data, JSON.stringify({ loans: [{ id: 1 }] }))
  const start = (more: string[]) => (port: number) => [bnpl, 'sandbox', 'start', '--port', `${port}`, ...more]
  const all: Server[] = [
    { name: 'bare `node:http`', words: (port) => ['-e', BARE, String(port)], path: '/' },
    { name: '`bnpl sandbox start --ephemeral`', words: start(['--ephemeral']), path: '/widget.js' },
    { name: '`bnpl sandbox start`', words: start(['--data', join(home, 'data.db')]), path: '/widget.js' },
  ]
  if ('path' in jsonServer)
    all.push({
      name: `json-server ${versionOf(jsonServer)}`,
      words: (port) => [jsonServer.path, '--host', '127.0.0.1', '--port', `${port}`, data],
      path: '/loans',
    })
  if ('path' in prism)
    all.push({
      name: `prism ${versionOf(prism)}`,
      words: (port) => [prism.path, 'mock', '--port', `${port}`, '--host', '127.0.0.1', openapi],
      path: '/partner/webhook',
      // Prism refuses this request, since it has no key. Any answer shows that the server is ready.
    })
  return all
}

/** Returns the milliseconds until the first answer. Then ends the server. */
async function boot(server: Server): Promise<number> {
  const port = await freePort()
  const env = { PATH: process.env.PATH, HOME: home, BNPL_STATE_DIR: join(home, 'state'), CI: '1' }
  const started = performance.now()
  const child = startProcess(process.execPath, server.words(port), { stdio: 'ignore', env })
  const gone = new Promise((resolve) => child.once('close', resolve))
  while (!(await answers(port, server.path))) {
    if (child.exitCode !== null) throw new Error(`${server.name} ended with ${child.exitCode}`)
    if (performance.now() - started > 60_000) throw new Error(`${server.name} never answered`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  const took = performance.now() - started
  child.kill('SIGKILL')
  await gone
  return took
}

function answers(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    get({ port, host: '127.0.0.1', path, agent: false }, (response) => {
      response.resume()
      resolve(path === '/partner/webhook' ? (response.statusCode ?? 500) < 500 : response.statusCode === 200)
    }).on('error', () => resolve(false))
  })
}

/**
 * Returns the milliseconds in which one process starts and ends 100 sandboxes of `bnpl/testing`, one after the other. One sandbox before
 * them does not count.
 */
function hundred(): number {
  const program = `
    import { startSandbox } from 'bnpl/testing'
    const startAndEnd = async () => { await using sandbox = await startSandbox() }
    await startAndEnd()
    const began = performance.now()
    for (let i = 0; i < 100; i++) await startAndEnd()
    console.log(performance.now() - began)`
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: root, encoding: 'utf8' })
  if (child.status !== 0) throw new Error(`a hundred sandboxes did not start: ${child.stderr}`)
  return Number(child.stdout)
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    }),
  )
}

try {
  const all = servers()
  const times = all.map((): number[] => [])
  const ratios = all.map((): number[] => [])
  const hundreds: number[] = []
  const hundredRatios: number[] = []
  for (let round = 0; round <= rounds; round++) {
    for (const [i, server] of all.entries()) {
      const base = await time({ name: 'bare', command: [process.execPath, '-e', '0'] })
      const took = await boot(server)
      // The first round does not count, because it fills caches.
      if (round === 0) continue
      times[i]?.push(took)
      ratios[i]?.push(took / base)
    }
    const base = await time({ name: 'bare', command: [process.execPath, '-e', '0'] })
    const took = hundred()
    if (round === 0) continue
    hundreds.push(took)
    hundredRatios.push(took / base)
  }
  const found = all.map(({ name }, i) => ({ name, ms: spread(times[i] ?? []), ratio: spread(ratios[i] ?? []) }))
  const private100 = {
    name: '100 × `startSandbox()`, after one that does not count',
    ms: spread(hundreds),
    ratio: spread(hundredRatios),
  }
  const ours = found.filter(({ name }) => name.includes('bnpl'))
  const peers = found.filter(({ name }) => !name.includes('bnpl') && !name.includes('bare'))
  const slow = ours.filter(({ ratio }) => ratio.median > GOAL).map(({ name }) => `${name} is over ${GOAL}`)
  const most = Math.max(...ours.map(({ ratio }) => ratio.median))
  const behind = peers.filter(({ ratio }) => ratio.median <= most).map(({ name }) => `${name} is there first`)
  const few = private100.ms.median >= HUNDRED_MS ? [`${private100.name} took ${HUNDRED_MS} ms or more`] : []
  publish({
    title: 'The sandbox: from start to the first answer',
    about: `The time from the start of the process to the first 200, in ${rounds} rounds. Prism serves our OpenAPI document; its time ends with the first answer other than 5xx. Ratios compare with bare Node (\`node -e 0\`), from its start to its end. The goal for our sandbox is a ratio of at most ${GOAL}, and a smaller ratio than json-server and prism. In the last row, one process starts and ends a hundred sandboxes of \`bnpl/testing\`, one after the other. Each has a port. The goal of this row is less than a second.`,
    columns: ['server', 'ms', 'ratio', 'spread'],
    rows: [...found, private100].map(({ name, ms, ratio }) => [
      name,
      ms.median,
      ratio.median.toFixed(2),
      `${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)}`,
    ]),
    missed: [...slow, ...behind, ...few],
  })
} finally {
  rmSync(home, { recursive: true, force: true })
}
