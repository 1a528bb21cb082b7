import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { outputOf } from '../test/kit/child-output.ts'
import { type Finding, quick, toMarkdown, words } from './finding.ts'
import { installPeer, PEERS, stripeBinary, toolVersion, versionOf } from './peers.ts'

/**
 * Runs every measurement of this project, one after the other, and writes bench/results.md: `npm run bench`. With `--quick` each script
 * is only tried, and nothing is written. Other words choose the scripts whose names contain one of them; the findings of these are printed
 * to stdout.
 */

const root = dirname(import.meta.dirname)
const program = join(root, 'bin', 'bnpl.js')

/**
 * The scripts in the order of the page, with their arguments. Each can also be run by itself, and prints its findings as JSON with
 * `--json`.
 */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  startup: [],
  'startup-peers': [],
  download: [],
  bulk: [],
  'growth-rows': [],
  receiver: ['--program', program, '--rounds', '3'],
  'receiver-memory': [],
  'slow-clients': [],
  'one-byte-chunks': [],
  proxy: [],
  'sandbox-boot': [],
  window: ['5'],
  'growth-stored': [],
  'inbox-size': [],
  memory: [],
  signals: ['50'],
  hangs: [],
}

/** The scripts that measure other programs too. */
const BESIDE_PEERS: readonly string[] = ['startup-peers', 'bulk', 'sandbox-boot']

/** Minutes after which a script is killed. */
const LONGEST_MINUTES = 10

if (!existsSync(join(root, 'dist', 'main.cjs'))) throw new Error('not built: npm run build')
const chosen = Object.keys(SCRIPTS).filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
if (chosen.length === 0) throw new Error(`no script has this name. The names are ${Object.keys(SCRIPTS).join(', ')}`)

// Other programs are installed first, so that no measurement includes their download.
const peers = chosen.some((name) => BESIDE_PEERS.includes(name))
  ? [...(Object.keys(PEERS) as (keyof typeof PEERS)[]).map(installPeer), stripeBinary()]
  : []
const started = performance.now()
const findings: Finding[] = []
/** The script that is running. It has a process group of its own, so the Ctrl-C of the terminal does not reach it. */
let current: ChildProcess | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    if (current !== undefined) endGroup(current)
    process.kill(process.pid, signal)
  })
for (const name of chosen) {
  process.stderr.write(`${name} … `)
  const began = performance.now()
  const made = await run(name)
  findings.push(...made)
  const missed = made.reduce((sum, each) => sum + each.missed.length, 0)
  const without = made.find((each) => each.notMeasured)?.about
  process.stderr.write(`${seconds(began)} s${missed > 0 ? `, ${missed} missed` : ''}${without ? `. ${without}` : ''}\n`)
}
const missed = findings.flatMap(({ title, missed }) => missed.map((each) => `${title}: ${each}`))
const page = [heading(), ...findings.map(toMarkdown)].join('\n')
if (quick || words.length > 0) console.log(page)
else writeFileSync(join(root, 'bench', 'results.md'), page)
for (const each of missed) console.error(`missed: ${each}`)
console.error(`${findings.length} findings, ${missed.length} goals missed, ${seconds(started)} s`)
process.exitCode = missed.length > 0 ? 1 : 0

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(0)
}

/** Runs one script in a process of its own. If the script prints no findings, the only finding says so. */
async function run(name: string): Promise<Finding[]> {
  const path = join(import.meta.dirname, `${name}.ts`)
  const child = spawn(process.execPath, [path, ...(quick ? ['--quick'] : (SCRIPTS[name] ?? [])), '--json'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  current = child
  // A process that the script left behind would keep the streams open. Without this the script would never count as ended.
  child.once('exit', () => endGroup(child))
  const late = setTimeout(() => endGroup(child), LONGEST_MINUTES * 60_000)
  const { code, signal, stdout, stderr } = await outputOf(child).ended
  clearTimeout(late)
  current = undefined
  try {
    return JSON.parse(stdout)
  } catch {
    const said = /^\w*Error: .*$/m.exec(stderr)?.[0] ?? stderr.trim().split('\n').at(-1) ?? ''
    const why = signal === null ? said : `it was ended after ${LONGEST_MINUTES} minutes at the latest, by ${signal}`
    const about = `\`node bench/${name}.ts\` ended with ${code ?? signal}.`
    return [{ title: name, about, columns: ['no result'], rows: [], missed: [`not measured: ${why}`] }]
  }
}

/** Kills a script and every process of its group. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Every process of the group has ended already.
  }
}

function heading(): string {
  const cpu = cpus()
  const facts = [
    ['machine', `${cpu.length} × ${cpu[0]?.model.trim()}, ${Math.round(totalmem() / 1024 ** 3)} GiB`],
    ['kernel', `${process.platform} ${release()}, ${process.arch}`],
    ['Node', process.versions.node],
    ['bnpl', toolVersion(process.execPath, program, '--version') + commit()],
    ['curl', toolVersion('curl', '--version')],
    ['wget', toolVersion('wget', '--version')],
    ['wrk', toolVersion('wrk', '--version') || 'not installed'],
    ...peers.map((peer) => [
      peer.name,
      'path' in peer ? versionOf(peer) : `${versionOf(peer)}: not installed (${peer.missing})`,
    ]),
  ]
  const date = new Date().toISOString().slice(0, 10)
  return `# Results

Written by \`npm run bench\` on ${date}. Compare the ratios and not the milliseconds, which change with the machine.
A ratio compares a run with another program that ran just before it. “Spread” is the 10th and the 90th percentile of the ratio. The other programs are installed from the npm registry into the user's
cache folder, in the versions that \`bench/peers.ts\` names. “Not installed” marks a program that could not be installed.

| what | version |
| --- | --- |
${facts.map(([what, which]) => `| ${what} | ${which} |\n`).join('')}`
}

function commit(): string {
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%h'], { cwd: root, encoding: 'utf8' })
  return status === 0 ? ` (${stdout.trim()})` : ''
}
