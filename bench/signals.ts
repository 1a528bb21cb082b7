/**
 * Measures how fast a signal ends a command that waits, and checks the exit code: `node bench/signals.ts [trials] [which] [--json]`, after
 * a build. SIGINT is sent to a call that gets no answer, SIGTERM to a served sandbox and to a receiver. `which` is a word from the name of
 * one case. Throws when a code is wrong.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Cell, publish, quick, words } from './finding.ts'
import { exitOf, startProcess } from './processes.ts'

const trials = Number(words[0] ?? (quick ? 5 : 200))
/** Milliseconds after which a process is killed, which counts as a wrong code. */
const LONGEST_MS = 60_000
const rows: Cell[][] = []
const missed: string[] = []
const dir = mkdtempSync(join(tmpdir(), 'bnpl-signals-'))
let asked: ((socket: Socket) => void) | undefined
const silent = createServer((socket) => {
  socket.on('error', () => {})
  socket.once('data', () => asked?.(socket))
})
await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready))
const { port } = silent.address() as { port: number }

function start(line: string) {
  return startProcess(process.execPath, [join(import.meta.dirname, '../bin/bnpl.js'), ...line.split(' ')], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      HOME: dir,
      BNPL_STATE_DIR: dir,
      BNPL_BASE_URL: `http://127.0.0.1:${port}`,
      BNPL_API_KEY: 'k',
      BNPL_WEBHOOK_SECRET: 's',
    },
  })
}

/** Returns the milliseconds from a signal to the end of a process. @param ready resolves when the signal may be sent */
async function trial(line: string, signal: NodeJS.Signals, code: number, ready: () => Promise<unknown>) {
  const waiting = ready()
  const child = start(line)
  const ended = exitOf(child, LONGEST_MS)
  const early = ended.then((found) => Promise.reject(new Error(`${line}: exit ${found} before the signal`)))
  early.catch(() => {})
  await Promise.race([waiting, early])
  const began = performance.now()
  child.kill(signal)
  const found = await ended
  if (found !== code) throw new Error(`${line}: exit ${found}, not ${code}`)
  return performance.now() - began
}

async function series(what: string, code: number, goalMs: number, once: (n: number) => Promise<number>) {
  if (words[1] !== undefined && !what.includes(words[1])) return
  const times: number[] = []
  for (let n = 0; n < trials; n++) times.push(await once(n))
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0)
  rows.push([what, trials, `${code}, each time`, at(0.5), at(0.99), at(1), goalMs])
  if (at(1) > goalMs) missed.push(`${what}: ${at(1)} ms (goal: at most ${goalMs})`)
}

const request = () =>
  new Promise<Socket>((resolve) => {
    asked = resolve
  })
/** Starts a server, sends SIGTERM when its ready file exists, and returns the milliseconds until it ends. */
const served = (line: string, n: number) => {
  const file = join(dir, `ready-${line.split(' ')[0]}-${n}`)
  return trial(`${line} --port 0 --ready-file ${file}`, 'SIGTERM', 143, async () => {
    while (!existsSync(file)) await pause(5)
  })
}
try {
  await series('SIGINT, a call without an answer', 130, 200, () => trial('verify T1', 'SIGINT', 130, request))
  await series('SIGTERM, a served sandbox', 143, 5000, (n) => served('sandbox start --ephemeral', n))
  await series('SIGTERM, a receiver', 143, 5000, (n) => served('webhooks listen', n))
} finally {
  silent.close()
  rmSync(dir, { recursive: true, force: true })
}
publish({
  title: 'Signals',
  about: 'From the signal to the end of the process, in ms, and the exit code. A wrong code ends the measurement.',
  columns: ['signal', 'trials', 'exit code', 'median', 'p99', 'longest', 'goal'],
  rows,
  missed,
})
