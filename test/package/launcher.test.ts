import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { createProgram, loadAll } from '../../src/cli.ts'
import { LAUNCHER, launch, temporaryFolder } from '../kit/built-program.ts'
import { machine } from '../kit/harness.ts'
import { WAIT_MS } from '../kit/limits.ts'
import { needsProgram } from '../kit/needs.ts'
import { ROOT } from '../kit/source-graph.ts'

/** Offset of the source's checksum in an entry of Node's compile cache (`compile_cache.cc`: the fourth number of its head). */
const CHECKSUM_AT = 12

const ANSWER = { status: 0, signal: null, stderr: '' }

/** Runs `explain 12` with a umask that hides nothing. A run that hangs is killed. */
function explainWith(cache: string | undefined, env: Record<string, string> = {}) {
  const { status, signal, stderr } = spawnSync(
    'sh',
    ['-c', 'umask 000; exec "$0" "$@"', process.execPath, LAUNCHER, 'explain', '12'],
    {
      encoding: 'utf8',
      timeout: WAIT_MS,
      env: { PATH: process.env.PATH, ...(cache && { XDG_CACHE_HOME: cache }), ...env },
    },
  )
  return { status, signal, stderr }
}

const pkg = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** Returns a pipe whose reader has closed it. */
function closedPipe(folder: string): number {
  const path = join(folder, 'pipe')
  needsProgram('mkfifo')
  expect(spawnSync('mkfifo', [path]).status).toBe(0)
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(path, constants.O_WRONLY)
  closeSync(reader)
  return writer
}

/** Starts the launcher with `--help` after each of the given command lines, and prints a zero byte after each answer. */
const EACH_LINE = `
  const { writeSync } = require('node:fs')
  const [, , launcher, lines] = process.argv
  for (const names of JSON.parse(lines)) {
    process.argv = [process.execPath, launcher, ...names, '--help']
    delete require.cache[launcher]
    require(launcher)
    if (Object.keys(require.cache).some((path) => path.endsWith('.cjs') && path !== __filename))
      throw new Error('the launcher has loaded the program for: ' + names.join(' '))
    writeSync(1, String.fromCharCode(0))
  }`

/** Command lines that have an answer: from the launcher itself, from the prepared texts, and from the program. */
const ANSWERED = [[['--version']], [['--help']], [['evaluate', '--help']], [['profiles', 'list']]]

test('without a home folder, or in a removed folder, a command that stores files ends with 3, and others work [row 91]', async () => {
  const HOMELESS = { HOME: '' }
  expect(await launch({ args: ['history', '--json'], env: HOMELESS })).toMatchObject({
    code: 3,
    stdout: '',
    stderr: expect.stringContaining('BNPL_STATE_DIR'),
  })
  expect(await launch({ args: ['explain', '6', '--json'], env: HOMELESS })).toMatchObject({ code: 0 })
  const lost = (line: string) => {
    using gone = temporaryFolder()
    const words = `cd ${gone.path} && rmdir ${gone.path} && exec ${process.execPath} ${LAUNCHER} ${line}`
    const env = { PATH: process.env.PATH, HOME: gone.path, BNPL_BASE_URL: 'http://127.0.0.1:1', BNPL_API_KEY: 'k' }
    return spawnSync('sh', ['-c', words], { encoding: 'utf8', env })
  }
  expect(lost('explain 6 --json').status).toBe(0)
  expect(lost('verify --from orders.csv')).toMatchObject({ status: 3, stdout: '' })
})

