import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { compiledCode, LAUNCHER } from './built-program.ts'
import { type Ended, outputOf } from './child-output.ts'

/** The program in processes of its own, run from its sources, on a machine of its own. */
export interface Program {
  dir: string
  stateDir: string
  /** Starts the program. `ended` resolves when its streams are closed. @param stdin a file descriptor; empty if left out */
  start(line: string | readonly string[], env?: Record<string, string>, stdin?: number): Started
  /** Runs the program and waits until it ends. */
  run(line: string | readonly string[], env?: Record<string, string>): Promise<Ended>
  /** Starts `sandbox start` on a free port, and resolves when it answers. */
  sandbox(options?: string): Promise<Started & { baseUrl: string; ready: any; readyFile: string }>
  [Symbol.asyncDispose](): Promise<void>
}

export interface Started {
  child: ChildProcess
  ended: Promise<Ended>
  /** What the program has written to stderr so far. */
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

/** Waits for a condition. Throws when the program ends before the condition is true. */
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
