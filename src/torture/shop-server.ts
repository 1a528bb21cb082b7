import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../domain/clock.ts'
import { type Ran, runProgram } from './program.ts'

/** Only ports below 32768 are used, because other programs often get higher ports, and could take the port of a killed shop. */
const [FIRST, LAST] = [20_000, 32_000]

/** More than the runs of one torture that start a server. */
const STEP = 1_009

let given = 0

/**
 * Returns a loopback port on which nothing listens. Every call returns a different port.
 * @param pid the id of this process, so that two processes begin at different ports
 */
export async function freePort(pid: number): Promise<number> {
  for (;;) {
    const port = FIRST + ((pid * STEP + given++) % (LAST - FIRST))
    if (!(await isListening(port))) return port
  }
}

/** Whether a server of this machine accepts connections on a port. */
function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: 'localhost' })
    const answer = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => answer(true))
    socket.once('error', () => answer(false))
  })
}

export interface ShopServer {
  /** The port of this machine (`localhost`) on which the server must listen. */
  port: number
  /** Resolves when the server listens, or when `problem` says why it does not. */
  start(): Promise<void>
  /**
   * Kills the server with SIGKILL, because a signal that it can handle would test its shutdown and not its data. Resolves when nothing
   * listens on its port.
   */
  kill(): Promise<void>
  /** Kills the server without starting it again, and returns its output. */
  end(): Promise<Pick<Ran, 'stdout' | 'stderr'>>
  /** Why the server failed (it did not start, or it ended by itself); undefined if it has not failed. */
  problem(): string | undefined
  /** Aborted when the server does not start. */
  failed: AbortSignal
}

interface Setting {
  line: string
  port: number
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  startMs: number
  clock: Clock
  signal: AbortSignal
  killGroup(pid: number): Promise<void>
}

const LOOK_MS = 10

/** A process that has closed its port ends within this time. */
const ENDING_MS = 5_000

/** The server needs no time limit, but `runProgram` does. This is the longest time that a timer can wait. */
const NO_LIMIT_MS = 2 ** 31 - 1

/** Creates the server of a run, without starting it. */
export function createShopServer({ line, port, startMs, signal, ...program }: Setting): ShopServer {
  const written: Ran[] = []
  const failed = new AbortController()
  let problem: string | undefined
  let current: { stop: AbortController; ended: Promise<void> } | undefined
  let isOver = false
  const whether = async (isOpen: boolean, orElse: () => boolean): Promise<boolean> => {
    for (const until = performance.now() + startMs; performance.now() < until && !isOver; await pause(LOOK_MS)) {
      if ((await isListening(port)) === isOpen) return true
      if (signal.aborted || orElse()) return false
    }
    return false
  }
  const kill = async () => {
    if (current === undefined) return
    // A server that no longer listens is ending by itself. Wait for that, because otherwise its end would count as this kill.
    if (!(await isListening(port))) await Promise.race([current.ended, pause(ENDING_MS, undefined, { ref: false })])
    current.stop.abort()
    await current.ended
    current = undefined
  }
  return {
    port,
    problem: () => problem,
    failed: failed.signal,
    async start() {
      if (isOver) return
      const stop = new AbortController()
      let isUp = false
      let code: number | undefined
      const limits = { limitMs: NO_LIMIT_MS, signal: AbortSignal.any([signal, stop.signal]) }
      const ended = runProgram({ ...program, ...limits, command: line }).then((ran) => {
        written.push(ran)
        code = ran.code
        if (isUp && !limits.signal.aborted)
          problem ??= `the server ended with exit code ${code}, although it was not killed`
      })
      current = { stop, ended }
      isUp = await whether(true, () => code !== undefined)
      if (isUp || isOver || signal.aborted) return
      problem ??=
        code === undefined
          ? `the server did not listen on its port within ${Math.round(startMs / 1000)} s`
          : `the server ended with exit code ${code} before it listened on its port`
      failed.abort()
    },
    async kill() {
      await kill()
      await whether(false, () => false)
    },
    async end() {
      isOver = true
      await kill()
      const all = (stream: 'stdout' | 'stderr') => written.map((ran) => ran[stream]).join('')
      return { stdout: all('stdout'), stderr: all('stderr') }
    },
  }
}
