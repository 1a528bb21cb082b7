import { type ChildProcess, ChildProcess as ChildProcessClass, type SpawnOptions } from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { isatty } from 'node:tty'
import { threadId } from 'node:worker_threads'
import { type Found, runsAs, UNKNOWN_COMMAND } from './command-line.ts'

/**
 * Makes this process follow rules of Windows and of its file system, although it runs on Linux: load it with `--import`. A call that Windows
 * would refuse fails with the code that libuv reports there, and is written to the file in WINDOWS_RULES_LOG. These rules are held:
 *
 * - names are equal in any case, and some characters and names are not allowed
 * - files have no modes and no owners; there is no /proc, no symbolic link
 * - an open database cannot be removed or renamed, and no file takes the place of an open one
 * - only a file that is open for writing can be synced
 * - a scanner holds each file for a moment: the first try to rename it, and to remove a folder, fails
 * - a process has no group, a signal ends it, and a handler of SIGTERM is never called. Ctrl-Break is sent as SIGUSR2
 * - Node does not recognise pipes, and the console reads bytes in its own code page
 * - with WINDOWS_RULES_LINKS, the file system has no hard links, and answers with that code
 * - only an .exe is a program, cmd.exe runs scripts, and PATH is separated by semicolons
 *
 * Paths themselves remain those of Linux. With WINDOWS_RULES_IN_TESTS the process runs tests: node:os names Windows, but `process` does not, and
 * programs are started as on Linux, because the test runner and the tests need both.
 */

const real = { ...fs }
const realPromises = { ...fs.promises }
const LOG = process.env.WINDOWS_RULES_LOG
const IN_TESTS = process.env.WINDOWS_RULES_IN_TESTS !== undefined

function note(code: string, what: string): void {
  if (LOG === undefined) return
  const from = new Error().stack?.split('\n').find((line) => /\/(dist|src)\//.test(line))
  const line = `${code} ${what} ${from?.trim() ?? ''}`
  const file = real.openSync(LOG, 'a')
  real.writeSync(file, `${process.pid}.${threadId} ${line}\n`)
  real.closeSync(file)
}

function refusal(code: string, syscall: string, path: string): NodeJS.ErrnoException {
  note(code, `${syscall} ${path}`)
  return Object.assign(new Error(`${code}: a rule of Windows, ${syscall} '${path}'`), {
    code,
    syscall,
    path,
    errno: -1,
  })
}

// --- Names

const NOT_IN_NAMES = /[<>:"|?*\0-\x1f]|[ .]$/
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i

function checkName(path: string, syscall: string): void {
  for (const part of path.split('/'))
    if (part !== '.' && part !== '..' && (NOT_IN_NAMES.test(part) || DEVICES.test(part)))
      throw refusal('ENOENT', syscall, path)
}

/** Returns the name that a file has on the disk, whatever the case of the given name. */
function onDisk(path: string): string {
  if (real.existsSync(path)) return path
  const wanted = basename(path).toLowerCase()
  try {
    const found = real.readdirSync(dirname(path)).find((name) => name.toLowerCase() === wanted)
    return found === undefined ? path : join(dirname(path), found)
  } catch {
    return path
  }
}

const ONLY_LINUX = /^\/(proc|sys)(\/|$)/

/** Returns the path that is used instead of a given one. Folders of Linux are looked for in a folder that does not exist. */
function pathOf(given: unknown): unknown {
  if (typeof given !== 'string' && !(given instanceof URL)) return given
  const path = typeof given === 'string' ? given : decodeURIComponent(given.pathname)
  return ONLY_LINUX.test(path) ? `/no-such-folder${path}` : onDisk(path)
}

// --- Open files

/** The paths of the files that this process has open, in all of its threads. */
function openFiles(): string[] {
  return real.readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [real.readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      return []
    }
  })
}

const DATABASE = /\.db(-wal|-shm|-journal)?$/

function resolved(path: string): string {
  try {
    return join(real.realpathSync(dirname(path)), basename(path))
  } catch {
    return resolve(path)
  }
}

