import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

/** Processes that this measurement started and that still run. */
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

/** Starts a process that is killed at the latest when this one ends, however it ends: by itself, by an error or by a signal. */
export function startProcess(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(program, args, options)
  running.add(child)
  child.once('close', () => running.delete(child))
  child.once('error', () => running.delete(child))
  return child
}

/** Sends a signal to a process and waits until it is gone; one that is not within 10 s is killed. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = new Promise((resolve) => child.once('close', resolve))
  child.kill(signal)
  const patience = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await gone
  clearTimeout(patience)
}

/** The exit code of a process; null for one that a signal ended, as this does after `longestMs`. Rejects when it could not be started. */
export function exitOf(child: ChildProcess, longestMs: number): Promise<number | null> {
  return new Promise<number | null>((resolve, reject) => {
    const patience = setTimeout(() => {
      child.kill('SIGKILL')
      // What it started itself may keep its streams open; they are not waited for.
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
 * Waits until a server is ready.
 * @param name what the error calls it: thrown when the process ends, or is not ready within a minute
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

/** The first line that a server writes, for one that writes its address. Its stdout must be a pipe. */
export async function firstLine(name: string, child: ChildProcess): Promise<string> {
  let text = ''
  child.stdout?.on('data', (chunk) => {
    text += chunk
  })
  await untilReady(name, child, () => text.includes('\n'))
  return text.split('\n')[0] ?? ''
}

/** Whether this machine has a program. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
}
