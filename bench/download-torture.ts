import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startProcess } from './processes.ts'

/**
 * Repeats hundreds of times what the everyday tests do a few times: downloads one after the other, of which none may hang; downloads to
 * files that may only grow to a limit; and kills at random moments. After each of them the file that was there before must be whole.
 * Arguments: how many runs of each kind (500, 200, 100).
 */

const SIZE = 600_000
const OLD = 'the report of last week'
const LONGEST_MS = 30_000

const root = dirname(import.meta.dirname)
if (!existsSync(join(root, 'dist', 'main.cjs'))) throw new Error('not built: npm run build')
const [rows = '500', limits = '200', kills = '100'] = process.argv.slice(2)
const home = mkdtempSync(join(tmpdir(), 'bnpl-torture-'))
const target = join(home, 'PreAprobacion_P1.pdf')
const report = Buffer.alloc(SIZE, 'stream\n')
report.write('%PDF-1.7\n')
report.write('\n%%EOF\n', SIZE - 7)
let slowly = false
const server = await serve()
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

try {
  await inARow(Number(rows))
  await upToALimit(Number(limits))
  await killed(Number(kills))
} finally {
  server.closeAllConnections()
  server.close()
  rmSync(home, { recursive: true })
}

async function inARow(count: number): Promise<void> {
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const started = performance.now()
    const { code, hung } = await download(':')
    if (hung || code !== 0 || !readFileSync(target).equals(report))
      throw new Error(`download ${i} ended with ${code}, hung: ${hung}`)
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  console.log(
    `${count} downloads in a row: every one ended by itself, median ${times[count >> 1]?.toFixed(0)} ms, longest ${times.at(-1)?.toFixed(0)} ms`,
  )
}

async function upToALimit(count: number): Promise<void> {
  const blocks = SIZE / 512
  for (let i = 0; i < count; i++) {
    writeFileSync(target, OLD)
    const limit = Math.floor((blocks * i) / count)
    const { code } = await download(`ulimit -f ${limit}`)
    const left = leftOver()
    if (code !== 13 || readFileSync(target, 'utf8') !== OLD || left.length > 0)
      throw new Error(`ulimit -f ${limit}: exit ${code}, left ${left}`)
  }
  console.log(`${count} sizes of \`ulimit -f\`: exit 13 each time, the old file whole, nothing left behind`)
}

async function killed(count: number): Promise<void> {
  slowly = true
  const seen = { old: 0, whole: 0, temporary: 0 }
  for (let i = 0; i < count; i++) {
    writeFileSync(target, OLD)
    await download(':', Math.random() * 250)
    const found = readFileSync(target)
    if (found.equals(report)) seen.whole++
    else if (found.toString() === OLD) seen.old++
    else throw new Error(`kill ${i} left ${found.length} bytes of something else`)
    seen.temporary += leftOver().length > 0 ? 1 : 0
  }
  slowly = false
  await download(':')
  if (leftOver().length > 0) throw new Error(`not cleared away: ${leftOver()}`)
  console.log(
    `${count} kills at random: ${seen.old} left the old report, ${seen.whole} the new one, ${seen.temporary} a temporary file, which the next run cleared away`,
  )
}

function leftOver(): string[] {
  return readdirSync(home).filter((name) => name.endsWith('.part'))
}

/** Runs the program in a shell that first sets a limit. If `killAfterMs` is given, kills the program after that time. */
async function download(limit: string, killAfterMs?: number): Promise<{ code: number | null; hung: boolean }> {
  const words = [join(root, 'bin', 'bnpl.js'), 'informe', 'download', 'P1', '--force', '--json', '--dir', home]
  const child = startProcess('sh', ['-c', `${limit}; exec "$0" "$@"`, process.execPath, ...words], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      BNPL_STATE_DIR: join(home, 'state'),
      BNPL_BASE_URL: base,
      BNPL_API_KEY: 'key',
    },
    stdio: 'ignore',
  })
  let hung = false
  const watch = setTimeout(() => {
    hung = true
    child.kill('SIGKILL')
  }, LONGEST_MS)
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  if (killAfterMs !== undefined) {
    await Promise.race([pause(killAfterMs), ended])
    child.kill('SIGKILL')
  }
  const code = await ended
  clearTimeout(watch)
  return { code, hung }
}

function serve(): Promise<Server> {
  const made = createServer(async (request, response) => {
    if (request.url !== '/file')
      return response.end(JSON.stringify({ data: { url: `http://${request.headers.host}/file` } }))
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': SIZE })
    for (let at = 0; at < SIZE && !response.destroyed; at += 60_000) {
      response.write(report.subarray(at, at + 60_000))
      if (slowly) await pause(8)
    }
    response.end()
  })
  return new Promise((resolve) => made.listen(0, '127.0.0.1', () => resolve(made)))
}
