import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COMMANDS } from '../../src/commands/commands.ts'
import { TOPICS, VARIABLES } from '../../src/commands/topics.ts'
import { es } from '../../src/language/es/es.ts'
import { complaints } from '../kit/command-lines.ts'
import { machine } from '../kit/harness.ts'
import { kitchen } from '../kit/kitchen.ts'
import { lastingPort } from '../kit/lasting-port.ts'
import { needsProgram } from '../kit/needs.ts'
import { until } from '../kit/program.ts'
import { ROOT } from '../kit/source-graph.ts'

/**
 * Runs the commands of the README as they are printed there, on a fresh machine, twice in a row. Only ports are replaced, because other
 * programs may use them.
 */

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const README = read('README.md')
const BLOCKS = new Map(
  [...README.matchAll(/^```(?:sh|js) readme=(\w+)\n([\s\S]*?)^```$/gm)].map(([, name, text]) => [
    String(name),
    String(text),
  ]),
)
const block = (name: string) => BLOCKS.get(name) ?? 'exit 99'

test('every block of the README runs here or with the examples, except the blocks that install, test or add an account', () => {
  expect([...BLOCKS.keys()]).toEqual([
    'receive',
    'handler',
    'handle',
    'pay',
    'page',
    'phone',
    'reconcile',
    'listen',
    'report',
    'smoke',
    'suite',
  ])
  const others = [...README.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => String(text))
  expect(others).toEqual([
    'npm ci\nnpx bnpl walkthrough -p sandbox --no-input\n',
    'npm ci\nnpm test\n',
    expect.stringMatching(/^npm ci\nnpm pack\nnpm install --global --ignore-scripts \S+\n$/),
    expect.stringMatching(/^bnpl profiles add acme .* --api-key-file key\.txt\n/),
  ])
})

const PYTHON = /^```python handler\n([\s\S]*?)^```$/m.exec(read('docs/webhooks.md'))?.[1] ?? ''

test.each(['node', 'python3'])(
  'the first payment and the first webhook of the README work, with a handler in %s',
  async (language) => {
    needsProgram(language)
    await using k = await kitchen()
    const { BNPL_BASE_URL, BNPL_PAYMENT_URL, BNPL_API_KEY, BNPL_PUBLIC_KEY, BNPL_ENTITY_ID, ...env } = k.env
    const port = String(await lastingPort())
    const onPort = (text: string) => text.replaceAll(/\b3000\b/g, port)
    k.put('handler.mjs', onPort(block('handler')))
    k.put('handler.py', onPort(PYTHON))
    for (const order of language === 'node' ? ['order-1', 'order-2'] : ['order-1']) {
      const listener = terminal(
        onPort(block('receive')).replace('listen -p sandbox', 'listen -p sandbox --port 0'),
        k.dir,
        env,
      )
      await until(() => listener.screen().includes('Signing secret: whsec_sandbox_'), listener)
      const handler = terminal(
        language === 'node'
          ? block('handle')
          : 'export BNPL_WEBHOOK_SECRET=$(bnpl webhooks listen -p sandbox --print-secret); python3 handler.py',
        k.dir,
        env,
      )
      try {
        const paid = await terminal(`set -e; ${block('pay').replaceAll('order-1', order)}`, k.dir, env).ended
        expect([order, paid.stdout, paid.code]).toEqual([order, expect.stringContaining('ACTIVE'), 0])
        await until(() => handler.screen().includes(`verified: ${order}`), handler)
      } finally {
        for (const each of [handler, listener]) await each.interrupt()
      }
    }
  },
)

test('the handler in Python of docs/webhooks.md passes every check of webhooks test', async () => {
  needsProgram('python3')
  await using k = await kitchen()
  const port = String(await lastingPort())
  k.put('handler.py', PYTHON.replace('3000', port))
  const ran = await k.sh(
    `export BNPL_WEBHOOK_SECRET=whsec_test_0123456789
python3 handler.py > handler.log 2>&1 & trap "kill $!" EXIT
while kill -0 $! && ! (: > /dev/tcp/127.0.0.1/${port}) 2> /dev/null; do sleep 0.05; done
bnpl webhooks test http://127.0.0.1:${port}/hook; exit`,
  )
  expect([k.file('handler.log').match(/TypeError.*/g), ran.code, ran.text]).toEqual([null, 0, expect.anything()])
})

interface Terminal {
  /** What the script printed until now. */
  screen(): string
  ended: Promise<{ code: number | null; signal: null; stdout: string; stderr: string }>
  /** Ends the script and its programs, as Ctrl-C does. */
  interrupt(): Promise<unknown>
}

/** Starts a script in a shell of its own. */
function terminal(script: string, cwd: string, env: Record<string, string>): Terminal {
  const child = spawn('bash', ['-c', script], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let screen = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      screen += chunk
    })
  const ended: Terminal['ended'] = new Promise((resolve) =>
    child.once('close', (code) => resolve({ code, signal: null, stdout: screen, stderr: '' })),
  )
  return {
    screen: () => screen,
    ended,
    interrupt() {
      if (child.exitCode === null && child.signalCode === null) process.kill(-Number(child.pid), 'SIGINT')
      return ended
    },
  }
}