function refuseOpen(path: string, syscall: string): void {
  const full = resolved(path)
  for (const each of openFiles()) {
    if (each === full && DATABASE.test(each)) throw refusal('EBUSY', syscall, path)
    if (each.startsWith(`${full}/`)) throw refusal(syscall === 'rename' ? 'EPERM' : 'EBUSY', syscall, path)
  }
}

// --- A scanner that holds each new file for a moment

const scanned = new Set<string>()

function scan(path: string, code: string, syscall: string): void {
  const key = `${syscall} ${resolved(path)}`
  if (scanned.has(key) || process.env.WINDOWS_RULES_SCANNER === '0' || !real.existsSync(path)) return
  scanned.add(key)
  throw Object.assign(new Error(`${code}: a scanner holds '${path}'`), { code, syscall, path, errno: -1 })
}

// --- The functions of node:fs

type Arguments = unknown[]
type Call = (...args: Arguments) => unknown
const sync = fs as unknown as Record<string, Call>
const promised = fs.promises as unknown as Record<string, Call>

/**
 * Puts `before` in front of all forms of a function: it may change the arguments, or throw. `after` changes the result.
 */
function rule(name: string, before: (args: Arguments) => Arguments, after: (result: unknown) => unknown = (it) => it) {
  const whole = (real as unknown as Record<string, Call>)[`${name}Sync`]
  if (whole) sync[`${name}Sync`] = (...args) => after(whole(...before(args)))
  const withCallback = (real as unknown as Record<string, Call>)[name]
  if (withCallback)
    sync[name] = (...args) => {
      const done = args.pop() as Call
      try {
        return withCallback(...before(args), (error: unknown, result: unknown) => done(error, after(result)))
      } catch (error) {
        process.nextTick(done, error)
      }
    }
  const promise = (realPromises as unknown as Record<string, Call>)[name]
  if (promise) promised[name] = async (...args) => after(await promise(...before(args)))
}

/** Removes what Windows does not know: the bits of the mode but “read-only”, and the owner. */
function withoutOwner(found: unknown): unknown {
  if (typeof found !== 'object' || found === null || !('mode' in found)) return found
  const stats = found as fs.Stats | fs.BigIntStats
  const mode = Number(stats.mode)
  const bits = (mode & 0o170000) | ((mode & 0o200) === 0 ? 0o444 : 0o666)
  const number = (value: number) => (typeof stats.mode === 'bigint' ? BigInt(value) : value)
  const isNever = () => false
  return Object.assign(stats, {
    mode: number(bits),
    uid: number(0),
    gid: number(0),
    isFIFO: isNever,
    isSocket: isNever,
  })
}

const first = ([path, ...rest]: Arguments) => [pathOf(path), ...rest]

for (const name of ['stat', 'lstat', 'fstat']) rule(name, first, withoutOwner)
for (const name of ['readFile', 'readdir', 'readlink', 'access', 'utimes', 'truncate', 'copyFile', 'statfs'])
  rule(name, first)
/** Only the function of the system returns the name on the disk. Node's own one keeps the name that it was given. */
const native = (path: unknown) => real.realpathSync.native(pathOf(path) as string)
fs.realpathSync = Object.assign((path: unknown) => join(dirname(native(path)), basename(String(path))), {
  native,
}) as typeof fs.realpathSync
const existsSync = real.existsSync
fs.existsSync = (path) => {
  try {
    return existsSync(pathOf(path) as fs.PathLike)
  } catch {
    return false
  }
}

/** The file that another program has open, as Excel does. */
const HELD = process.env.WINDOWS_RULES_HELD

function refuseHeld(path: unknown, syscall: string): void {
  if (HELD === undefined || resolved(onDisk(String(path))) !== resolved(HELD)) return
  throw Object.assign(new Error(`EBUSY: another program holds '${path}'`), { code: 'EBUSY', syscall, path, errno: -1 })
}

