import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { until } from '../receiver/listener.ts'
import { compiledCode, LAUNCHER } from './built-program.ts'
import { outputOf } from './child-output.ts'
import { needsProgram } from './needs.ts'

/**
 * Runs a program on a real pseudo-terminal of 80 columns. Each line of its stdin is a JSON text that is typed. Its stdout is what the terminal
 * shows, and then how the program ended.
 */
const TERMINAL = `
import fcntl, json, os, pty, struct, sys, termios, threading
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 80, 0, 0))
    os.execvp(sys.argv[1], sys.argv[1:])
def typed():
    for line in sys.stdin:
        os.write(fd, json.loads(line).encode())
threading.Thread(target=typed, daemon=True).start()
while True:
    try:
        text = os.read(fd, 65536)
    except OSError:
        text = b''
    if not text:
        break
    sys.stdout.buffer.write(text)
    sys.stdout.flush()
print('\\nended', os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
`

/** The built program on a terminal. */
interface AtTerminal extends AsyncDisposable {
  shown(): string
  /** Waits until the terminal shows a text. Throws if the program ends before. */
  shows(text: RegExp): Promise<void>
  /** Waits until the terminal shows a text that was not waited for before, and then types. */
  answer(question: RegExp, keys: string): Promise<void>
  type(keys: string): void
  /** Resolves to the exit code. */
  ended(): Promise<number>
}

/** Starts the built program on a terminal, in the folder of a test's machine. */
export function startAtTerminal(args: readonly string[], env: Record<string, string>, dir: string): AtTerminal {
  needsProgram('python3')
  const child = spawn('python3', ['-c', TERMINAL, process.execPath, LAUNCHER, ...args], {
    cwd: dir,
    env: {
      PATH: process.env.PATH,
      HOME: dir,
      TERM: 'xterm-256color',
      ...compiledCode(),
      BNPL_CONFIG_DIR: join(dir, 'config'),
      BNPL_STATE_DIR: join(dir, 'state'),
      ...env,
    },
  })
  const { stdout } = outputOf(child)
  const end = () => /\nended (-?\d+)\n$/.exec(stdout())?.[1]
  let read = 0
  const type = (keys: string) => void child.stdin?.write(`${JSON.stringify(keys)}\n`)
  const shows = async (text: RegExp, from = 0): Promise<void> => {
    const isShown = () => text.test(stdout().slice(from))
    await until(() => isShown() || end() !== undefined).catch(() => {})
    if (!isShown()) throw new Error(`the terminal does not show ${text}: ${stdout()}`)
  }
  return {
    shown: () => stdout().replace(/\nended -?\d+\n$/, ''),
    shows,
    type,
    async answer(question, keys) {
      await shows(question, read)
      read = stdout().length
      type(keys)
    },
    async ended() {
      await until(() => end() !== undefined)
      return Number(end())
    },
    async [Symbol.asyncDispose]() {
      if (end() === undefined) child.kill('SIGKILL')
    },
  }
}
