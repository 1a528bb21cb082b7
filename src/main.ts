import { fstatSync, statSync } from 'node:fs'
import { devNull, homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { runCli } from './cli.ts'
import type { SignalName, World } from './context.ts'
import { timerMs } from './domain/clock.ts'
import { codeOf, config, EXIT_CODES, interruptedBy, Unsettled } from './errors.ts'
import { once } from './lifetime.ts'
import { colorChoice, hidingIo, type Io, isAccessible, isPipe, untilStopped } from './terminal/output.ts'
import { say } from './terminal/say.ts'
import { createStderr, createStdout, survivesHangUp, withoutWaiting } from './terminal/standard-output.ts'
import { secretsOfEnvironment } from './text/secrets.ts'

declare const BNPL_VERSION: string

const env = environment()
// Child processes, such as a browser, inherit the environment, so remove secrets from it.
for (const name of ['BNPL_API_KEY', 'BNPL_WEBHOOK_SECRET', 'BNPL_DATABASE', 'BNPL_DATABASE_PASSWORD', 'PGPASSWORD'])
  delete process.env[name]
// Libraries that draw on a terminal read NO_COLOR from the environment and do not know the option `--no-color`.
const color = colorChoice(env, process.argv)
if (color === false) {
  process.env.NO_COLOR = '1'
  delete process.env.FORCE_COLOR
}

/** Returns one of our texts in the language of the user. Before `runCli` has chosen the language, returns the English text. */
const inLanguage = (text: string): string => world.io.inLanguage?.(text) ?? text

const stderr = createStderr(
  { fd: 2, open: () => withoutWaiting(process.stderr, 2), isTerminal: () => isTerminal(2) },
  inLanguage,
)

const secrets = secretsOfEnvironment(env)

const streams: Io = {
  out: createStdout(
    { fd: 1, open: () => withoutWaiting(process.stdout, 1), isTerminal: () => isTerminal(1) },
    () => interrupt().signal,
    () => {
      world.whereabouts.step = 'writing to stdout'
    },
  ),
  err: stderr.err,
  stdin() {
    world.whereabouts.step = 'reading stdin'
    return untilStopped(process.stdin, interrupt().signal)
  },
  get stdinIsTty() {
    return isTerminal(0)
  },
  get stdoutIsTty() {
    return isTerminal(1)
  },
  get stderrIsTty() {
    return isTerminal(2)
  },
  get stdoutIsPipe() {
    return isPipe(1)
  },
  get columns() {
    const terminal = isTerminal(1) ? process.stdout : isTerminal(2) ? process.stderr : undefined
    return terminal?.columns || Number(env.COLUMNS) || 80
  },
  accessible: isAccessible(env),
  redraws: env.TERM !== 'dumb' && env.CI === undefined && !isAccessible(env),
  get outColor() {
    return color ?? isTerminal(1)
  },
  get errColor() {
    return color ?? isTerminal(2)
  },
  get tty() {
    return { input: process.stdin, output: stderr.stream() }
  },
}

const terminals: Partial<Record<0 | 1 | 2, boolean>> = {}

function isTerminal(fd: 0 | 1 | 2): boolean {
  terminals[fd] ??= findTerminal(fd)
  return terminals[fd]
}

function findTerminal(fd: number): boolean {
  try {
    const found = fstatSync(fd)
    if (!found.isCharacterDevice() || found.rdev === statSync(devNull).rdev) return false
    return process.getBuiltinModule('node:tty').isatty(fd)
  } catch {
    return false
  }
}

const interrupt = once(() => new AbortController())
let taken: ((name: SignalName) => void) | undefined
/** Ends the process with the signal itself, so that the parent process sees the same end as without a handler. */
const endBy = (name: SignalName) => process.removeAllListeners(name).kill(process.pid, name)
const SIGNALS: readonly (readonly [name: SignalName, code: number])[] = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
]
// Ask now, because the parent process may have ended when the signal arrives.
const ignoresHangUp = survivesHangUp(env, process.ppid)
let hangUps = 0
const onSignal = (name: SignalName) => {
  if (name === 'SIGHUP' && ignoresHangUp) {
    if (hangUps++ === 0)
      stderr.err(
        `${inLanguage('The terminal or session has ended (SIGHUP). bnpl continues, because it was started with nohup.')}\n`,
      )
    return
  }
  if (taken) return taken(name)
  // The second signal ends the process at once. All data that must survive this is already on the disk.
  if (interrupt().signal.aborted) endBy(name)
  interrupt().abort(interruptedBy(name))
}
for (const [name] of SIGNALS) process.on(name, () => onSignal(name))
// Ctrl-Break, which service managers of Windows also send, because Windows has no SIGTERM.
if (process.platform === 'win32') process.on('SIGBREAK', () => onSignal('SIGTERM'))

// Handle SIGUSR1, because otherwise Node would react to it by opening its debugger to every user of the machine.
process.on('SIGUSR1', () => {})

