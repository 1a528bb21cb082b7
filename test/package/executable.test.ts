import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../kit/built-program.ts'
import { WAIT_MS } from '../kit/limits.ts'
import { ROOT } from '../kit/source-graph.ts'

const run = promisify(execFile)
const folder = temporaryFolder()
const program = join(folder.path, process.platform === 'win32' ? 'bnpl.exe' : 'bnpl')
// There is no Node on the PATH, because the file must be enough.
const env = { PATH: '/nowhere', HOME: folder.path, XDG_CACHE_HOME: join(folder.path, 'cache') }

beforeAll(async () => {
  await run(process.execPath, [join(ROOT, 'scripts', 'executable.ts'), program])
})

afterAll(() => folder[Symbol.dispose]())

test('the single executable prints the version and the help, and exits with 2 for an unknown option', async () => {
  const version = await run(program, ['--version'], { env })
  expect(version).toMatchObject({ stdout: readFileSync(join(ROOT, 'dist', 'version.txt'), 'utf8'), stderr: '' })
  expect((await run(program, ['--help'], { env })).stdout).toContain('Usage: bnpl')
  expect(spawnSync(program, ['--no-such'], { env }).status).toBe(2)
})

test('the single executable pays on the sandbox, and --dry-run prints a call without the key', async () => {
  expect((await run(program, ['walkthrough', '-p', 'sandbox'], { env })).stdout).toContain('ACTIVE')
  const args = 'evaluate --dry-run --rut 11222333-9 --amount 250000 --entity-id e'.split(' ')
  const account = { BNPL_BASE_URL: 'https://partner.example', BNPL_API_KEY: 'k-secret' }
  const { stdout } = await run(program, args, { env: { ...env, ...account } })
  expect(stdout).toContain('https://partner.example/partner/pre-loan-request/bnpl')
  expect(stdout).not.toContain('k-secret')
})

test('the single executable unpacks its files once, and also works without a cache folder', async () => {
  const laidDown = readdirSync(join(folder.path, 'cache', 'bnpl')).filter((name) => name.startsWith('program'))
  expect(laidDown).toEqual([expect.stringMatching(/^program-[0-9a-f]{16}$/)])
  const temporary = { ...env, XDG_CACHE_HOME: '/dev/null/nowhere', TMPDIR: folder.path }
  expect((await run(program, ['profiles', 'list', '-q'], { env: temporary })).stderr).toBe('')
  expect(readdirSync(folder.path).filter((name) => name.startsWith('bnpl-'))).toEqual([])
})

test('the single executable runs no file from a folder that other users can write to [attack 3]', async () => {
  const cache = join(folder.path, 'theirs')
  mkdirSync(cache, { mode: 0o700 })
  const start = () => run(program, ['--version'], { env: { ...env, XDG_CACHE_HOME: cache, TMPDIR: folder.path } })
  const version = readFileSync(join(ROOT, 'dist', 'version.txt'), 'utf8')
  expect(await start()).toEqual({ stdout: version, stderr: '' })
  const [laidDown = ''] = readdirSync(join(cache, 'bnpl')).filter((name) => name.startsWith('program-'))
  const launcher = join(cache, 'bnpl', laidDown, 'bin', 'bnpl.js')
  writeFileSync(launcher, "console.log('another program')")
  expect((await start()).stdout).toBe('another program\n')
  chmodSync(join(cache, 'bnpl', laidDown), 0o777)
  expect(await start()).toEqual({ stdout: version, stderr: '' })
  writeFileSync(launcher, "console.log('another program')")
  chmodSync(cache, 0o777)
  expect(await start()).toEqual({ stdout: version, stderr: '' })
  expect(readdirSync(folder.path).filter((name) => name.startsWith('bnpl-'))).toEqual([])
})

test('the single executable starts when no folder can be made in the home folder [attack 14]', () => {
  for (const more of [{ HOME: '/proc', XDG_CACHE_HOME: '' }, { XDG_CACHE_HOME: '/proc' }])
    expect(spawnSync(program, ['--version'], { env: { ...env, ...more }, timeout: WAIT_MS }).status).toBe(0)
})

test('a first run removes the files of older versions, unless they are still used', async () => {
  const cache = join(folder.path, 'other')
  const old = new Date(Date.now() - 40 * 24 * 3_600_000)
  for (const [name, used] of [
    ['program-unused', old],
    ['program-used', new Date()],
  ] as const) {
    const launcher = join(cache, 'bnpl', name, 'bin', 'bnpl.js')
    mkdirSync(join(launcher, '..'), { recursive: true })
    writeFileSync(launcher, '')
    utimesSync(launcher, used, old)
  }
  await run(program, ['--version'], { env: { ...env, XDG_CACHE_HOME: cache } })
  const left = readdirSync(join(cache, 'bnpl')).filter((name) => name.startsWith('program'))
  expect(left.sort()).toEqual([expect.stringMatching(/^program-[0-9a-f]{16}$/), 'program-used'])
})

test('the single executable refuses --keyring with the reason', async () => {
  const line = [
    'profiles',
    'add',
    'shop',
    '--base-url',
    'https://api.example.com',
    '--environment',
    'beta',
    '--no-input',
  ]
  const keyFile = join(folder.path, 'key.txt')
  writeFileSync(keyFile, 'sk-canary-1234567890\n', { mode: 0o600 })
  const paid = ['--payment-url', 'https://pay.example.com', '--api-key-file', keyFile, '--keyring']
  const { stderr } = spawnSync(program, [...line, ...paid], { env, encoding: 'utf8' })
  expect(stderr).toContain('single executable')
  expect(stderr).not.toContain('canary')
})
