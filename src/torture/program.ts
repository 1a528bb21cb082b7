import type { ChildProcess } from 'node:child_process'
import { constants, platform } from 'node:os'
import { type Clock, timerMs } from '../domain/clock.ts'
import { codeOf } from '../errors.ts'
import { startDeadline } from '../lifetime.ts'
import { startProgram } from '../program.ts'

interface Program {
  command: readonly string[] | string
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  limitMs: number
  clock: Pick<Clock, 'sleep'>
  signal: AbortSignal
  killGroup(pid: number): Promise<void>
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
 * Runs a program, and kills its process group when the program ends, its time is over, or `signal` is aborted. On Windows, a process that
 * the program leaves running when it ends is not killed, because nothing connects the two any more. The output of such a process is not read.
 * The exit code is 127 or 126 if the program cannot be started, and 128 + n if the system's signal n ended it.
 */
export async function runProgram({ command, cwd, env, limitMs, clock, signal, killGroup }: Program): Promise<Ran> {
  const started = performance.now()
  const [file = '', ...args] = typeof command === 'string' ? [command] : command
  const ended = Promise.withResolvers<number>()
  let child: ChildProcess
  try {
    child = startProgram(file, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd,
      env: { ...env },
      // On Windows, each program of a detached one would open a window.
      detached: platform() !== 'win32',
      windowsHide: true,
      shell: typeof command === 'string',
    })
  } catch {
    return { code: 126, hung: false, ms: performance.now() - started, stdout: '', stderr: '' }
  }
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const stdout = keep(child.stdout)
  const stderr = keep(child.stderr)
  let hung = false
  const end = () => {
    const { pid } = child
    // Windows has no process groups, and may have given the id of a process that has ended to another one.
    const isOver = platform() === 'win32' && (child.exitCode ?? child.signalCode) !== null
    if (pid !== undefined && !isOver) void killGroup(pid).then(() => child.kill('SIGKILL'))
  }
  /** Stops reading, because a process that left the group, or that Windows does not find any more, may keep the streams open. */
  const stopReading = () => {
    child.stdout?.destroy()
    child.stderr?.destroy()
  }
  const over = new AbortController()
  const hang = () => {
    hung = true
    end()
  }
  clock.sleep(timerMs(limitMs), over.signal).then(hang, () => {})
  signal.addEventListener('abort', end)
  child.on('error', (error) => ended.resolve(codeOf(error) === 'ENOENT' ? 127 : 126))
  child.on('exit', (code, name) => ended.resolve(code ?? 128 + (name ? constants.signals[name] : 0)))
  try {
    if (signal.aborted) end()
    const code = await ended.promise
    const drained = setTimeout(end, DRAIN_MS)
    const stopped = startDeadline(2 * DRAIN_MS, stopReading)
    if (child.pid !== undefined) await closed
    clearTimeout(drained)
    stopped.clear()
    end()
    return { code, hung, ms: performance.now() - started, stdout: stdout(), stderr: stderr() }
  } finally {
    over.abort()
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
