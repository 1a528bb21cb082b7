import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countingService } from '../test/kit/counting-service.ts'
import { customers } from '../test/kit/customer-rows.ts'
import { startProcess } from './processes.ts'

/**
 * Kills a run of 10,000 evaluations at random times, and resumes it until every row is done. After a build:
 * `node bench/bulk-crash.ts [rows] [seconds between kills]`.
 * Throws when a call that is not safe to repeat was sent twice, or when more rows are unknown than were in flight at the kills.
 */
const rows = Number(process.argv[2] ?? 10_000)
const between = Number(process.argv[3] ?? 0.6) * 1000
const WORKERS = 8

const root = join(import.meta.dirname, '..')
const dir = mkdtempSync(join(tmpdir(), 'bnpl-crash-'))
const service = await countingService(2)
writeFileSync(join(dir, 'in.csv'), customers(rows))

function start(more: string[] = []) {
  const words = [
    'evaluate',
    '--from',
    'in.csv',
    '--out',
    'out.csv',
    '--resume',
    '-q',
    '--concurrency',
    String(WORKERS),
    ...more,
  ]
  const child = startProcess(process.execPath, [join(root, 'bin/bnpl.js'), ...words], {
    cwd: dir,
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      HOME: dir,
      BNPL_BASE_URL: service.baseUrl,
      BNPL_API_KEY: 'key',
      BNPL_ENTITY_ID: 'E1',
      BNPL_STATE_DIR: join(dir, 'state'),
    },
  })
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  )
  return { child, ended }
}

const outcomes = () =>
  readFileSync(join(dir, 'out.csv'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',')[2])

try {
  let kills = 0
  for (;;) {
    const { child, ended } = start()
    const timer = setTimeout(() => child.kill('SIGKILL'), between * (0.5 + Math.random()))
    const { code, signal } = await ended
    clearTimeout(timer)
    if (signal === 'SIGKILL') {
      kills++
      continue
    }
    if (code !== 0 && code !== 12) throw new Error(`it ended with ${code}`)
    break
  }
  const twice = [...service.asked.values()].filter((count) => count > 1).length
  const unknown = outcomes().filter((outcome) => outcome === 'unknown').length
  console.log(
    `${rows} rows, ${kills} kills: ${twice} sent twice, ${unknown} unknown (in flight at most: ${kills * WORKERS})`,
  )
  if (twice > 0 || unknown > kills * WORKERS || outcomes().length !== rows) throw new Error('a promise was broken')
  const before = service.total()
  const { code } = await start(['--retry-unknown']).ended
  const sent = service.total() - before
  console.log(`--retry-unknown: ${sent} sent, exit ${code}`)
  if (sent !== unknown || code !== 0 || outcomes().some((outcome) => outcome !== 'ok'))
    throw new Error('a promise was broken')
} finally {
  await service.close()
  rmSync(dir, { recursive: true, force: true })
}
