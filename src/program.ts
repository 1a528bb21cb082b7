import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import crossSpawn from 'cross-spawn'

/**
 * Starts a program that the user named, as a shell would. On Windows, a name such as `npm` is looked up with the endings in PATHEXT, and a
 * script (`.cmd`, `.bat`) is run by cmd.exe with quoted arguments. Throws a system error, or emits it on the returned process.
 */
export function startProgram(file: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  return crossSpawn(file, args, options)
}

/**
 * Ends a process of Windows with all processes that it started, and resolves when this was tried. The process must still run, because the
 * others are found from it.
 */
export async function endTree(pid: number): Promise<void> {
  const ending = spawn('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
  await new Promise<void>((resolve) => {
    ending.on('error', () => resolve())
    ending.on('exit', () => resolve())
  })
}