test('every variable that bnpl reads is in its help, and every entry of a help topic is in docs/reference.md', async () => {
  const known = new Set(Object.values(VARIABLES).flatMap((each) => Object.keys(each)))
  const sources = globSync(['src/**/*.ts', 'bin/*.js'], { cwd: ROOT }).filter((path) => !path.endsWith('.test.ts'))
  const used = new Set(
    sources.flatMap((path) =>
      [...read(path).matchAll(/\benv\.([A-Z_]{3,})\b|\b(BNPL_[A-Z_]+[A-Z])\b/g)].map(([, a, b]) => String(a ?? b)),
    ),
  )
  // Users do not set these: the build replaces the first, the next two are codes, every system has a PATH and a HOME, and the last is Node's.
  for (const name of ['BNPL_VERSION', 'BNPL_GARBLED', 'BNPL_FETCH_DATA_ERROR', 'PATH', 'HOME', 'NODE_COMPILE_CACHE'])
    used.delete(name)
  expect([...used].filter((name) => !known.has(name))).toEqual([])
  using m = machine()
  for (const topic of Object.keys(TOPICS)) {
    const { code, stdout } = await m.run(`help ${topic}`)
    expect([topic, code]).toEqual([topic, 0])
    for (const line of stdout.split('\n')) expect([line, line.length <= 80]).toEqual([line, true])
    const names = [...stdout.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => String(name))
    expect(names.length).toBeGreaterThan(10)
    for (const name of names)
      expect([
        name,
        read('docs/reference.md').includes(`| ${name} |`) || read('docs/reference.md').includes(`\`${name}\``),
      ]).toEqual([name, true])
  }
})

test('nothing tells a reader to install a package by a name that nobody owns', () => {
  const pages = globSync(['*.md', 'docs/*.md', 'deploy/*', 'src/**/*.ts'], { cwd: ROOT })
  // Only maintainers read this page, after they have published the package.
  for (const path of pages.filter((each) => each !== 'docs/releasing.md'))
    expect([path, read(path).match(/npm (?:i|install|add) (?:-g|--global) bnpl\b|npx -y bnpl|npx bnpl@/g)]).toEqual([
      path,
      null,
    ])
})

const NOUNS = new Set(COMMANDS.map(({ name }) => name))

/** Returns the commands that a source names in its texts, with a word in the place of each value. */
function commandsNamed(source: string): string[] {
  const texts = source
    .replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
    // This variable of a hint, or of its translation, contains the account's -p, or nothing.
    .replaceAll(/\$?\{end\d?\}/g, '')
    .replaceAll('\\`', '`')
    .replaceAll(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, 'VALUE')
  return (
    [...texts.matchAll(/\bbnpl ((?:(?:"[^"\n]*"|[^\s'"`,;()<>]+)(?: |(?=[\s'"`,;()<>])|$))+)/g)]
      .map(([, line]) => String(line).split(/\. | \| | --help/)[0] ?? '')
      .map((line) =>
        line
          .trim()
          .replace(/[.:]$/, '')
          .replace(/^webhooks events(?= -|$)/, 'webhooks events list'),
      )
      // A text with line ends is no command. Two programs of ours exchange it as a proof.
      .filter((line) => NOUNS.has(line.split(' ')[0] ?? '') && !/\\n|^\S+ …/.test(line))
  )
}

test('every command that a hint, a note or an example names exists, with its options', async () => {
  // The table of other programs' words is left out: those are no commands of ours, and its own test checks it.
  const sources = globSync('src/**/*.ts', { cwd: ROOT }).filter((path) => !/\.test\.ts$|usage-errors/.test(path))
  const named = [...new Set(sources.flatMap((path) => commandsNamed(read(path))))]
  expect(named.length).toBeGreaterThan(150)
  const wrong: string[] = []
  for (const line of named) if ((await complaints(line.split(' '))).length > 0) wrong.push(line)
  expect(wrong).toEqual([])
})

test('README.es.md has the blocks of the README, and its table of commands in the Spanish of the program', () => {
  const [english, spanish] = [read('README.md'), read('README.es.md')]
  const blocks = (text: string) =>
    [...text.matchAll(/^```[\s\S]*?^```$/gm)].map(([block]) => block.replace(/ readme=\w+/, ''))
  expect(blocks(spanish)).toEqual(blocks(english))
  const [, table = ''] = english.split('<!-- generated: commands -->')
  const rows = [...(table.split('<!-- end -->')[0]?.matchAll(/^\| (`.*?) \| (.*) \|$/gm) ?? [])]
  expect(rows.length).toBeGreaterThan(15)
  for (const [, first, text = ''] of rows) expect(spanish).toContain(`| ${first} | ${es[text]} |`)
})
