/**
 * How fast a signal ends what waits, and with which code: `node bench/signals.ts [trials]`, after a build. SIGINT to a call that
 * gets no answer, SIGTERM to a sandbox that is served. Throws when a code is wrong.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const trials = Number(process.argv[2] ?? 200)
const dir = mkdtempSync(join(tmpdir(), 'bnpl-signals-'))
let asked: ((socket: Socket) => void) | undefined
const silent = createServer((socket) => {
  socket.on('error', () => {})
  socket.once('data', () => asked?.(socket))
})
await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready))
const { port } = silent.address() as { port: number }

function start(line: string) {
  return spawn(process.execPath, [join(import.meta.dirname, '../bin/bnpl.js'), ...line.split(' ')], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      HOME: dir,
      BNPL_STATE_DIR: dir,
      BNPL_BASE_URL: `http://127.0.0.1:${port}`,
      BNPL_API_KEY: 'k',
    },
  })
}

/** @param ready resolves when the signal may come @returns milliseconds until the end */
async function trial(line: string, signal: NodeJS.Signals, code: number, ready: () => Promise<unknown>) {
  const waiting = ready()
  const child = start(line)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  await waiting
  const began = performance.now()
  child.kill(signal)
  const found = await ended
  if (found !== code) throw new Error(`${line}: exit ${found}, not ${code}`)
  return performance.now() - began
}

async function series(what: string, once: (n: number) => Promise<number>) {
  const times: number[] = []
  for (let n = 0; n < trials; n++) times.push(await once(n))
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0)
  console.log(`${what}: ${trials} of ${trials} with the right code; median ${at(0.5)} ms, longest ${at(1)} ms`)
}

const request = () =>
  new Promise<Socket>((resolve) => {
    asked = resolve
  })
await series('SIGINT to a call without an answer, 130', () => trial('verify T1', 'SIGINT', 130, request))
await series('SIGTERM to a served sandbox, 143', (n) => {
  const file = join(dir, `ready-${n}`)
  return trial(`sandbox start --port 0 --ephemeral --ready-file ${file}`, 'SIGTERM', 143, async () => {
    while (!existsSync(file)) await pause(5)
  })
})
silent.close()
rmSync(dir, { recursive: true, force: true })
