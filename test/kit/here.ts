import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCli } from '../../src/cli.ts'
import type { SignalName } from '../../src/context.ts'
import { Interrupted } from '../../src/errors.ts'
import type { Ended } from './child-output.ts'
import { machine } from './harness.ts'
import { until } from './program.ts'

const CODES: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }

/** A command that runs in this process. */
export interface StartedHere {
  /** Sends a signal to the command, as the system does to a process. */
  child: { pid: number; kill(name: SignalName): void }
  ended: Promise<Ended>
  stdout(): string
  stderr(): string
}

/**
 * The commands of `program()`, run in this process, which takes a third of the time. A command that must be killed, or that shares its files
 * with another one that runs, needs `program()`.
 */
export function here(dir?: string) {
  const m = machine()
  const home = dir ?? m.dir
  const state = join(home, 'state')
  const running = new Set<StartedHere>()
  const start = (line: string | readonly string[], env: Record<string, string> = {}): StartedHere => {
    const stop = new AbortController()
    const { world, stdout, stderr } = m.world({
      env: { PATH: process.env.PATH ?? '', HOME: home, ...env },
      signal: stop.signal,
    })
    const takers: ((name: SignalName) => void)[] = []
    Object.assign(world, {
      cwd: home,
      stateDir: env.BNPL_STATE_DIR ?? state,
      configDir: join(home, 'config'),
      takeSignals(take: (name: SignalName) => void) {
        takers.push(take)
        return () => takers.splice(takers.indexOf(take), 1)
      },
    })
    const words = typeof line === 'string' ? line.split(' ').filter(Boolean) : line
    const started: StartedHere = {
      child: {
        pid: process.pid,
        kill(name) {
          const take = takers.at(-1)
          if (take) take(name)
          else stop.abort(new Interrupted(CODES[name]))
        },
      },
      ended: runCli(words, world).then((code) => ({ code, signal: null, stdout: stdout(), stderr: stderr() })),
      stdout,
      stderr,
    }
    running.add(started)
    void started.ended.finally(() => running.delete(started))
    return started
  }
  let count = 0
  return {
    dir: home,
    stateDir: state,
    start,
    run: (line: string | readonly string[], env?: Record<string, string>) => start(line, env).ended,
    /** Starts `sandbox start` on a free port, and resolves when it answers. */
    async sandbox(options = '') {
      const readyFile = join(home, `ready-${++count}.json`)
      const started = start(`sandbox start --port 0 --json --ready-file ${readyFile} ${options}`)
      await until(() => existsSync(readyFile), started)
      const ready = JSON.parse(readFileSync(readyFile, 'utf8'))
      return { ...started, ready, readyFile, baseUrl: ready.baseUrl as string }
    },
    async [Symbol.asyncDispose]() {
      for (const { child } of running) child.kill('SIGTERM')
      await Promise.all([...running].map(({ ended }) => ended))
      m[Symbol.dispose]()
    },
  }
}
