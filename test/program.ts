import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { compiledCode, LAUNCHER } from './built-program.ts'
import { type Ended, outputOf } from './child-output.ts'

/** The program as a process of its own, from its sources, on a machine of its own. */
export interface Program {
  dir: string
  stateDir: string
  /** Starts it; `ended` resolves when its streams are closed. @param stdin a descriptor; empty without one */
  start(line: string | readonly string[], env?: Record<string, string>, stdin?: number): Started
  /** Starts it and waits for its end. */
  run(line: string | readonly string[], env?: Record<string, string>): Promise<Ended>
  /** `sandbox start` on a free port, once it answers. */
  sandbox(options?: string): Promise<Started & { baseUrl: string; ready: any; readyFile: string }>
  [Symbol.asyncDispose](): Promise<void>
}

export interface Started {
  child: ChildProcess
  ended: Promise<Ended>
  /** What it has written to stderr so far. */
  stderr(): string
}

export function program(): Program {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-program-'))
  const stateDir = join(dir, 'state')
  const running = new Set<Started>()
  const start: Program['start'] = (line, env = {}, stdin) => {
    const words = typeof line === 'string' ? line.split(' ').filter(Boolean) : line
    const child = spawn(process.execPath, [LAUNCHER, ...words], {
      cwd: dir,
      env: {
        PATH: process.env.PATH,
        HOME: dir,
        TMPDIR: dir,
        ...compiledCode(),
        BNPL_CONFIG_DIR: join(dir, 'config'),
        BNPL_STATE_DIR: stateDir,
        ...env,
      },
      stdio: [stdin ?? 'ignore', 'pipe', 'pipe'],
    })
    const { ended, stderr } = outputOf(child)
    const started = { child, ended, stderr }
    running.add(started)
    void ended.finally(() => running.delete(started))
    return started
  }
  let count = 0
  return {
    dir,
    stateDir,
    start,
    run: (line, env) => start(line, env).ended,
    async sandbox(options = '') {
      const readyFile = join(dir, `ready-${++count}.json`)
      const started = start(`sandbox start --port 0 --json --ready-file ${readyFile} ${options}`)
      await until(() => existsSync(readyFile), started)
      const ready = JSON.parse(readFileSync(readyFile, 'utf8'))
      return { ...started, ready, readyFile, baseUrl: ready.baseUrl }
    },
    async [Symbol.asyncDispose]() {
      for (const { child } of running) child.kill('SIGKILL')
      await Promise.all([...running].map(({ ended }) => ended))
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Waits for a condition, as long as the program it depends on runs. */
export async function until(isTrue: () => boolean, { ended }: Pick<Started, 'ended'>): Promise<void> {
  let end: Ended | undefined
  void ended.then((how) => {
    end = how
  })
  while (!isTrue()) {
    if (end) throw new Error(`the program ended first: ${end.code} ${end.signal}\n${end.stdout}${end.stderr}`)
    await pause(10)
  }
}
