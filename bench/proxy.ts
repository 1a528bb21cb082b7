import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { FORM_TYPE } from '../src/contract/form.ts'
import { publish, quick } from './finding.ts'
import { spread } from './measure.ts'
import { endProcess, firstLine, startProcess, untilReady } from './processes.ts'

/**
 * Compares the proxy with a bare pass-through proxy of node:http over 64 connections, and measures its memory while large bodies pass:
 * `node bench/proxy.ts [--quick] [--json]`, after a build. The exit code is 1 when a call takes more than 1.5 times as long as through the
 * bare proxy.
 */

const CONNECTIONS = 64
const CALLS = quick ? 2_000 : 20_000
const ROUNDS = quick ? 2 : 9
const LARGE = quick ? 64 : 256
const GOAL = 1.5
/** For large bodies, in MiB: 2.5 for each connection, which is a quarter of one body. Four times as many bodies need no more. */
const GOAL_MIB = 160
const MIB = 1024 * 1024

const BODY = 'idNumber=11222333-9&amount=250000&entityId=E1&externalTrxId=T1'
const HEADERS = { authorization: 'Bearer bnpl_test_0123456789abcdef', 'content-type': FORM_TYPE }

const dir = mkdtempSync(join(tmpdir(), 'bnpl-bench-'))
const script = new URL('./proxy-service.ts', import.meta.url).pathname
const service = startProcess(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
const port = await firstLine('the service', service)
const bare = startProcess(process.execPath, [script, port], { stdio: ['ignore', 'pipe', 'inherit'] })
const barePort = await firstLine('the bare proxy', bare)
const ready = join(dir, 'ready.json')
const lines = join(dir, 'lines.ndjson')
const proxy = startProcess(
  process.execPath,
  [
    new URL('../bin/bnpl.js', import.meta.url).pathname,
    'proxy',
    '--port',
    '0',
    '--ready-file',
    ready,
    '-o',
    'ndjson',
    '-q',
  ],
  {
    stdio: ['ignore', openSync(lines, 'w'), 'inherit'],
    env: { ...process.env, BNPL_BASE_URL: `http://127.0.0.1:${port}`, BNPL_API_KEY: 'bnpl_test_0123456789abcdef' },
  },
)

/** Returns the text of the ready file; empty until the file exists. */
function readyText(): string {
  try {
    return readFileSync(ready, 'utf8')
  } catch {
    return ''
  }
}

/** Returns how many milliseconds a call takes while every connection is busy. */
async function perCall(url: string, path: string, calls: number): Promise<number> {
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 })
  let left = calls
  const began = performance.now()
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left-- > 0) {
        const { statusCode, body } = await pool.request({ method: 'POST', path, headers: HEADERS, body: BODY })
        await body.dump({ limit: 20 * MIB })
        if (statusCode !== 200) throw new Error(`status ${statusCode}`)
      }
    }),
  )
  const ms = (performance.now() - began) / calls
  await pool.close()
  return ms
}

/** Returns the resident memory of a process, now and at its peak, in MiB; NaN where the system does not report it. */
function memoryOf(pid: number | undefined): { now: number; peak: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const mib = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
    return { now: mib('VmRSS'), peak: mib('VmHWM') }
  } catch {
    return { now: Number.NaN, peak: Number.NaN }
  }
}

try {
  await untilReady('the proxy', proxy, () => readyText().endsWith('\n'))
  const ways = {
    direct: `http://127.0.0.1:${port}`,
    bare: `http://127.0.0.1:${barePort}`,
    proxy: JSON.parse(readyText()).url,
  }
  const path = '/partner/pre-loan-request/bnpl'
  const times: Record<string, number[]> = { direct: [], bare: [], proxy: [] }
  const ratios: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const took: Record<string, number> = {}
    for (const [name, url] of Object.entries(ways)) took[name] = await perCall(url, path, CALLS)
    // The first round only warms the servers up.
    if (round === 0) continue
    for (const [name, ms] of Object.entries(took)) times[name]?.push(ms)
    ratios.push((took.proxy ?? 0) / (took.bare ?? 1))
  }
  const before = memoryOf(proxy.pid)
  await perCall(ways.proxy, '/large', LARGE)
  const after = memoryOf(proxy.pid)
  await perCall(ways.proxy, '/large', 3 * LARGE)
  const later = memoryOf(proxy.pid)
  const ratio = spread(ratios)
  const row = (name: string, key: string) => {
    const { median, low, high } = spread(times[key] ?? [])
    return [name, median * 1000, `${(low * 1000).toFixed(0)}–${(high * 1000).toFixed(0)}`]
  }
  const grown = later.peak - before.now
  publish({
    title: 'The proxy',
    about: `${CALLS} calls over ${CONNECTIONS} connections. \`bnpl proxy\` compares each call with the contract and writes it as a line of JSON. The bare proxy is written with node:http and only passes bytes on. Ratios compare with the bare proxy of the same round. To measure the memory, ${LARGE} answers of 10 MiB pass through \`bnpl proxy\` after these calls, and then another ${3 * LARGE}.`,
    columns: [
      '',
      'µs a call',
      'low–high',
      'ratio',
      'MiB before large bodies',
      `peak MiB after ${LARGE}`,
      `peak MiB after ${4 * LARGE}`,
    ],
    rows: [
      [...row('no proxy', 'direct'), '', '', '', ''],
      [...row('bare proxy', 'bare'), 1, '', '', ''],
      [...row('`bnpl proxy`', 'proxy'), ratio.median, before.now, after.peak, later.peak],
    ],
    missed: [
      ...(ratio.median > GOAL ? [`a call takes ${ratio.median.toFixed(2)} times the bare proxy’s, goal ${GOAL}`] : []),
      ...(grown > GOAL_MIB ? [`large bodies took ${grown.toFixed(0)} MiB of memory, goal ${GOAL_MIB}`] : []),
    ],
  })
} finally {
  for (const child of [proxy, bare, service]) await endProcess(child)
  rmSync(dir, { recursive: true, force: true })
}
