import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { ROOT, VERSION } from './bundle.ts'

/**
 * Tests the npm package on the oldest and the newest Node that it supports. Installs the package with `npm ci --ignore-scripts` without
 * network, and runs commands. The two Nodes come from the npm registry and are kept in the user's cache folder. Throws at the first
 * failure.
 */

const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const OLDEST = `${/^>=(\d+\.\d+)$/.exec(engines.node)?.[1]}.0`
const NEWEST = '26.10.0'

/** Command lines, each with a pattern that its output must match. */
const RUNS: readonly [string, RegExp][] = [
  ['--version', new RegExp(`^${VERSION.replaceAll('.', '\\.')}\n$`)],
  ['--help', /^Usage: bnpl/],
  ['evaluate --dry-run --rut 11222333-9 --amount 250000 -p sandbox', /^curl /],
  ['walkthrough -p sandbox', /ACTIVE/],
  ['smoke -p sandbox', /AUTHORIZATION/],
  ['history list --json', /"externalTrxId"/],
  ['webhooks events list --json', /^\[\]/],
  ['sandbox run -- node -e console.log(process.env.BNPL_BASE_URL)', /^http:/],
]

const work = mkdtempSync(join(tmpdir(), 'bnpl-runtimes-'))
try {
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', work]
  const tarball = must('npm', pack, { cwd: ROOT }).trim()
  for (const version of [OLDEST, NEWEST]) tryOn(version, tarball)
} finally {
  rmSync(work, { recursive: true, force: true })
}

function tryOn(version: string, tarball: string): void {
  const node = runtime(version)
  const home = join(work, version)
  mkdirSync(home)
  const env = { PATH: [dirname(node), process.env.PATH].join(delimiter), HOME: home }
  const dependencies = { bnpl: `file:../${tarball}` }
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'shop', version: '1.0.0', dependencies }))
  must('npm', ['install', '--package-lock-only', '--offline', '--no-audit', '--no-fund'], { cwd: home, env })
  must('npm', ['ci', '--ignore-scripts', '--offline', '--no-audit', '--no-fund'], { cwd: home, env })
  const program = join(home, 'node_modules', '.bin', 'bnpl')
  for (const [line, expected] of RUNS) {
    const out = must(program, line.split(' '), { cwd: home, env })
    if (!expected.test(out)) throw new Error(`Node ${version}, bnpl ${line}: ${out}`)
  }
  console.log(`Node ${version}: installed by npm ci --ignore-scripts, ${RUNS.length} commands with the expected output`)
}

function runtime(version: string): string {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const dir = join(cache, 'bnpl-runtimes', version)
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const path = join(dir, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (!existsSync(path)) {
    mkdirSync(dir, { recursive: true })
    writeFileSync(join(dir, 'package.json'), '{ "private": true }')
    must('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`], { cwd: dir })
  }
  return path
}

function must(
  program: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env?: NodeJS.ProcessEnv },
): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', env: env ?? process.env })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${error?.message ?? stderr}`)
  return stdout
}
