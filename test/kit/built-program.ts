import { execFile, spawn, spawnSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Ended, outputOf } from './child-output.ts'

/** Starts the built program as users do: in a process of its own, through the launcher. */

const ROOT = dirname(dirname(import.meta.dirname))
export const LAUNCHER = join(ROOT, 'bin', 'bnpl.js')

export type Exited = Omit<Ended, 'signal'>

export interface Start {
  args?: readonly string[]
  env?: Record<string, string>
  /** Where stdout is written. Without a descriptor it is collected. */
  stdout?: number
  /** Arguments of Node itself. */
  node?: readonly string[]
  cwd?: string
  launcher?: string
  /** The user of the process, if not the user of the tests. */
  user?: User
}

export interface User {
  uid: number
  gid: number
}

const ROOT_IS_HERE = process.getuid?.() === 0

/** A user without privileges: the user of the tests, or `nobody` if the tests run as root. */
export const COMMON_USER: User = ROOT_IS_HERE
  ? { uid: 65_534, gid: 65_534 }
  : { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 }

/**
 * Returns the cache folder that all programs of a test run share, so that each finds the code that another one compiled: their own HOMEs
 * are empty. Outside of a test run it is the folder of the machine.
 */
export const compiledCode = (): { XDG_CACHE_HOME: string | undefined } => ({
  XDG_CACHE_HOME: process.env.BNPL_TEST_COMPILED ?? process.env.XDG_CACHE_HOME,
})

/** Returns a folder that is removed at the end of the scope. */
export function temporaryFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'bnpl-built-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** Runs the launcher with this Node, in an environment of its own. Its stdin is empty. */
export async function launch({
  args = [],
  env = {},
  stdout,
  node = [],
  cwd,
  launcher = LAUNCHER,
  user,
}: Start): Promise<Exited> {
  using home = temporaryFolder()
  if (user) chownSync(home.path, user.uid, user.gid)
  const child = spawn(process.execPath, [...node, launcher, ...args], {
    cwd: cwd ?? home.path,
    env: { PATH: pathWithThisNode(), HOME: home.path, ...compiledCode(), ...env },
    stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
    ...user,
  })
  const { code, stdout: out, stderr } = await outputOf(child).ended
  return { code, stdout: out, stderr }
}

/** Returns a PATH on which `node` is the Node of the tests. */
export function pathWithThisNode(): string {
  return [dirname(process.execPath), process.env.PATH].join(delimiter)
}

/** The package as `npm pack` makes it. */
export interface Packed {
  path: string
  size: number
  files: { path: string; mode: number }[]
}

/** Packs the built program once for a run: the first caller packs it, and two that ask at the same moment keep one copy. */
export async function packed(): Promise<Packed> {
  const kept = join(String(process.env.BNPL_TEST_COMPILED), 'package')
  if (!existsSync(kept)) {
    const fresh = mkdtempSync(`${kept}-`)
    // Scripts are turned off, because `prepare` would build again what the tests have just built.
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', fresh]
    const env = { PATH: pathWithThisNode(), HOME: fresh }
    const { stdout } = await promisify(execFile)('npm', args, { cwd: ROOT, env })
    writeFileSync(join(fresh, 'packed.json'), stdout)
    try {
      renameSync(fresh, kept)
    } catch {
      rmSync(fresh, { recursive: true })
    }
  }
  const [{ filename, size, files }] = JSON.parse(readFileSync(join(kept, 'packed.json'), 'utf8'))
  return { path: join(kept, filename), size, files }
}

/**
 * Builds the program before all tests, and removes the compiled code after them. Node keeps compiled sources too, so that a thread or a
 * program that runs our sources starts in a third of the time: each receiver of a test has such a thread.
 */
export function setup(): () => void {
  build()
  const compiled = mkdtempSync(join(tmpdir(), 'bnpl-compiled-'))
  process.env.BNPL_TEST_COMPILED = compiled
  process.env.NODE_COMPILE_CACHE = join(compiled, 'sources')
  // As in `temporary-files.ts`, not before the processes of the tests have ended.
  return () => process.once('exit', () => rmSync(compiled, { recursive: true, force: true }))
}

/** Builds the program, unless the build is newer than its sources. */
function build(): void {
  const sources = globSync(['src/**/*.{ts,css,js,svg}', 'scripts/*.ts', 'package.json', 'package-lock.json'], {
    cwd: ROOT,
  })
  const newest = Math.max(...sources.map((path) => statSync(join(ROOT, path)).mtimeMs))
  const built = statSync(join(ROOT, 'dist', 'version.txt'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (built > newest) return
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'build.ts')], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the build failed:\n${stderr}`)
}