describe('the launcher', () => {
  test.each(['--version', '-V'])('answers %s', async (word) => {
    expect(await launch({ args: [word] })).toEqual({ code: 0, stdout: `${pkg.version}\n`, stderr: '' })
  })

  test.each([[['--help']], [['-h']], [[]]])(
    'answers %j with the help that the program itself renders',
    async (args) => {
      using here = machine()
      const { stdout } = await here.run(['--help'])
      expect(stdout).toContain('Usage: bnpl')
      expect(await launch({ args })).toEqual({ code: 0, stdout, stderr: '' })
      expect((await here.run(args)).stdout).toBe(stdout)
    },
  )

  test.each(['en', 'es'])(
    'answers --help of every command with the help that the program itself renders, in %s',
    async (language) => {
      using here = machine()
      const env = { BNPL_LANG: language }
      const { world } = here.world()
      const program = createProgram(world, () => {})
      await loadAll(program, world)
      const namesOf = (command: Command): string[][] => [
        [command.name()],
        ...command.commands.flatMap((each) => namesOf(each).map((names) => [command.name(), ...names])),
      ]
      const shown = program.commands.filter((each) => !each.name().startsWith('__'))
      const lines = [[], ...shown.flatMap(namesOf)]
      using folder = temporaryFolder()
      const launcher = join(folder.path, 'each-line.cjs')
      writeFileSync(launcher, EACH_LINE)
      const all = await launch({ args: [LAUNCHER, JSON.stringify(lines)], launcher, env })
      expect(all).toMatchObject({ code: 0, stderr: '' })
      const answers = all.stdout.split('\0')
      expect(answers.length).toBe(lines.length + 1)
      for (const [i, names] of lines.entries()) {
        const { stdout: rendered } = await here.run([...names, '--help'], { env })
        expect(answers[i], names.join(' ')).toBe(rendered)
      }
      for (const args of [
        ['evaluate', '-h'],
        ['help', 'evaluate'],
        ['webhooks', 'list', '--help'],
      ]) {
        using cache = temporaryFolder()
        const { code, stdout } = await launch({ args, env: { ...env, XDG_CACHE_HOME: cache.path } })
        expect({ code, stdout }).toEqual({ code: 0, stdout: (await here.run(args, { env })).stdout })
        expect(stdout).toContain(language === 'es' ? 'Uso: bnpl ' : 'Usage: bnpl ')
        // Node would write its compiled code there if the program were loaded.
        expect(readdirSync(cache.path)).toEqual([])
      }
    },
  )

  test('runs the program with the Spanish texts that the build packed', async () => {
    using here = machine()
    const env = { BNPL_LANG: 'es' }
    for (const args of [['help', 'settings'], ['explain'], ['evaluate', '--no-such']]) {
      const { code, stdout, stderr } = await here.run(args, { env })
      expect(await launch({ args, env })).toEqual({ code, stdout, stderr })
      expect(stdout + stderr).toMatch(/ (de|del|para|la|no) /)
    }
  })

  test('and the program print English if the texts of the language are not there, or not whole', async () => {
    using folder = temporaryFolder()
    for (const name of ['bin', 'dist', 'package.json'])
      cpSync(join(ROOT, name), join(folder.path, name), { recursive: true })
    const file = join(folder.path, 'dist', 'texts', 'es.txt')
    const texts = readFileSync(file, 'latin1')
    const launcher = join(folder.path, 'bin', 'bnpl.js')
    const each = [
      ['explain', '12'],
      ['verify', '--help'],
      ['__complete', 'fish', '--', 'verify', '--ex'],
    ]
    for (const damage of [
      () => writeFileSync(file, texts.replaceAll('\n', '\r\n'), 'latin1'),
      () => writeFileSync(file, texts.slice(0, 100_000), 'latin1'),
      () => rmSync(dirname(file), { recursive: true }),
    ]) {
      damage()
      for (const args of each) {
        const english = await launch({ args })
        expect(english.code).toBe(0)
        expect(await launch({ args, launcher, env: { BNPL_LANG: 'es' } })).toEqual(english)
      }
    }
  })

  test('leaves help on unknown commands to the program', async () => {
    expect((await launch({ args: ['no-such', '--help'] })).code).toBe(2)
    expect((await launch({ args: ['constructor', '--help'] })).code).toBe(2)
    expect((await launch({ args: ['webhooks list', '--help'] })).code).toBe(2)
  })

  test('runs the program for everything else', async () => {
    const { code, stdout } = await launch({ args: ['evaluate', '--help'] })
    expect(stdout).toContain('Usage: bnpl evaluate')
    expect(code).toBe(0)
    expect((await launch({ args: ['evaluate', '--no-such'] })).code).toBe(2)
  })

  test.each([['--version'], ['--help'], ['evaluate', '--help']])(
    'ends with 13 on a full disk: %s %s [row 80]',
    async (...args) => {
      const full = openSync('/dev/full', 'w')
      const { code, stderr } = await launch({ args, stdout: full })
      closeSync(full)
      expect(code).toBe(13)
      expect(stderr).toContain('error: the result could not be written to stdout (ENOSPC)')
    },
  )

  test.each(ANSWERED)('ends with 141 and without a message if stdout is a closed pipe: %j [row 81]', async (args) => {
    using folder = temporaryFolder()
    const pipe = closedPipe(folder.path)
    const { code, stderr } = await launch({ args, stdout: pipe })
    closeSync(pipe)
    expect({ code, stderr }).toEqual({ code: 141, stderr: '' })
  })

  test('stores compiled code in the cache folder, and works without a cache if the folder cannot be written', async () => {
    using folder = temporaryFolder()
    const args = ['profiles', 'list', '-q']
    expect((await launch({ args, env: { XDG_CACHE_HOME: folder.path } })).code).toBe(0)
    expect(existsSync(join(folder.path, 'bnpl', 'compiled'))).toBe(true)
    const without = await launch({ args, env: { XDG_CACHE_HOME: '/dev/null/nowhere' } })
    expect({ code: without.code, stderr: without.stderr }).toEqual({ code: 0, stderr: '' })
  })

  test('creates a cache that only its owner can access, and replaces a cache that others can access [attack 3]', () => {
    using folder = temporaryFolder()
    const cache = join(folder.path, 'cache')
    const mine = join(cache, 'bnpl')
    const compiled = join(mine, 'compiled')
    const modes = () => [mine, compiled].map((path) => (lstatSync(path).mode & 0o777).toString(8))
    expect(explainWith(cache)).toEqual(ANSWER)
    expect(modes()).toEqual(['700', '700'])
    expect(globSync('*/*', { cwd: compiled }).length).toBeGreaterThan(2)
    for (const path of [mine, compiled]) chmodSync(path, 0o777)
    writeFileSync(join(compiled, 'poison'), '')
    expect(explainWith(cache)).toEqual(ANSWER)
    expect(modes()).toEqual(['700', '700'])
    expect(existsSync(join(compiled, 'poison'))).toBe(false)
    expect(globSync('*/*', { cwd: compiled }).length).toBeGreaterThan(2)
  })

  test('does not use a cache that others could replace, and works without it [attack 3]', () => {
    const nobody = (path: string) => chownSync(path, 65_534, 65_534)
    const places: Record<string, (cache: string) => void> = {
      'others can write in it': (cache) => chmodSync(cache, 0o777),
      'its group can write in it': (cache) => chmodSync(cache, 0o770),
      'others can write above it': (cache) => chmodSync(join(cache, '..'), 0o777),
      'ours is a link': (cache) => symlinkSync(mkdtempSync(join(cache, 'other-')), join(cache, 'bnpl')),
      // Only root can give a folder away.
      ...(process.getuid?.() === 0 && {
        'it is of another user': nobody,
        'what is above it is of another user': (cache) => nobody(join(cache, '..')),
        'ours is of another user': (cache) => {
          mkdirSync(join(cache, 'bnpl'), { mode: 0o700 })
          nobody(join(cache, 'bnpl'))
        },
      }),
    }
    for (const [name, prepare] of Object.entries(places)) {
      using folder = temporaryFolder()
      const cache = join(folder.path, 'above', 'cache')
      mkdirSync(cache, { recursive: true, mode: 0o700 })
      prepare(cache)
      expect([name, explainWith(cache)]).toEqual([name, ANSWER])
      expect([name, globSync('**/v*/*', { cwd: cache })]).toEqual([name, []])
    }
  })

  test('runs no compiled code that another user put into its cache [row 114]', () => {
    using folder = temporaryFolder()
    const [home, cache] = [join(folder.path, 'home'), join(folder.path, 'cache')]
    mkdirSync(join(home, 'dist'), { recursive: true })
    cpSync(join(ROOT, 'bin'), join(home, 'bin'), { recursive: true })
    const compiled = join(cache, 'bnpl', 'compiled')
    const programSaying = (word: string) => writeFileSync(join(home, 'dist', 'main.cjs'), `console.log('${word}')\n`)
    const run = () =>
      spawnSync(process.execPath, [join(home, 'bin', 'bnpl.js'), 'run'], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, XDG_CACHE_HOME: cache },
      }).stdout
    const entry = () => {
      const found = globSync('*/*', { cwd: compiled }).map((name) => join(compiled, name))
      return found.find((path) => readFileSync(path).includes('said by')) ?? ''
    }
    // The cache gets the code of one program under the checksum of another program of the same length. Node would run that code.
    programSaying('said by ours')
    run()
    const checksum = readFileSync(entry()).readUInt32LE(CHECKSUM_AT)
    rmSync(cache, { recursive: true })
    programSaying('said by them')
    run()
    const foreign = readFileSync(entry())
    foreign.writeUInt32LE(checksum, CHECKSUM_AT)
    const place = entry()
    programSaying('said by ours')
    const runWith = (happen: () => void) => {
      rmSync(cache, { recursive: true, force: true })
      mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
      writeFileSync(place, foreign)
      happen()
      return run()
    }
    expect(runWith(() => {})).toBe('said by them\n')
    const open: (() => void)[] = [
      () => chmodSync(compiled, 0o777),
      () => chmodSync(compiled, 0o720),
      ...(process.getuid?.() === 0 ? [() => chownSync(compiled, 65_534, 65_534)] : []),
    ]
    for (const happen of open) expect(runWith(happen)).toBe('said by ours\n')
  })

  test('starts without a cache if no folder can be created: with /proc as the home or the cache folder [attack 14]', () => {
    for (const env of [
      { HOME: '/proc' },
      { XDG_CACHE_HOME: '/proc' },
      { HOME: '/proc/1', XDG_CACHE_HOME: '/proc/a/b/c' },
    ])
      expect([env, explainWith(undefined, env)]).toEqual([env, ANSWER])
  })

  test('ends with 3, and does not hang, if the state folder cannot be created, for example in /proc [attack 14]', () => {
    using folder = temporaryFolder()
    const env = { BNPL_STATE_DIR: '/proc/state', BNPL_BASE_URL: 'https://api.invalid', BNPL_API_KEY: 'k' }
    for (const line of [
      'sandbox start --port 0 --ephemeral',
      'evaluate -p sandbox --rut 11222333-9 --amount 1000',
      'verify --from -',
      'history',
    ]) {
      const ran = spawnSync(process.execPath, [LAUNCHER, ...line.split(' ')], {
        encoding: 'utf8',
        timeout: WAIT_MS,
        input: 'trx\nT1\n',
        env: { PATH: process.env.PATH, HOME: folder.path, ...env },
      })
      expect([line, ran.status], ran.stderr).toEqual([line, 3])
    }
  })

  test('runs the sources in a checkout that was not built', async () => {
    using folder = temporaryFolder()
    cpSync(join(ROOT, 'bin'), join(folder.path, 'bin'), { recursive: true })
    symlinkSync(join(ROOT, 'src'), join(folder.path, 'src'))
    const launcher = join(folder.path, 'bin', 'bnpl.js')
    const { code, stdout, stderr } = await launch({ args: ['--help'], launcher })
    expect(stderr).toBe('')
    expect(stdout).toContain('Usage: bnpl')
    expect(code).toBe(0)
  })
})

