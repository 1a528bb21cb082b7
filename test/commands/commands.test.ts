import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import stringWidth from 'string-width'
import { afterAll, describe, expect, test } from 'vitest'
import { MEANT_COMMANDS } from '../../src/cli/usage-errors.ts'
import { createProgram, loadAll } from '../../src/cli.ts'
import { TOPIC_NAMES } from '../../src/commands/command.ts'
import { machine } from '../kit/harness.ts'
import { program as startProgram } from '../kit/program.ts'

/** Rules for every command of the tree. */

const here = machine()
afterAll(() => here[Symbol.dispose]())

const { world } = here.world()
const program = createProgram(world, () => {})
await loadAll(program, world)

const globals = program.options.flatMap(({ long, short }) => [long, short]).filter((flag) => flag != null)
const commands = under(program)

function under(parent: Command): Command[] {
  return parent.commands.flatMap((command) => [command, ...under(command)])
}

/** Returns the words that name a command, such as `webhooks list`. */
function nameOf(command: Command): string {
  return command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()
}

/** A narrow terminal with colours. */
const NARROW = { color: true, stdoutIsTty: true, columns: 30 }

/** Runs with the exit code that `main` sets until a command has ended. Commander reads it when it shows a help text. */
async function asProcess<Result>(run: () => Promise<Result>): Promise<Result> {
  const before = process.exitCode
  process.exitCode = 1
  try {
    return await run()
  } finally {
    process.exitCode = before
  }
}

/** Returns the command that the words name, and the words after its name. */
function find(words: readonly string[], from: Command = program): { command: Command; rest: readonly string[] } {
  const [first, ...rest] = words
  const next = from.commands.find((each) => each.name() === first || each.aliases().includes(first ?? ''))
  return next ? find(rest, next) : { command: from, rest: words }
}

const groups = commands.filter((command) => command.commands.length > 0)
const runnable = commands.filter((command) => command.commands.length === 0)

test('no two commands of the tree have the same name', () => {
  expect(commands.map(nameOf)).toEqual(expect.arrayContaining(['evaluate', 'verify']))
  const names = commands.map(nameOf)
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
})

test.each([
  [['no-such', '--help'], "unknown command 'no-such'"],
  [['help', 'no-such'], "unknown command 'no-such'"],
  [['webhooks', 'lits', '--help'], 'Did you mean list?'],
  [['webhooks'], 'See: bnpl webhooks --help'],
  [['--json'], 'See: bnpl --help'],
])('%j is a usage error that says what to do', async (line, words) => {
  const { code, stdout, stderr } = await here.run(line)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(words)
})

test.each([
  [[], ['--help']],
  [['help'], ['--help']],
  [
    ['help', 'verify'],
    ['verify', '--help'],
  ],
  [
    ['-p', 'sandbox', 'webhooks', '--help'],
    ['webhooks', '--help'],
  ],
])('%j prints the same help as %j', async (line, like) => {
  const { code, stdout } = await here.run(line)
  expect({ code, stdout }).toEqual({ code: 0, stdout: (await here.run(like)).stdout })
  expect(stdout).toContain('Usage: bnpl')
})

test.each<readonly [line: string, like: string]>([
  ['help', '--help'],
  ['help help', '--help'],
  ['help --help', '--help'],
  ['webhooks help', 'webhooks --help'],
  ['webhooks help help', 'webhooks --help'],
  ['webhooks help events show', 'webhooks events show --help'],
  ['help webhooks events show', 'webhooks events show --help'],
  ['-p sandbox help webhooks listen', 'webhooks listen --help'],
  ['webhooks -p sandbox help listen --json', 'webhooks listen --help'],
  ...groups.flatMap((group) => [
    [`${nameOf(group)} help`, `${nameOf(group)} --help`] as const,
    ...group.commands.map((each) => [`${nameOf(group)} help ${each.name()}`, `${nameOf(each)} --help`] as const),
  ]),
])('“bnpl %s” prints the same help as “bnpl %s”', async (line, like) => {
  const { code, stdout } = await asProcess(() => here.run(line))
  expect({ code, stdout }).toEqual({ code: 0, stdout: (await here.run(like)).stdout })
})

test('the help command of a group works in a process of its own', async () => {
  await using other = startProgram()
  const listen = await here.run('webhooks listen --help')
  expect(await other.run('webhooks help listen')).toMatchObject({ code: 0, stdout: listen.stdout, stderr: '' })
  expect(await other.run('webhooks')).toMatchObject({ code: 2, stdout: '' })
})

