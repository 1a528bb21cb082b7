import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { timerMs } from '../domain/clock.ts'
import { codeOf } from '../errors.ts'

interface Program {
  command: readonly string[] | string
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  limitMs: number
  signal: AbortSignal
  killGroup(pid: number): void
}

/** How the program ended, and the first MiB of each output stream. */
export interface Ran {
  code: number
  hung: boolean
  ms: number
  stdout: string
  stderr: string
}

const KEPT_BYTES = 1024 * 1024

/** How long to wait for more output after the program has ended. A process that it started may keep the output streams open. */
const DRAIN_MS = 200

/**
 * Runs a program, and kills its process group when the program ends, its time is over, or `signal` is aborted.
 * The exit code is 127 or 126 if the program cannot be started, and 128 + n if the system's signal n ended it.
 */
export async function runProgram({ command, cwd, env, limitMs, signal, killGroup }: Program): Promise<Ran> {
  const started = performance.now()
  const [file = '', ...args] = typeof command === 'string' ? [command] : command
  const ended = Promise.withResolvers<number>()
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
    env: { ...env },
    detached: true,
    shell: typeof command === 'string',
  })
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const stdout = keep(child.stdout)
  const stderr = keep(child.stderr)
  let hung = false
  const end = () => {
    if (child.pid !== undefined) killGroup(child.pid)
    child.kill('SIGKILL')
  }
  const timer = setTimeout(() => {
    hung = true
    end()
  }, timerMs(limitMs))
  signal.addEventListener('abort', end)
  child.on('error', (error) => ended.resolve(codeOf(error) === 'ENOENT' ? 127 : 126))
  child.on('exit', (code, name) => ended.resolve(code ?? 128 + (name ? constants.signals[name] : 0)))
  try {
    if (signal.aborted) end()
    const code = await ended.promise
    const drained = setTimeout(end, DRAIN_MS)
    if (child.pid !== undefined) await closed
    clearTimeout(drained)
    end()
    return { code, hung, ms: performance.now() - started, stdout: stdout(), stderr: stderr() }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}

function keep(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = []
  let size = 0
  stream?.on('data', (chunk: Buffer) => {
    if (size < KEPT_BYTES) chunks.push(chunk.subarray(0, KEPT_BYTES - size))
    size += chunk.length
  })
  return () => Buffer.concat(chunks).toString('utf8')
}