const creating = (name: string) => (args: Arguments) => {
  refuseHeld(args[0], name)
  if (typeof args[0] === 'string') {
    checkName(args[0], name)
    if (ONLY_LINUX.test(args[0])) throw refusal('ENOENT', name, args[0])
  }
  return first(args)
}
for (const name of ['writeFile', 'appendFile', 'mkdir']) rule(name, creating(name))
rule('open', (args) => (/[wa+]/.test(String(args[1])) ? creating('open')(args) : first(args)), watchHandle)

/** Changes only the bit “read-only”. */
rule('chmod', ([path, mode]) => [
  path,
  (real.statSync(String(path)).mode & ~0o222) | (Number(mode) & 0o200 ? 0o200 : 0),
])

/** A program that writes bytes to the console passes them in the code page of the console. Only the stream of Node passes characters. */
fs.writeSync = ((fd: number, data: string | Uint8Array, ...rest: []) => {
  if (!isatty(fd)) return real.writeSync(fd, data as string, ...rest)
  const bytes = Buffer.from(data as string).map((byte) => (byte < 0x80 ? byte : 0x3f))
  return real.writeSync(fd, bytes)
}) as typeof fs.writeSync

rule('link', (args) => {
  if (process.env.WINDOWS_RULES_LINKS) throw refusal(process.env.WINDOWS_RULES_LINKS, 'link', args.join(' '))
  return args
})

rule('symlink', ([target, path]) => {
  throw refusal('EPERM', 'symlink', `${target} ${path}`)
})

rule('rename', ([from, to]) => {
  const [source, target] = [String(from), String(to)]
  checkName(target, 'rename')
  refuseHeld(target, 'rename')
  refuseOpen(source, 'rename')
  const place = onDisk(target)
  if (openFiles().includes(resolved(place))) throw refusal('EPERM', 'rename', target)
  scan(source, 'EPERM', 'rename')
  return [pathOf(source), place]
})

rule('unlink', (args) => {
  refuseOpen(String(args[0]), 'unlink')
  return first(args)
})

rule('rm', ([path, options]) => {
  refuseOpen(String(path), 'rm')
  const retries = (options as fs.RmOptions | undefined)?.maxRetries ?? 0
  if (retries === 0 && real.statSync(String(path), { throwIfNoEntry: false })?.isDirectory())
    scan(String(path), 'EBUSY', 'rm')
  return [pathOf(path), options]
})

/** Whether a file is open for writing. */
function isWritable(fd: number): boolean {
  const flags = /^flags:\s*([0-7]+)/m.exec(real.readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1]
  return (Number.parseInt(flags ?? '0', 8) & 3) !== 0
}

function checkSync(fd: number): void {
  if (!isWritable(fd)) throw refusal('EPERM', 'fsync', real.readlinkSync(`/proc/self/fd/${fd}`))
}

for (const name of ['fsync', 'fdatasync'])
  rule(name, (args) => {
    checkSync(Number(args[0]))
    return args
  })

let watched = false
/** Gives the methods of a FileHandle the same rules. */
function watchHandle(handle: unknown): unknown {
  if (watched || typeof handle !== 'object' || handle === null) return handle
  watched = true
  const methods = Object.getPrototypeOf(handle) as Record<
    string,
    (this: fs.promises.FileHandle, ...args: Arguments) => Promise<unknown>
  >
  const { stat } = methods
  if (stat)
    methods.stat = async function (...args) {
      return withoutOwner(await stat.apply(this, args))
    }
  for (const name of ['sync', 'datasync']) {
    const whole = methods[name]
    if (whole)
      methods[name] = async function () {
        checkSync(this.fd)
        return whole.call(this)
      }
  }
  return handle
}

// --- The process

if (IN_TESTS) os.platform = () => 'win32'
else Object.defineProperty(process, 'platform', { value: 'win32' })
for (const name of ['getuid', 'geteuid', 'getgid', 'getegid'])
  Object.defineProperty(process, name, { value: undefined })

const kill = process.kill.bind(process)
process.kill = (pid, signal = 'SIGTERM') => {
  if (pid < 0) throw refusal('ESRCH', 'kill', String(pid))
  return kill(pid, signal === 0 ? 0 : 'SIGKILL')
}

