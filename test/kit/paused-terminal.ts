import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../receiver/listener.ts'
import { compiledCode, LAUNCHER } from './built-program.ts'
import { outputOf } from './child-output.ts'
import { WAIT_MS } from './limits.ts'
import { needsProgram } from './needs.ts'

/**
 * Runs a program on a real pseudo-terminal that nobody reads, and on which somebody has pressed Ctrl-S. A line on stdin of this script
 * presses Ctrl-Q and reads on. The first line of its stdout is the pid of the program, the last is how it ended.
 */
const TERMINAL = `
import os, pty, sys, threading
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
os.write(fd, b'\\x13')
print(pid, flush=True)
def ended():
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    print('\\nended', code, flush=True)
    os._exit(0)
threading.Thread(target=ended, daemon=True).start()
sys.stdin.readline()
os.write(fd, b'\\x11')
while True:
    try:
        text = os.read(fd, 65536)
    except OSError:
        threading.Event().wait()
    sys.stdout.buffer.write(text)
    sys.stdout.flush()
`

/** The program on a terminal that is paused from the start. */
export interface Paused extends AsyncDisposable {
  dir: string
  child: ChildProcess
  signal(name: NodeJS.Signals): void
  /** Continues the terminal, as Ctrl-Q does. */
  resume(): void
  /** What the terminal has shown since it was continued. */
  shown(): string
  /** The exit code of the program; the negative number of a signal that ended it. Throws if the program does not end within `ms`. */
  ended(ms?: number): Promise<number>
}

/** Starts the program on a paused terminal. @param before a shell command before the program, and `after` its redirections */
export async function startPaused(
  args: readonly string[],
  {
    env = {},
    after = '',
    dir = mkdtempSync(join(tmpdir(), 'bnpl-paused-')),
  }: { env?: Record<string, string>; after?: string; dir?: string } = {},
): Promise<Paused> {
  needsProgram('python3')
  const line = ['sh', '-c', `exec "$0" "$@" ${after}`, process.execPath, LAUNCHER, ...args]
  const child = spawn('python3', ['-c', TERMINAL, ...line], {
    cwd: dir,
    env: {
      PATH: process.env.PATH,
      HOME: dir,
      TERM: 'xterm',
      ...compiledCode(),
      BNPL_CONFIG_DIR: join(dir, 'config'),
      BNPL_STATE_DIR: join(dir, 'state'),
      ...env,
    },
  })
  const { stdout } = outputOf(child)
  await until(() => stdout().includes('\n'))
  const pid = Number(stdout().split('\n')[0])
  const end = () => /\nended (-?\d+)\n$/.exec(stdout())?.[1]
  return {
    dir,
    child,
    signal: (name) => void process.kill(pid, name),
    resume: () => void child.stdin?.write('read\n'),
    shown: () => stdout().slice(String(pid).length + 1),
    async ended(ms = WAIT_MS) {
      await until(() => end() !== undefined, ms)
      return Number(end())
    },
    async [Symbol.asyncDispose]() {
      if (end() === undefined) process.kill(pid, 'SIGKILL')
      await until(() => end() !== undefined)
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
