import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TOPIC_NAMES } from '../../src/commands/command.ts'
import { COMMANDS } from '../../src/commands/commands.ts'
import { VARIABLES } from '../../src/commands/topics.ts'
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
  [...README.matchAll(/^```sh readme=(\w+)\n([\s\S]*?)^```$/gm)].map(([, name, text]) => [String(name), String(text)]),
)
const block = (name: string) => BLOCKS.get(name) ?? 'exit 99'

test('every block of the README runs here or with the examples, except the blocks that install, test or add an account', () => {
  expect([...BLOCKS.keys()]).toEqual([
    'receive',
    'pay',
    'page',
    'phone',
    'reconcile',
    'listen',
    'report',
    'smoke',
    'suite',
  ])
  const others = [...README.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => String(text).split('\n')[0])
  expect(others).toEqual([
    'npm ci && npx bnpl walkthrough -p sandbox </dev/null',
    'npm ci && npm test',
    'npm ci && npm pack && npm install --global --ignore-scripts ./bnpl-*.tgz',
    'bnpl profiles add acme --environment beta --base-url https://… --payment-url https://… --entity-id … --public-key … --api-key-stdin < key.txt',
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
    const inPython = (text: string) =>
      text
        .replace(/^cat > handler[\s\S]*?^END$/m, `cat > handler.py <<'END'\n${PYTHON}END`)
        .replace('node handler.mjs', 'python3 handler.py')
    const receive = (language === 'node' ? block('receive') : inPython(block('receive')))
      .replaceAll(/\b3000\b/g, port)
      .replace('webhooks listen -p sandbox --forward-to', 'webhooks listen -p sandbox --port 0 --forward-to')
    let second = 0
    for (const round of language === 'node' ? ['first', 'second'] : ['first']) {
      const terminal = spawn('bash', ['-c', receive], { cwd: k.dir, env, detached: true })
      let screen = ''
      for (const stream of [terminal.stdout, terminal.stderr])
        stream.on('data', (chunk) => {
          screen += chunk
        })
      const ended = new Promise<{ code: number | null; signal: null; stdout: string; stderr: string }>((resolve) =>
        terminal.once('close', (code) => resolve({ code, signal: null, stdout: screen, stderr: '' })),
      )
      try {
        await until(() => screen.includes('Signing secret: whsec_sandbox_'), { ended })
        // The block names its transaction after the current second, so the second run must begin in a later second.
        await until(() => Math.floor(Date.now() / 1000) > second, { ended })
        const paid = await run(block('pay'), k.dir, env)
        second = Math.floor(Date.now() / 1000)
        expect([round, paid.text, paid.code]).toEqual([round, expect.stringContaining('ACTIVE'), 0])
        await until(() => /verified: order-\d+/.test(readFileSync(join(k.dir, 'handler.log'), 'utf8')), { ended })
      } finally {
        process.kill(-Number(terminal.pid), 'SIGINT')
        // A shell starts background programs so that they ignore Ctrl-C. A closed terminal ends them.
        process.kill(-Number(terminal.pid), 'SIGTERM')
        await ended
      }
    }
  },
  120_000,
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
}, 60_000)

/** Runs a script in a shell of its own. */
function run(script: string, cwd: string, env: Record<string, string>): Promise<{ code: number | null; text: string }> {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-ec', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        text += chunk
      })
    child.once('close', (code) => resolve({ code, text }))
  })
}

test('every variable that bnpl reads is in its help, and every entry of a help topic is in docs/reference.md', async () => {
  const known = new Set(Object.values(VARIABLES).flatMap((each) => Object.keys(each)))
  const sources = globSync(['src/**/*.ts', 'bin/*.js'], { cwd: ROOT }).filter((path) => !path.endsWith('.test.ts'))
  const used = new Set(
    sources.flatMap((path) =>
      [...read(path).matchAll(/\benv\.([A-Z_]{3,})\b|\b(BNPL_[A-Z_]+[A-Z])\b/g)].map(([, a, b]) => String(a ?? b)),
    ),
  )
  // Users do not set these (the last is a code of a service): the build replaces the first, the second is the code of an error, and every system has a PATH.
  for (const name of ['BNPL_VERSION', 'BNPL_GARBLED', 'PATH', 'BNPL_FETCH_DATA_ERROR']) used.delete(name)
  expect([...used].filter((name) => !known.has(name))).toEqual([])
  using m = machine()
  for (const topic of TOPIC_NAMES) {
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
    // This variable of a hint contains the account's -p, or nothing.
    .replaceAll(/\$\{end\}/g, '')
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
}, 60_000)
