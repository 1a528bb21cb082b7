/**
 * Prints how much there is: files and lines of each room, small files, `import()`, the files that an amount, a row of a file, a webhook and a
 * request to the sandbox meet, the words of the documentation and the lines of the tests. `npm run survey` prints it for this checkout,
 * `npm run survey -- --json` as JSON. The files that a value meets are counted by V8's coverage: those in which a function ran more often
 * with the value than without it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ROOT, readSources } from '../test/source-graph.ts'

/** A file under this many lines with one reader is better a part of its reader. */
const SMALL_LINES = 80

/** How often each function ran, by its file and position. */
type Runs = Map<string, number>

const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const linesOf = (path: string) => textOf(path).split('\n').length - 1
const found = (pattern: string) => globSync(pattern, { cwd: ROOT }).map((path) => path.replaceAll('\\', '/'))
const add = (numbers: number[]) => numbers.reduce((sum, each) => sum + each, 0)

const sources = readSources('src/**/*.ts')
const assets = found('src/**/*.{js,css,svg}')
const paths = [...sources.map(({ path }) => path), ...assets]

function rooms(): { room: string; files: number; lines: number }[] {
  const names = new Set(paths.map((path) => String(path.split('/')[1]).replace(/\.ts$/, '')))
  const isIn = (room: string) => (path: string) => path.startsWith(`src/${room}/`) || path === `src/${room}.ts`
  return [...names].sort().map((room) => {
    const own = paths.filter(isIn(room))
    return { room, files: own.length, lines: add(own.map(linesOf)) }
  })
}

function smallFilesWithOneReader(): string[] {
  const readers = new Map<string, Set<string>>()
  for (const { path, imports } of sources)
    for (const { target } of imports) readers.set(target, (readers.get(target) ?? new Set()).add(path))
  return sources
    .filter(({ path, text }) => text.split('\n').length - 1 < SMALL_LINES && readers.get(path)?.size === 1)
    .map(({ path }) => path)
}

const words = (pattern: string) => add(found(pattern).map((path) => textOf(path).split(/\s+/).filter(Boolean).length))

const dir = mkdtempSync(join(tmpdir(), 'bnpl-survey-'))
const home = { BNPL_CONFIG_DIR: join(dir, 'config'), BNPL_STATE_DIR: join(dir, 'state'), HOME: dir }
const main = join(ROOT, 'src', 'main.ts')
let runs = 0

/** Starts a command line with coverage, in folders of its own. */
function start(args: readonly string[], env: Record<string, string> = {}): { child: ChildProcess; coverage: string } {
  const coverage = join(dir, `coverage-${runs++}`)
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, ...home, NODE_V8_COVERAGE: coverage, ...env },
    stdio: 'ignore',
  })
  return { child, coverage }
}

async function readyFile(name: string): Promise<Record<string, unknown>> {
  const path = join(dir, name)
  for (let i = 0; i < 600 && !existsSync(path); i++) await wait(50)
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
}

async function ended({ child, coverage }: { child: ChildProcess; coverage: string }): Promise<Runs> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  const counted: Runs = new Map()
  for (const name of readdirSync(coverage)) {
    const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as {
      result: { url: string; functions: { ranges: { startOffset: number; count: number }[] }[] }[]
    }
    for (const { url, functions } of result) {
      if (!url.startsWith('file:')) continue
      const path = fileURLToPath(url)
      if (!path.startsWith(join(ROOT, 'src'))) continue
      // The first function is the module itself.
      for (const { ranges } of functions.slice(1)) {
        const [{ startOffset, count }] = ranges as [{ startOffset: number; count: number }]
        const key = `${path.slice(ROOT.length + 1).replaceAll('\\', '/')}:${startOffset}`
        counted.set(key, (counted.get(key) ?? 0) + count)
      }
    }
  }
  return counted
}

/** Returns the files in which a function ran more often in the first run. */
function because(withIt: Runs, without: Runs): string[] {
  const more = [...withIt]
    .filter(([key, count]) => count > (without.get(key) ?? 0))
    .map(([key]) => String(key.split(':')[0]))
  return [...new Set(more)].sort()
}

