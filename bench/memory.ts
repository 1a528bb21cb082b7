import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { publish } from './finding.ts'
import { PEAK_MEMORY } from './measure.ts'
import { LINES } from './memory-lines.ts'
import { startProcess, untilReady } from './processes.ts'

/** Measures the peak memory of every command, each in a run of its own while a sandbox runs, after a build: `node bench/memory.ts`. */

/** The most memory that a command may need, in MiB. */
const GOAL = 100

const root = dirname(import.meta.dirname)
const home = mkdtempSync(join(tmpdir(), 'bnpl-memory-'))
const hook = join(home, 'hook.cjs')
writeFileSync(hook, PEAK_MEMORY)
writeFileSync(join(home, 'key.txt'), 'key-of-the-measurement\n')
writeFileSync(join(home, 'ids.csv'), `externalTrxId\n${'T1\n'.repeat(1)}`)
const customer = (_: unknown, i: number) => `11222333-9,250000,order-${i}\n`
writeFileSync(join(home, 'customers.csv'), `rut,amount,externalTrxId\n${Array.from({ length: 50 }, customer).join('')}`)

interface Run {
  child: ChildProcess
  /** How the run ended: its peak memory in MiB (NaN when it was killed), its exit code, and its output. */
  ended: Promise<{ mib: number; code: number | null; out: string }>
}

let runs = 0
function start(line: string): Run {
  const rss = join(home, `rss-${runs++}`)
  const child = startProcess(process.execPath, ['--require', hook, join(root, 'bin', 'bnpl.js'), ...line.split(' ')], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: home,
      RSS_FILE: rss,
      BNPL_STATE_DIR: join(home, 'state'),
      BNPL_CONFIG_DIR: join(home, 'config'),
      ...(line.startsWith('webhooks ') ? { BNPL_WEBHOOK_SECRET: 'secret-of-the-measurement' } : {}),
    },
  })
  let out = ''
  const collect = (chunk: Buffer) => {
    out += chunk
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve)).then((code) => ({
    mib: existsSync(rss) ? Number(readFileSync(rss, 'utf8')) / 1024 : Number.NaN,
    code,
    out,
  }))
  return { child, ended }
}

async function served(line: string): Promise<Run & { url: string }> {
  const file = join(home, `ready-${runs}`)
  const run = start(`${line} --ready-file ${file}`)
  await untilReady(line, run.child, () => existsSync(file))
  const { url, baseUrl } = JSON.parse(readFileSync(file, 'utf8'))
  return { ...run, url: url ?? baseUrl }
}

/** Returns the words of a line that name its command. */
const nameOf = (line: string, names: ReadonlySet<string>) => {
  const words = line.replace(/,.*/, '').split(' ')
  for (let n = 3; n > 0; n--) if (names.has(words.slice(0, n).join(' '))) return words.slice(0, n).join(' ')
  return line
}

interface Story {
  rows: [string, number][]
  wrong: string[]
}

/** Runs every line once, on a new sandbox with a new listener. */
async function tell(): Promise<Story> {
  const rows: Story['rows'] = []
  const wrong: string[] = []
  const sandbox = await served('sandbox start --port 0 --ephemeral')
  const listener = await served('webhooks listen --port 0')
  const proxy = await served('proxy --port 0 -p sandbox')
  const program = join(root, 'bin', 'bnpl.js')
  const known: Record<string, string | undefined> = { receiver: listener.url, node: process.execPath, program }
  for (const template of LINES) {
    const line = template.replaceAll('$', home).replace(/\{(\w+)\}/g, (_, name) => known[name] ?? name)
    const { mib, code, out } = await start(line).ended
    rows.push([template.replaceAll('$/', ''), mib])
    // These codes mean that the command did not do its work. Every other code is an outcome.
    if (code === null || code === 1 || code === 2)
      wrong.push(`\`${template}\` ended with ${code}: ${out.slice(0, 200)}`)
    if (!line.startsWith('sandbox lead')) continue
    known.lead = /"leadId":\s*"([^"]+)"/.exec(out)?.[1]
    known.report = /"(?:preApproveId|idPreAprobacion)":\s*"([^"]+)"/.exec(out)?.[1]
  }
  for (const [line, run] of [
    ['proxy', proxy],
    ['webhooks listen', listener],
    ['sandbox start', sandbox],
  ] as const) {
    run.child.kill('SIGTERM')
    rows.push([`${line}, while all other commands ran`, (await run.ended).mib])
  }
  return { rows, wrong }
}

/** Starts a server and ends it as soon as it is ready. @returns its line and its peak memory */
async function started(line: string): Promise<[string, number]> {
  const run = await served(line)
  run.child.kill('SIGTERM')
  return [line, (await run.ended).mib]
}

try {
  // The first pass does not count: it fills Node's compile cache, which needs more memory.
  await tell()
  const { rows, wrong } = await tell()
  rows.push(await started('sandbox start --port 0 --ephemeral'), await started('webhooks listen --port 0'))
  const help = readFileSync(join(root, 'dist', 'help.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
  const names = new Set(help.map((line): string => JSON.parse(line)[0]))
  names.delete('')
  const measured = new Set(rows.map(([line]) => nameOf(line, names)))
  const groups = new Set([...names].map((name) => name.slice(0, Math.max(0, name.lastIndexOf(' ')))))
  for (const name of names) if (!measured.has(name) && !groups.has(name)) wrong.push(`\`${name}\` was not measured`)
  rows.sort((a, b) => b[1] - a[1])
  const large = rows.filter(([, mib]) => !(mib <= GOAL))
  publish({
    title: 'Memory of every command',
    about: `The peak memory of one run of each command while a sandbox runs, the largest first. The goal is at most ${GOAL} MiB; bare Node needs about 42 MiB.`,
    columns: ['`bnpl …`', 'peak MiB'],
    rows: rows.map(([line, mib]) => [`\`${line}\``, Math.round(mib)]),
    missed: [...large.map(([line, mib]) => `\`${line}\`: ${Math.round(mib)} MiB`), ...wrong],
  })
} finally {
  rmSync(home, { recursive: true, force: true })
}