const world: World = {
  io: hidingIo(streams, secrets),
  env,
  // Read the current folder only when it is needed, because it may have been removed.
  get cwd() {
    try {
      return process.cwd()
    } catch {
      throw config('the current folder was removed', 'Change to another folder: cd ~', 'NO_FOLDER')
    }
  },
  pid: process.pid,
  isAlive: (pid) => signalled(pid, 0),
  async killGroup(pid) {
    if (process.platform === 'win32') await (await import('./program.ts')).endTree(pid)
    else signalled(-pid, 'SIGKILL')
  },
  runtime: {
    node: process.versions.node,
    platform: process.platform,
    arch: process.arch,
    execPath: process.execPath,
    program: String(process.argv[1]),
    get isExecutable() {
      return process.getBuiltinModule('node:sea').isSea()
    },
  },
  version: typeof BNPL_VERSION === 'string' ? BNPL_VERSION : 'development',
  get configDir() {
    return env.BNPL_CONFIG_DIR || join(absolute(env.XDG_CONFIG_HOME) ?? platformDir('config'), 'bnpl')
  },
  get stateDir() {
    return env.BNPL_STATE_DIR || join(absolute(env.XDG_STATE_HOME) ?? platformDir('state'), 'bnpl')
  },
  clock: {
    now: Date.now,
    monotonic: () => performance.now(),
    sleep: async (ms, signal) => {
      const { setTimeout: sleep } = await import('node:timers/promises')
      try {
        await sleep(timerMs(ms), undefined, signal ? { signal } : {})
      } catch {
        throw signal?.reason
      }
    },
  },
  random: Math.random,
  get signal() {
    return interrupt().signal
  },
  takeSignals(take) {
    taken = take
    return () => {
      taken = undefined
    }
  },
  expectLongRun() {
    isLongRun = true
  },
  boundMemory: async (bytes) => (await import('./bulk/engine.ts')).boundYoungMemory(bytes),
  compileForRows: async (rows) => (await import('./bulk/engine.ts')).compileForRows(rows),
  whereabouts: { command: '', step: '' },
  secrets,
  open: async (url) => (await import('./terminal/browser.ts')).openUrl(url, process),
}

/** Returns a copy of the environment. Windows finds a variable by its name in any case, and a copy does not. */
function environment(): Readonly<Record<string, string | undefined>> {
  if (process.platform !== 'win32') return { ...process.env }
  const named = Object.entries(process.env).map(([name, value]) => {
    const upper = name.toUpperCase()
    return [/^(BNPL_|PG|(HTTPS?|NO)_PROXY$|NO_COLOR$|LOCALAPPDATA$)/.test(upper) ? upper : name, value]
  })
  return Object.fromEntries(named)
}

function signalled(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Returns the path in an XDG variable, if it is absolute. The XDG specification says that a relative path must be ignored. */
const absolute = (path = '') => (isAbsolute(path) ? path : undefined)

function platformDir(kind: 'config' | 'state'): string {
  if (process.platform === 'win32') return env.LOCALAPPDATA || join(home(), 'AppData', 'Local')
  if (process.platform === 'darwin') return join(home(), 'Library', 'Application Support')
  return join(home(), kind === 'config' ? '.config' : '.local/state')
}

function home(): string {
  let found = ''
  try {
    found = homedir()
  } catch {}
  if (isAbsolute(found)) return found
  throw config(
    'this user has no home folder in which bnpl could store settings and state',
    'Set HOME, or set BNPL_CONFIG_DIR and BNPL_STATE_DIR to folders for settings and state.',
    'NO_HOME',
  )
}

const argv = process.argv.slice(2)
// If a command waits for a promise that never settles, Node ends as soon as nothing else is left to do, with the exit
// code 0. So the exit code is 1 until the command has ended.
process.exitCode = EXIT_CODES.bug
const ranEmpty = () => say(new Unsettled(world.whereabouts), argv, world)
process.once('beforeExit', ranEmpty)

// Without this handler, Node would print all fields of the error, which may contain secrets. Nothing is closed before the exit, because any
// part of the program may be broken. All data whose receipt bnpl has confirmed is already on the disk.
process.on('uncaughtException', (error) => process.exit(say(error, argv, world)))

/**
 * After this time, in ms, a program that has run for long, or that failed itself, ends even if something is still open or unwritten, such as
 * text for a paused terminal. Otherwise a service manager would not start it again.
 */
const LEFT_OPEN_MS = 2000
let isLongRun = false

/** An interrupted process may still wait, for example for a pipe. After this time, in ms, it ends itself with the signal. */
const STUCK_MS = 500

runCli(argv, world).then((code) => {
  process.off('beforeExit', ranEmpty)
  process.exitCode = code
  if (isLongRun || code === EXIT_CODES.bug) setTimeout(() => process.exit(code), LEFT_OPEN_MS).unref()
  for (const [name, its] of SIGNALS) if (its === code) setTimeout(endBy, STUCK_MS, name).unref()
})
