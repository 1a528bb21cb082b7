import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { publish, quick, words } from './finding.ts'
import { firstLine, startProcess } from './processes.ts'

/**
 * Checks that every run ends by itself and with the right exit code: downloads, runs over a file, and listeners that are interrupted.
 * After a build: `node bench/hangs.ts [runs of each]`. Two programs run at a time, so that they disturb each other.
 */

const runs = Number(words[0] ?? (quick ? 10 : 500))
const AT_A_TIME = 2
/** Milliseconds after which a run counts as hanging. */
const LONGEST_MS = 60_000

const bnpl = join(dirname(import.meta.dirname), 'bin', 'bnpl.js')
const home = mkdtempSync(join(tmpdir(), 'bnpl-hangs-'))
const report = Buffer.alloc(2_000_000, 'stream of a report\n')
report.write('%PDF-1.7\n')
report.write('\n%%EOF\n', report.length - 7)
const service = startProcess(process.execPath, [join(import.meta.dirname, 'bulk-service.ts')], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const port = await firstLine('the service', service)
const storage = createServer((request, response) => {
  if (request.url === '/file') response.writeHead(200, { 'content-type': 'application/pdf' }).end(report)
  else response.end(JSON.stringify({ data: { url: `http://${request.headers.host}/file` } }))
}).listen(0, '127.0.0.1')
await once(storage, 'listening')
writeFileSync(join(home, 'ids.csv'), `externalTrxId\n${Array.from({ length: 50 }, (_, i) => `order-${i}\n`).join('')}`)

interface Kind {
  what: string
  /** The exit code that the run must have. */
  code: number
  line: (dir: string) => string
  baseUrl: string
  /** Whether the run is interrupted as soon as it is ready. */
  interrupt?: boolean
  /** Returns whether the run has left the right files in its folder. */
  left?: (dir: string) => boolean
}

const KINDS: readonly Kind[] = [
  {
    what: 'a download of 2 MB, by id',
    code: 0,
    line: (dir) => `informe download P1 --json --dir ${dir}`,
    baseUrl: `http://127.0.0.1:${(storage.address() as AddressInfo).port}`,
    left: (dir) => readFileSync(join(dir, 'PreAprobacion_P1.pdf')).equals(report),
  },
  {
    what: 'a run over 50 rows',
    code: 0,
    line: (dir) => `verify --from ${home}/ids.csv --out ${dir}/out.csv -q`,
    baseUrl: `http://127.0.0.1:${port}`,
    left: (dir) => readFileSync(join(dir, 'out.csv'), 'utf8').split('\n').length === 52,
  },
  {
    what: 'a listener that is interrupted as soon as it listens',
    code: 130,
    line: (dir) => `webhooks listen --port 0 -q --ready-file ${dir}/ready.json`,
    baseUrl: 'http://127.0.0.1:9',
    interrupt: true,
  },
]

/** Returns how long a run took, in ms. Throws when the run hangs, or when its exit code or its files are wrong. */
async function run(kind: Kind): Promise<number> {
  const dir = mkdtempSync(join(home, 'run-'))
  const began = performance.now()
  const child = startProcess(process.execPath, [bnpl, ...kind.line(dir).split(' ')], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      HOME: home,
      BNPL_STATE_DIR: join(dir, 'state'),
      BNPL_BASE_URL: kind.baseUrl,
      BNPL_API_KEY: 'key',
      BNPL_WEBHOOK_SECRET: 'secret',
    },
  })
  const ended = new Promise<number | string>((resolve) => {
    const hung = setTimeout(() => {
      child.kill('SIGKILL')
      resolve('no end')
    }, LONGEST_MS)
    child.once('close', (code, signal) => {
      clearTimeout(hung)
      resolve(code ?? String(signal))
    })
  })
  if (kind.interrupt) {
    while (!existsSync(join(dir, 'ready.json')) && child.exitCode === null) await pause(3)
    child.kill('SIGINT')
  }
  const code = await ended
  const took = performance.now() - began
  if (code !== kind.code) throw new Error(`ended with ${code}`)
  if (kind.left?.(dir) === false) throw new Error('left wrong files')
  rmSync(dir, { recursive: true })
  return took
}

try {
  const rows: [string, string, string, number, number][] = []
  const missed: string[] = []
  for (const kind of KINDS) {
    const times: number[] = []
    let next = 0
    const work = async () => {
      while (next++ < runs)
        await run(kind).then(
          (took) => times.push(took),
          (error: Error) => missed.push(`${kind.what}: ${error.message}`),
        )
    }
    await Promise.all(Array.from({ length: AT_A_TIME }, work))
    times.sort((a, b) => a - b)
    const code = kind.interrupt ? `${kind.code}, after SIGINT` : `${kind.code}`
    rows.push([kind.what, `${times.length} of ${runs}`, code, times[times.length >> 1] ?? 0, times.at(-1) ?? 0])
  }
  publish({
    title: 'Runs that end',
    about: `${runs} runs of each kind, ${AT_A_TIME} at a time. Every run must end by itself, with the right exit code, and leave complete files.`,
    columns: ['run', 'ended right', 'exit code', 'median ms', 'longest ms'],
    rows,
    missed,
  })
} finally {
  service.kill()
  storage.closeAllConnections()
  storage.close()
  rmSync(home, { recursive: true, force: true })
}
