import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endProcess, exitOf, firstLine, startProcess, untilReady } from '../processes.ts'

/** A server under load, in a process of its own. */
export interface Served {
  url: string
  pid: number
  /** The lines that the server has written to stdout so far. */
  lines(): string[]
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** The results of a load. Latencies are in ms. */
export interface Load {
  acksPerSecond: number
  p50: number
  p99: number
  p999: number
  max: number
  /** How many requests got an answer other than 2xx, or lost their connection. */
  failed: number
}

/** About the size of a pre_approve event of 51 fields. */
export const BODY_BYTES = 1950
export const SECRET = 'secret-of-the-benchmark'
const HERE = import.meta.dirname
export const MAIN = join(HERE, '../../src/main.ts')

export async function startBare(): Promise<Served> {
  const child = startProcess(process.execPath, [join(HERE, 'bare-server.ts')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await firstLine('the bare server', child)
  return { url, pid: child.pid ?? 0, lines: () => [], stop: () => endProcess(child, 'SIGKILL') }
}

/**
 * Starts the built receiver.
 * @param dir folder of its state and of its output. Without it the folder is a temporary one, which is removed at the end, and the output
 * is discarded
 */
export async function startReceiver(
  program: readonly string[],
  dir?: string,
  more: Record<string, string> = {},
): Promise<Served> {
  const home = dir ?? mkdtempSync(join(tmpdir(), 'bnpl-bench-'))
  const ready = join(home, 'ready.json')
  rmSync(ready, { force: true })
  const args = [...program, 'webhooks', 'listen', '--port', '0', '--ready-file', ready]
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    BNPL_STATE_DIR: join(home, 'state'),
    BNPL_CONFIG_DIR: join(home, 'config'),
    BNPL_WEBHOOK_SECRET: SECRET,
    ...more,
  }
  const child = startProcess(process.execPath, args, { stdio: ['ignore', dir ? 'pipe' : 'ignore', 'ignore'], env })
  let text = ''
  child.stdout?.on('data', (chunk) => {
    text += chunk
  })
  await untilReady('the receiver', child, () => existsSync(ready))
  return {
    url: JSON.parse(readFileSync(ready, 'utf8')).url,
    pid: child.pid ?? 0,
    lines: () => text.split('\n').slice(0, -1),
    async stop(signal = 'SIGTERM') {
      await endProcess(child, signal)
      if (!dir) rmSync(home, { recursive: true, force: true })
    },
  }
}

let runs = 0

/** How an eventId begins: with the time, like a UUID of version 7, or with random digits. */
export type Ids = 'ordered' | 'random'

/**
 * What a finding about the receiver says where wrk is not installed. A load generator in JavaScript would not do: the bare server answers
 * more requests than such a generator sends, so the ratios would measure the generator.
 */
export const NO_WRK = 'Not measured: wrk, which makes the load, is not installed.'

/** Sends signed deliveries, each with a new eventId, for `seconds` over `connections`. Throws when wrk fails or does not end. */
export async function load(
  url: string,
  connections: number,
  seconds: number,
  bytes: number,
  ids: Ids = 'ordered',
): Promise<Load> {
  const run = (process.pid * 64 + runs++).toString(16).padStart(6, '0').slice(-6)
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', join(HERE, 'load.lua')]
  const args = [...options, url, '--', SECRET, run, new URL(url).pathname, String(bytes), String(Date.now()), ids]
  const child = startProcess('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout?.on('data', (chunk) => {
    text += chunk
  })
  await exitOf(child, seconds * 1000 + 60_000)
  const result = JSON.parse(/^RESULT (.*)$/m.exec(text)?.[1] ?? 'null')
  if (result === null) throw new Error(`wrk said: ${text}`)
  const ms = (us: number) => us / 1000
  return {
    acksPerSecond: result.requests / (result.us / 1e6),
    p50: ms(result.p50),
    p99: ms(result.p99),
    p999: ms(result.p999),
    max: ms(result.max),
    failed: result.bad + result.broken,
  }
}