/** Runs a server until it is ready, lets `act` use it, ends it, and returns what ran. */
async function served(
  args: readonly string[],
  env: Record<string, string>,
  act: (ready: Record<string, unknown>) => unknown,
) {
  const name = `ready-${runs}`
  const server = start([...args, '--ready-file', join(dir, name)], env)
  await act(await readyFile(name))
  server.child.kill('SIGTERM')
  return ended(server)
}

const EVALUATE = ['evaluate', '--rut', '12345678-5', '--amount', '250000', '--trx', 'survey-1', '--json']
const SANDBOX = ['sandbox', 'start', '--ephemeral', '--port', '0']

async function meetings(): Promise<Record<string, string[]>> {
  const help = async (...words: string[]) => ended(start([...words, '--help']))
  let amount: string[] = []
  const request = because(
    await served(SANDBOX, {}, async (ready) => {
      const { baseUrl, partners } = ready as { baseUrl: string; partners: [{ apiKey: string; entityId: string }] }
      const [{ apiKey, entityId }] = partners
      const account = { BNPL_BASE_URL: baseUrl, BNPL_API_KEY: apiKey, BNPL_ENTITY_ID: entityId }
      amount = because(await ended(start(EVALUATE, account)), await help('evaluate'))
    }),
    await served(SANDBOX, {}, () => {}),
  )
  const rows = join(dir, 'rows.csv')
  writeFileSync(rows, 'externalTrxId\nsurvey-1\nsurvey-2\n')
  const file = ['verify', '--from', rows, '--out', join(dir, 'results.csv'), '-p', 'sandbox']
  const row = because(await ended(start(file)), await help('verify'))
  const secret = { BNPL_WEBHOOK_SECRET: 'a-secret-of-the-survey' }
  const listen = (state: string) =>
    ['webhooks', 'listen', '--scheme', 'hmac', '--port', '0', '--path', `/${state}`, '--json'] as const
  const received = await served(listen('a'), secret, async (ready) => {
    const url = String(ready.url ?? ready.localUrl)
    const sent = start(['webhooks', 'trigger', 'loan_approved', '--to', url], secret)
    await ended(sent)
    await wait(500)
  })
  const webhook = because(received, await served(listen('a'), secret, () => {}))
  return { 'an amount over HTTP': amount, 'a row of a file': row, 'a webhook': webhook, 'a sandbox request': request }
}

try {
  mkdirSync(join(dir, 'state'))
  const met = await meetings()
  const small = smallFilesWithOneReader()
  const tests = found('{src,test}/**/*.test.ts')
  const kit = found('test/**/*.{ts,js,cjs}').filter((path) => !path.endsWith('.test.ts'))
  const all = {
    rooms: rooms(),
    files: paths.length,
    lines: add(paths.map(linesOf)),
    smallFilesWithOneReader: small.length,
    lazyImports: add(sources.map(({ imports }) => imports.filter(({ lazy }) => lazy).length)),
    met: Object.fromEntries(Object.entries(met).map(([what, files]) => [what, files.length])),
    wordsOfDocs: words('{README.md,docs/**/*.md}'),
    wordsOfChangelog: words('CHANGELOG.md'),
    testFiles: tests.length,
    linesOfTests: add([...tests, ...kit].map(linesOf)),
  }
  if (process.argv.includes('--json')) console.log(JSON.stringify({ ...all, small, metFiles: met }, null, 2))
  else {
    for (const { room, files, lines } of all.rooms)
      console.log(`${room.padEnd(14)} ${String(files).padStart(5)} files ${String(lines).padStart(7)} lines`)
    console.log(`${'all'.padEnd(14)} ${String(all.files).padStart(5)} files ${String(all.lines).padStart(7)} lines`)
    console.log(
      `${all.smallFilesWithOneReader} files under ${SMALL_LINES} lines with one reader; ${all.lazyImports} import()`,
    )
    for (const [what, count] of Object.entries(all.met)) console.log(`${what} meets ${count} files`)
    console.log(`${all.wordsOfDocs} words of documentation, and ${all.wordsOfChangelog} in the changelog`)
    console.log(`${all.testFiles} files of tests; ${all.linesOfTests} lines with what they share`)
  }
} finally {
  rmSync(dir, { recursive: true, force: true })
}
