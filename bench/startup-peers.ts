import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Cell, publish, quick, words } from './finding.ts'
import { type Case, type Measured, measure } from './measure.ts'
import { type Installed, installPeer, stripeBinary, versionOf } from './peers.ts'

/**
 * Measures `--version` and `--help` beside other command-line programs, after a build: `node bench/startup-peers.ts [rounds]`. Installs
 * these programs first.
 */

const rounds = Number(words[0] ?? (quick ? 1 : 5))
const IDS = ['vercel', 'resend', 'oclif', 'newman', 'wrangler', 'netlify', 'firebase', 'stripe'] as const
const home = mkdtempSync(join(tmpdir(), 'bnpl-bench-'))
// No program may ask a question, report its use or look for an update.
const env = {
  HOME: home,
  CI: '1',
  NO_UPDATE_NOTIFIER: '1',
  WRANGLER_SEND_METRICS: 'false',
  VERCEL_TELEMETRY_DISABLED: '1',
}

function casesOf(name: string, program: Case['command']): Case[] {
  return ['--version', '--help'].map((word) => ({ name: `${name} ${word}`, command: [...program, word], env }))
}

const peers: Installed[] = [...IDS.map(installPeer), stripeBinary()]
const there = peers.filter((peer) => 'path' in peer)
const ours = [process.execPath, join(dirname(import.meta.dirname), 'bin', 'bnpl.js')] as const
const cases = [
  ...casesOf('bnpl', ours),
  ...there.flatMap((each) => casesOf(each.name, each.native ? [each.path] : [process.execPath, each.path])),
]
const bare: Case = { name: '`node -e 0`', command: [process.execPath, '-e', '0'] }
try {
  const [, ...measured] = await measure(bare, cases, rounds)
  const own = measured.slice(0, 2)
  const rows = [rowOf('**bnpl**', own)]
  const missed: string[] = []
  for (const [i, peer] of there.entries()) {
    const theirs = measured.slice(2 + 2 * i, 4 + 2 * i)
    rows.push(rowOf(`${peer.name} ${versionOf(peer)}`, theirs))
    const ahead = theirs.some((each, k) => each.ratio.median <= (own[k]?.ratio.median ?? 0))
    if (ahead) missed.push(`${peer.name} starts faster`)
  }
  for (const peer of peers)
    if ('missing' in peer) rows.push([peer.name, `not installed: ${peer.missing}`, '', '', '', ''])
  publish({
    title: 'Start-up, beside other command lines',
    about: `The time from the start of the process to its end, in ${rounds} rounds. All programs except “stripe, its binary alone” run on the same Node. Ratios compare with bare Node. The goal is that our program starts faster than every other program.`,
    columns: ['program', '`--version`', 'spread', '`--help`', 'spread', 'peak MiB of `--help`'],
    rows,
    missed,
  })
} finally {
  rmSync(home, { recursive: true, force: true })
}

function rowOf(name: string, [version, help]: readonly Measured[]): Cell[] {
  const cells = (each: Measured | undefined) =>
    each === undefined
      ? ['', '']
      : [each.ratio.median.toFixed(2), `${each.ratio.low.toFixed(2)}–${each.ratio.high.toFixed(2)}`]
  return [name, ...cells(version), ...cells(help), Math.round(help?.rssMib ?? Number.NaN)]
}
