import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { World } from '../../context.ts'
import { ChildEnded } from '../../errors.ts'

/**
 * Runs a program of the user's in front: our streams are its streams, signals go to it, and its end is awaited.
 * @returns its exit code; 128 + n when a signal ended it. Throws `ChildEnded` 127 when there is no such program, 126 when it cannot be run.
 */
export async function runInFront(
  world: Pick<World, 'takeSignals' | 'cwd' | 'io'>,
  [command = '', ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const ended = Promise.withResolvers<number>()
  const child = spawn(command, args, { stdio: 'inherit', env: { ...env }, cwd: world.cwd })
  child.on('error', (error: NodeJS.ErrnoException) => {
    if (child.pid === undefined) ended.reject(notRun(command, error))
  })
  child.on('exit', (code, signal) => ended.resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  const giveBack = world.takeSignals((name) => {
    // Ctrl-C reaches every program on the terminal by itself; a second copy would mean “at once” to many of them.
    if (name !== 'SIGINT' || !world.io.stdinIsTty) child.kill(name)
  })
  try {
    return await ended.promise
  } finally {
    giveBack()
  }
}

function notRun(command: string, { code = '' }: NodeJS.ErrnoException): ChildEnded {
  return code === 'ENOENT'
    ? new ChildEnded(127, `there is no program “${command}” to run`)
    : new ChildEnded(126, `“${command}” cannot be run (${code})`)
}