const NEVER_SENT = ['SIGTERM', 'SIGUSR1', 'SIGUSR2', 'SIGPIPE', 'SIGQUIT']
const on = process.on.bind(process) as (name: string, listener: Call) => NodeJS.Process
process.on = ((name: string, listener: Call) =>
  NEVER_SENT.includes(name) ? process : on(name, listener)) as typeof process.on
if (!IN_TESTS) on('SIGUSR2', () => process.emit('SIGBREAK'))

// --- Programs

type Started = ChildProcess & { spawn(options: Spawn): unknown }
interface Spawn extends SpawnOptions {
  file: string
  args: string[]
  envPairs: string[]
}

const methods = ChildProcessClass.prototype as Started
const { kill: killChild, spawn } = methods
methods.kill = function (signal) {
  return killChild.call(this, signal === 0 ? 0 : 'SIGKILL')
}
const underRules: Started['spawn'] = function (this: ChildProcess, options) {
  if (options.detached) throw refusal('WINDOW', 'spawn (detached)', options.file)
  const pairs = options.envPairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])
  const env: Record<string, string | undefined> = Object.fromEntries(pairs)
  const cwd = String(options.cwd ?? process.cwd())
  const found = startOf(options, { path: env.PATH ?? '', cwd })
  return spawn.call(this, { ...options, file: found.file, args: [found.file, ...found.args] })
}
if (!IN_TESTS) methods.spawn = underRules

interface Place {
  path: string
  cwd: string
}

function startOf({ file, args, windowsVerbatimArguments }: Spawn, place: Place): Found {
  const name = basename(file)
    .toLowerCase()
    .replace(/\.exe$/, '')
  const words = args.slice(1)
  if (name === 'taskkill')
    return { file: '/bin/sh', args: ['-c', `exit ${endTree(Number(words[words.indexOf('/PID') + 1]))}`] }
  if (name === 'cmd') {
    if (!windowsVerbatimArguments) throw refusal('QUOTING', 'spawn', words.join(' '))
    const line = words.at(-1)?.slice(1, -1) ?? ''
    const found = runsAs(line, (word) => lookUp(word, place, ['', '.exe', '.cmd', '.bat']), refusal)
    // As cmd.exe, the shell waits for the program. Who kills the shell does not kill the program.
    return { file: '/bin/sh', args: ['-c', '"$@"; exit $?', 'cmd', found.file, ...found.args] }
  }
  const found = lookUp(file, place, ['', '.exe', '.com'])
  if (found === undefined) return { file: `/no-such-folder/${name}`, args: words }
  if (/\.(cmd|bat)$/i.test(found)) throw refusal('EINVAL', 'spawn', found)
  return { file: found, args: words }
}

/** Finds a program as Windows does. A text file is not a program, whatever its first line says. */
function lookUp(word: string, { path, cwd }: Place, endings: readonly string[]): string | undefined {
  const folders = /[\\/]/.test(word) ? [''] : [cwd, ...path.split(';')]
  for (const folder of folders)
    for (const ending of endings) {
      const file = isAbsolute(word) ? word + ending : join(folder || cwd, word + ending)
      if (real.statSync(file, { throwIfNoEntry: false })?.isFile() && (/\.(cmd|bat)$/i.test(file) || isProgram(file)))
        return file
    }
}

const isProgram = (file: string) => real.readFileSync(file).subarray(1, 4).toString('latin1') === 'ELF'

/** Kills a process with everything that it started, as `taskkill /T /F`. Returns its exit code. */
function endTree(pid: number): number {
  const parents = new Map<number, number>()
  for (const each of real.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = real.readFileSync(`/proc/${each}/stat`, 'utf8')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (state !== 'Z') parents.set(Number(each), Number(parent))
    } catch {} // The process has ended.
  }
  if (!parents.has(pid)) return UNKNOWN_COMMAND
  const tree = [pid]
  for (const member of tree) for (const [each, parent] of parents) if (parent === member) tree.push(each)
  for (const each of tree) {
    try {
      kill(each, 'SIGKILL')
    } catch {} // The process has ended.
  }
  return 0
}

syncBuiltinESMExports()
