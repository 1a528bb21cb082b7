/**
 * Measures which files an amount, a row of a file, a webhook and a request to the sandbox meet, and writes them into docs/walks; and writes
 * the size of each room into docs/architecture.md: `npm run walks`. A file counts if V8's coverage says that one of its functions ran more often with the value than without it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ROOT, readSources } from '../test/kit/source-graph.ts'
import { BANDS, type WalkName, walkPage } from './architecture.ts'

/** How often each function ran, by its file and position. */
type Runs = Map<string, number>

type Env = Record<string, string>

/** What a server writes into its ready file: the sandbox its accounts, the listener its address. */
interface Ready {
  baseUrl: string
  partners: [{ apiKey: string; entityId: string }]
  url?: string
  localUrl?: string
}

interface Started {
  child: ChildProcess
  coverage: string
}

const MAIN = join(ROOT, 'src', 'main.ts')
const EVALUATE = ['evaluate', '--rut', '12345678-5', '--amount', '250000', '--trx', 'walk-1', '--json']
const SANDBOX = ['sandbox', 'start', '--ephemeral', '--port', '0']
const SECRET = { BNPL_WEBHOOK_SECRET: 'a-secret-of-the-walks' }

/** Returns the files that each of the four values meets, as paths from the repository's root. */
export async function measureWalks(): Promise<Record<WalkName, string[]>> {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-walks-'))
  try {
    mkdirSync(join(dir, 'state'))
    return await measuredIn(dir)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function measuredIn(dir: string): Promise<Record<WalkName, string[]>> {
  const home = { BNPL_CONFIG_DIR: join(dir, 'config'), BNPL_STATE_DIR: join(dir, 'state'), HOME: dir }
  let runs = 0
  /** Starts a command line with coverage, in folders of its own. */
  const start = (args: readonly string[], env: Env = {}): Started => {
    const coverage = join(dir, `coverage-${runs++}`)
    const all = { ...process.env, ...home, NODE_V8_COVERAGE: coverage, ...env }
    return { child: spawn(process.execPath, [MAIN, ...args], { env: all, stdio: 'ignore' }), coverage }
  }
  const ran = (args: readonly string[], env?: Env) => ended(start(args, env))
  /**
   * Runs a server until it is ready, lets `act` use it, ends it, and returns what ran: with `act`, and without it in a run that lasts as
   * long, so that what a server does by itself from time to time does not count.
   */
  const served = async (args: readonly string[], env: Env, act: (ready: Ready) => unknown) => {
    const once = async (use: (ready: Ready) => unknown) => {
      const path = join(dir, `ready-${runs}`)
      const server = start([...args, '--ready-file', path], env)
      for (let i = 0; i < 1200 && !existsSync(path); i++) await wait(50)
      await use(JSON.parse(readFileSync(path, 'utf8')) as Ready)
      server.child.kill('SIGTERM')
      return ended(server)
    }
    const began = performance.now()
    const withIt = await once(act)
    const ms = performance.now() - began
    return because(withIt, await once(() => wait(ms)))
  }

  let amount: string[] = []
  let row: string[] = []
  const rows = join(dir, 'rows.csv')
  writeFileSync(rows, 'rut,amount,externalTrxId\n12345678-5,250000,walk-2\n11222333-9,50000,walk-3\n')
  const request = await served(SANDBOX, {}, async ({ baseUrl, partners: [{ apiKey, entityId }] }) => {
    const account = { BNPL_BASE_URL: baseUrl, BNPL_API_KEY: apiKey, BNPL_ENTITY_ID: entityId }
    const help = await ran(['evaluate', '--help'])
    amount = because(await ran(EVALUATE, account), help)
    const file = ['evaluate', '--from', rows, '--out', join(dir, 'offers.csv'), '--yes']
    row = because(await ran(file, account), help).filter((path) => !amount.includes(path))
  })

  const received: string[] = []
  const handler = createServer((request, response) => {
    request.resume()
    received.push(String(request.url))
    response.end()
  }).listen(0, '127.0.0.1')
  await once(handler, 'listening')
  const to = `http://127.0.0.1:${(handler.address() as AddressInfo).port}/`
  const listen = ['webhooks', 'listen', '--scheme', 'hmac', '--port', '0', '--json', '--forward-to', to]
  // Several deliveries, because a count of one more is not safe from chance.
  const webhook = await served(listen, SECRET, async ({ url, localUrl }) => {
    for (let sent = 1; sent <= 5; sent++) {
      await ran(['webhooks', 'trigger', 'loan_approved', '--to', String(url ?? localUrl)], SECRET)
      for (let i = 0; i < 200 && received.length < sent; i++) await wait(50)
    }
  })
  handler.close()
  return { amount, 'bulk-row': row, webhook, 'sandbox-request': request }
}

async function ended({ child, coverage }: Started): Promise<Runs> {
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

export const linesOf = (path: string): number => readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1

/** Returns the number of files and lines of each room, in alphabetical order. */
export function roomSizes(): { room: string; files: number; lines: number }[] {
  const assets = globSync('src/**/*.{js,css,svg}', { cwd: ROOT }).map((path) => path.replaceAll('\\', '/'))
  const paths = [...readSources('src/**/*.ts').map(({ path }) => path), ...assets]
  const roomOf = (path: string) => String(path.split('/')[1]).replace(/\.ts$/, '')
  return [...Map.groupBy(paths, roomOf)].sort().map(([room, own]) => {
    return { room, files: own.length, lines: own.reduce((sum, path) => sum + linesOf(path), 0) }
  })
}

/** Returns the table of the sizes of the rooms, from top to bottom as in the picture. Lines are in thousands. */
function tableOfSizes(): string {
  const order = Object.values(BANDS).flat()
  const sizes = roomSizes().sort((a, b) => order.indexOf(a.room) - order.indexOf(b.room))
  const rows = sizes.map(({ room, files, lines }) => `| ${room} | ${files} | ${(lines / 1000).toFixed(1)} |`)
  return ['| room | files | thousand lines |', '|---|---|---|', ...rows].join('\n')
}

/** Returns the table of a walk: a row for each room, from top to bottom, with the files of that room. */
function tableOf(files: readonly string[]): string {
  const rooms = Object.values(BANDS)
    .flat()
    .filter((room) => !room.includes('/'))
  const rows = rooms.flatMap((room) => {
    const own = files.filter((path) => path.startsWith(`src/${room}/`) || path === `src/${room}.ts`)
    const links = own.map((path) => `[${path.replace(`src/${room}/`, '').replace('src/', '')}](../../${path})`)
    return own.length === 0 ? [] : [`| ${room} | ${links.join(', ')} |`]
  })
  return [`| room | the ${files.length} files that ran |`, '|---|---|', ...rows].join('\n')
}

/** Writes a table between the markers of a page. */
function write(page: string, table: string): void {
  const path = join(ROOT, page)
  const text = readFileSync(path, 'utf8')
  const marked = `<!-- measured: npm run walks -->\n${table}\n<!-- end -->`
  writeFileSync(
    path,
    text.replace(/<!-- measured: npm run walks -->[\s\S]*?<!-- end -->/, () => marked),
  )
}

if (import.meta.main) {
  write('docs/architecture.md', tableOfSizes())
  for (const [name, files] of Object.entries(await measureWalks()) as [WalkName, string[]][])
    write(walkPage(name), tableOf(files))
}