test('help TOPIC accepts every global option, and only the help of the program lists the topics', async () => {
  for (const topic of TOPIC_NAMES) {
    const { stdout } = await here.run(`help ${topic}`)
    for (const line of ['--no-color', '-q', '--json', '-p sandbox'])
      for (const words of [`help ${topic} ${line}`, `${line} help ${topic}`])
        expect([words, await asProcess(() => here.run(words))]).toMatchObject([words, { code: 0, stdout }])
    expect((await here.run('--help')).stdout.replace(/\s+/g, ' ')).toContain(topic)
    for (const group of groups) {
      expect((await here.run(`${nameOf(group)} --help`)).stdout).not.toContain(TOPIC_NAMES.join(', '))
      // After `bnpl history`, such a word could be a transaction, so its help is shown as for any other word.
      const stdout = nameOf(group) === 'history' ? expect.stringMatching(/^Usage: bnpl history /) : ''
      expect(await here.run(`${nameOf(group)} help ${topic}`)).toMatchObject({ code: stdout === '' ? 2 : 0, stdout })
    }
  }
})

describe.each(commands.map((command) => [nameOf(command), command] as const))('%s', (name, command) => {
  test('has help with a description, a description of each option, and lines of at most 80 characters', async () => {
    const { code, stdout, stderr } = await here.run([...name.split(' '), '--help'], NARROW)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.startsWith(`Usage: bnpl ${name}`)).toBe(true)
    expect(stdout).not.toContain('\u001b')
    expect(command.description().length).toBeGreaterThan(10)
    // A description is a clause, like every other help text: it begins with a small letter and has no full stop.
    expect(command.description()).toMatch(/^[^A-Z].*[^.]$|^[A-Z]{2}/s)
    for (const option of command.options) expect(option.description, option.flags).not.toBe('')
    for (const line of stdout.split('\n')) expect(stringWidth(line), line).toBeLessThanOrEqual(80)
  })

  test('does not redefine an option that every command has', () => {
    const own = command.options.flatMap(({ long, short }) => [long, short]).filter((flag) => flag != null)
    expect(own.filter((flag) => globals.includes(flag))).toEqual([])
    expect(own.filter((flag, i) => own.indexOf(flag) !== i)).toEqual([])
  })
})

// Commands without commands of their own refuse it in matrix.test.ts.
test.each(groups.map(nameOf))('%s refuses an option that it does not know', async (name) => {
  const { code, stdout, stderr } = await here.run([...name.split(' '), '--no-such-option'])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^error: /)
})

test('the help of the program has lines of at most 80 characters, also on a narrow terminal', async () => {
  const { code, stdout } = await here.run('--help', NARROW)
  expect([code, stdout.split('\n').filter((line) => stringWidth(line) > 80)]).toEqual([0, []])
  expect(stdout).toMatch(/^Usage: bnpl [^\u001b]*$/)
})

describe.each(runnable.map((command) => [nameOf(command)] as const))('the examples of %s', (name) => {
  test('exist, and name existing options', async () => {
    const { stdout } = await here.run([...name.split(' '), '--help'])
    const lines = [...stdout.matchAll(/^ {2}\$ (.*)$/gm)].map(([, line]) => line ?? '')
    expect(lines.join('\n')).toContain(`bnpl ${name}`)
    for (const [, call = ''] of lines.flatMap((line) => [...line.matchAll(/\bbnpl ([^|;&<>)]*)/g)])) {
      const { command, rest } = find(call.trim().split(/\s+/))
      const known = [...globals, ...command.options.flatMap(({ long, short }) => [long, short])]
      const end = rest.indexOf('--')
      const flags = (end < 0 ? rest : rest.slice(0, end)).filter((word) => /^--?[a-zA-Z]/.test(word))
      expect(
        flags.map((flag) => flag.replace(/=.*/, '')).filter((flag) => !known.includes(flag)),
        call,
      ).toEqual([])
    }
  })
})

test.each(['evaluate', 'verify'])(
  'the help of %s lists the columns that the command reads from a file',
  async (name) => {
    writeFileSync(join(here.dir, 'rows.csv'), 'other\n1\n')
    const ran = await here.run(`${name} --from ${join(here.dir, 'rows.csv')} -p sandbox`)
    const [, columns = ''] = /bnpl reads these columns .*?: (.*)$/m.exec(ran.stderr) ?? []
    expect(columns).toContain('externalTrxId')
    const [, help = ''] = (await here.run(`${name} --help`)).stdout.split('Columns of the file for --from:')
    const names = columns.replace(/\|[^,]*|[[\]]/g, '').split(', ')
    for (const each of names.filter((column) => !column.startsWith('expected'))) expect(help).toContain(each)
    if (columns.includes('[expected')) expect(help).toContain('expectedAmount')
  },
)

describe('a command of another tool', () => {
  test.each([
    'listen',
    'trigger loan_approved',
    'login',
    'webhooks ls',
    'profiles delete acme',
    'pay',
    'informe link 1',
    'sandbox snapshot restore x',
  ])('%s is refused with the bnpl command that does the same', async (line) => {
    const ran = await here.run(`${line} --json`)
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^ {2}Use: bnpl /m) })
    expect((await here.run('frobnicate')).stderr).toContain('See: bnpl --help')
  })

  test.each(MEANT_COMMANDS)('is answered with %s, an existing command', async (line) => {
    const words = line.split(' ').slice(1)
    const names = words.filter((word) => /^[a-z]+$/.test(word))
    expect((await here.run([...(names.length > 0 ? names : words), '--help'])).code).toBe(0)
  })
})
