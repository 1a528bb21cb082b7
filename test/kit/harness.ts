import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCli } from '../../src/cli.ts'
import type { World } from '../../src/context.ts'
import type { Clock } from '../../src/domain/clock.ts'
import type { Words } from '../../src/language/patterns.ts'
import { hidingIo, type Io, isAccessible } from '../../src/terminal/output.ts'
import { secretsOfEnvironment } from '../../src/text/secrets.ts'
import { random } from './seed.ts'

export interface RunOptions {
  env?: Record<string, string>
  stdin?: string | Uint8Array
  columns?: number
  color?: boolean
  transport?: World['transport']
  clock?: Clock
  signal?: AbortSignal
  open?: World['open']
  stdoutIsTty?: boolean
  stderrIsTty?: boolean
  /** The texts for people, instead of those of the language that the environment or the settings name. */
  inLanguage?: Words
}

export interface Ran {
  code: number
  stdout: string
  stderr: string
  /** stdout as JSON. */
  json: () => any
  /** The error object in the last line of stderr. */
  error: () => any
}

/** A machine of its own, with its config and state in a new folder that is removed after the test. */
export interface Machine {
  dir: string
  configDir: string
  stateDir: string
  world(options?: RunOptions): { world: World; stdout: () => string; stderr: () => string }
  /** Runs a command line in this process. A string is split at spaces. @returns stdout, stderr and the exit code */
  run(line: string | readonly string[], options?: RunOptions): Promise<Ran>
  [Symbol.dispose](): void
}

/** Returns a clock whose sleeps return at once and move the clock forward. */
export function fakeClock(
  start = Date.parse('2026-03-01T12:00:00Z'),
): Clock & { advance(ms: number): void; slept: number[] } {
  let now = start
  const slept: number[] = []
  return {
    slept,
    now: () => now,
    monotonic: () => now - start,
    async sleep(ms, signal) {
      if (signal?.aborted) throw signal.reason
      slept.push(ms)
      now += ms
    },
    advance(ms) {
      now += ms
    },
  }
}

export const realClock: Clock = {
  now: Date.now,
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const timer = setTimeout(resolve, ms)
      signal?.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(signal.reason)
      })
    }),
}

/**
 * Returns a clock that moves to the end of the earliest sleep after every running promise has continued. Unlike with `fakeClock`, sleeps at
 * the same time do not add up, and no call is made later than the clock of its caller says.
 */
export function sharedClock(start = Date.parse('2026-03-01T12:00:00Z')): Clock {
  let now = start
  const sleepers: { until: number; wake: () => void }[] = []
  let isMoving = false
  const move = async () => {
    while (sleepers.length > 0) {
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
      now = Math.max(now, Math.min(...sleepers.map(({ until }) => until)))
      for (let at = sleepers.length - 1; at >= 0; at--)
        if ((sleepers[at]?.until ?? 0) <= now) sleepers.splice(at, 1)[0]?.wake()
    }
    isMoving = false
  }
  return {
    now: () => now,
    monotonic: () => now - start,
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      await new Promise<void>((resolve, reject) => {
        sleepers.push({ until: now + ms, wake: resolve })
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
        if (!isMoving) void move()
        isMoving = true
      })
    },
  }
}

/** Returns a clock that runs `factor` times as fast as the machine's, for waits that the test must go through. */
export function fastClock(factor: number): Clock {
  const [began, from] = [Date.now(), performance.now()]
  const gone = () => (performance.now() - from) * factor
  return {
    now: () => began + gone(),
    monotonic: gone,
    sleep: (ms, signal) => realClock.sleep(ms / factor, signal),
  }
}

export function machine(): Machine {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-test-'))
  const configDir = join(dir, 'config')
  const stateDir = join(dir, 'state')
  const make: Machine['world'] = (options = {}) => {
    let stdout = ''
    let stderr = ''
    const secrets = secretsOfEnvironment(options.env ?? {})
    const io: Io = {
      async out(data) {
        stdout += typeof data === 'string' ? data : Buffer.from(data).toString('latin1')
      },
      err(text) {
        stderr += text
      },
      async *stdin() {
        if (options.stdin !== undefined) yield Buffer.from(options.stdin as string)
      },
      stdinIsTty: false,
      stdoutIsTty: options.stdoutIsTty ?? false,
      stderrIsTty: options.stderrIsTty ?? false,
      stdoutIsPipe: false,
      columns: options.columns ?? 80,
      accessible: isAccessible(options.env ?? {}),
      redraws: !isAccessible(options.env ?? {}),
      outColor: options.color ?? false,
      errColor: options.color ?? false,
      ...(options.inLanguage ? { inLanguage: options.inLanguage } : {}),
    }
    const world: World = {
      io: hidingIo(io, secrets),
      env: options.env ?? {},
      cwd: dir,
      pid: process.pid,
      isAlive: (pid) => pid === process.pid,
      async killGroup(pid) {
        try {
          process.kill(-pid, 'SIGKILL')
        } catch {} // Every process of the group has ended.
      },
      version: '0.0.0-test',
      runtime: {
        node: '24.0.0',
        platform: 'linux',
        arch: 'x64',
        execPath: process.execPath,
        program: join(dir, 'bnpl.js'),
        isExecutable: false,
      },
      configDir,
      stateDir,
      clock: options.clock ?? realClock,
      random,
      signal: options.signal ?? new AbortController().signal,
      takeSignals: () => () => {},
      expectLongRun: () => {},
      boundMemory: async () => () => {},
      compileForRows: async () => {},
      whereabouts: { command: '', step: '' },
      secrets,
      open: options.open ?? (async () => true),
      ...(options.transport ? { transport: options.transport } : {}),
    }
    return { world, stdout: () => stdout, stderr: () => stderr }
  }
  return {
    dir,
    configDir,
    stateDir,
    world: make,
    async run(line, options) {
      const { world, stdout, stderr } = make(options)
      const code = await runCli(typeof line === 'string' ? line.split(' ').filter(Boolean) : line, world)
      return {
        code,
        stdout: stdout(),
        stderr: stderr(),
        json: () => JSON.parse(stdout()),
        error: () => JSON.parse(stderr().trimEnd().split('\n').at(-1) ?? '').error,
      }
    },
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  }
}
