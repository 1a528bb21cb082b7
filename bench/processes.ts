import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

/** Processes that this measurement started and that have not ended yet. */
const running = new Set<ChildProcess>()

const endAll = () => {
  for (const child of running) child.kill('SIGKILL')
}
process.once('exit', endAll)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    endAll()
    process.kill(process.pid, signal)
  })

/** Starts a process, which is killed when this one ends, whether by itself, by an error or by a signal. */
export function startProcess(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(program, args, options)
  running.add(child)
  child.once('close', () => running.delete(child))
  child.once('error', () => running.delete(child))
  return child
}

/** Sends a signal to a process and waits until the process ends. After 10 s the process is killed. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = new Promise((resolve) => child.once('close', resolve))
  child.kill(signal)
  const patience = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await gone
  clearTimeout(patience)
}

/**
 * Returns the exit code of a process; null when a signal ended it. After `longestMs` the process is killed. Rejects when it could not be
 * started.
 */
export function exitOf(child: ChildProcess, longestMs: number): Promise<number | null> {
  return new Promise<number | null>((resolve, reject) => {
    const patience = setTimeout(() => {
      child.kill('SIGKILL')
      // Its child processes may keep its streams open, so do not wait until they are closed.
      resolve(null)
    }, longestMs)
    const ended = (then: () => void) => {
      clearTimeout(patience)
      then()
    }
    child.once('error', (error) => ended(() => reject(error)))
    child.once('close', (code) => ended(() => resolve(code)))
  })
}

/**
 * Waits until a server is ready. Throws when the server ends, or is not ready within a minute.
 * @param name the server's name in this error
 */
export async function untilReady(name: string, child: ChildProcess, ready: () => boolean): Promise<void> {
  let failure: Error | undefined
  child.once('error', (error) => {
    failure = error
  })
  const deadline = performance.now() + 60_000
  while (!ready()) {
    if (failure !== undefined) throw failure
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`)
    if (performance.now() > deadline) throw new Error(`${name} was not ready within a minute`)
    await pause(2)
  }
}

/** Returns the first line that a server writes, such as its address. Its stdout must be a pipe. */
export async function firstLine(name: string, child: ChildProcess): Promise<string> {
  let text = ''
  child.stdout?.on('data', (chunk) => {
    text += chunk
  })
  await untilReady(name, child, () => text.includes('\n'))
  return text.split('\n')[0] ?? ''
}

/** Returns whether this machine has a program. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
}
