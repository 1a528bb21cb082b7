import { spawn, spawnSync } from 'node:child_process'
import { chownSync, globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { type Ended, outputOf } from './child-output.ts'

/** The built program, run as people run it: a process of its own, started through the launcher. */

const ROOT = dirname(import.meta.dirname)
export const LAUNCHER = join(ROOT, 'bin', 'bnpl.js')

export type Exited = Omit<Ended, 'signal'>

export interface Start {
  args?: readonly string[]
  env?: Record<string, string>
  /** Where stdout goes; collected unless a descriptor is given. */
  stdout?: number
  /** Arguments of Node itself. */
  node?: readonly string[]
  cwd?: string
  launcher?: string
  /** Another user than that of the tests. */
  user?: User
}

export interface User {
  uid: number
  gid: number
}

const ROOT_IS_HERE = process.getuid?.() === 0

/** A user without privileges: that of the tests, unless that is root. */
export const COMMON_USER: User = ROOT_IS_HERE
  ? { uid: 65_534, gid: 65_534 }
  : { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 }

/**
 * Where the programs of a run find the code that others of it compiled: each has a home of its own, and nothing is there. Outside of a run
 * of tests it is what the machine says.
 */
export const compiledCode = (): { XDG_CACHE_HOME: string | undefined } => ({
  XDG_CACHE_HOME: process.env.BNPL_TEST_COMPILED ?? process.env.XDG_CACHE_HOME,
})

/** The environment of a program that runs sources of ours: Node keeps there what it made of them, and the next one starts in a third of the time. */
export const compiledSources = (): NodeJS.ProcessEnv => {
  const folder = process.env.BNPL_TEST_COMPILED
  return { ...process.env, ...(folder === undefined ? {} : { NODE_COMPILE_CACHE: join(folder, 'sources') }) }
}

/** A folder that goes away when it goes out of scope. */
export function temporaryFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'bnpl-built-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** Runs the launcher under this runtime, in an environment of its own. Its stdin is empty. */
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

/** A PATH on which `node` is the runtime of the tests. */
export function pathWithThisNode(): string {
  return [dirname(process.execPath), process.env.PATH].join(delimiter)
}

/** Before and after all tests: the program is built, and what was compiled of it goes away. */
export function setup(): () => void {
  build()
  const compiled = mkdtempSync(join(tmpdir(), 'bnpl-compiled-'))
  process.env.BNPL_TEST_COMPILED = compiled
  return () => rmSync(compiled, { recursive: true, force: true })
}

/** Builds the program, unless what is there is newer than its sources. */
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
