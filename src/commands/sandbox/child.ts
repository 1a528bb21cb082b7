import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { World } from '../../context.ts'
import { ChildEnded } from '../../errors.ts'

/**
 * Runs a program of the user in the foreground, and waits for its end. Returns its exit code, or 128 + n if signal
 * number n ended it. Throws `ChildEnded` 127 when the program does not exist, 126 when it cannot be run.
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
    // Do not pass on Ctrl-C. The terminal already sends it to every program in the foreground, and many programs stop immediately when they
    // receive it twice.
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
    ? new ChildEnded(127, `the program “${command}” was not found`)
    : new ChildEnded(126, `“${command}” cannot be run (${code})`)
}