describe('on an old Node', () => {
  /** Runs the launcher with a Node that reports an older version. */
  async function pretend(version: string, args: readonly string[]) {
    using folder = temporaryFolder()
    const preload = join(folder.path, 'older.cjs')
    writeFileSync(
      preload,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`,
    )
    return await launch({ args, node: ['--require', preload] })
  }

  test.each([[['--version']], [['verify', 'order-1']], [[]]])(
    'prints one line with the required version and the version in use: %j',
    async (args) => {
      const { code, stdout, stderr } = await pretend('20.20.2', args)
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
      expect(stderr).toMatch(
        /^error: bnpl needs Node\.js 24\.5 or newer, and this is 20\.20\.2 \(.+\)\. Install it .+\n$/,
      )
    },
  )

  test('compares versions as numbers, not as text', async () => {
    expect((await pretend('9.0.0', ['--version'])).code).toBe(3)
    expect((await pretend('100.0.0', ['--version'])).code).toBe(0)
    expect((await pretend('24.4.1', ['--version'])).code).toBe(3)
    expect((await pretend('24.10.0', ['--version'])).code).toBe(0)
  })

  test('the launcher requires the same version of Node as package.json', () => {
    const [, needed] = /NEEDED = '([\d.]+)'/.exec(readFileSync(LAUNCHER, 'utf8')) ?? []
    expect(pkg.engines.node).toBe(`>=${needed}`)
  })

  test('can parse the launcher, which uses only ES5 syntax', () => {
    const code = readFileSync(LAUNCHER, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/ .*/g, '')
    expect(
      code.match(/=>|`|\b(const|let|class|async|await|import|export)\b|\?\.|\?\?|\.\.\.|catch \{|,\s*\)/g),
    ).toBeNull()
  })
})
