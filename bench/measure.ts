import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Finding } from './finding.ts'
import { exitOf, startProcess } from './processes.ts'

/** One thing to be measured: a whole run of a program, from start to exit. */
export interface Case {
  name: string
  command: readonly [program: string, ...args: string[]]
  env?: Record<string, string>
  /** The exit code that a run must have. Another code stops the measurement. */
  exit?: number
  /** The goal: the ratio to the yardstick must not be larger. */
  goal?: number
}

/** Median, and 10th and 90th percentile. */
export interface Spread {
  median: number
  low: number
  high: number
}

export interface Measured {
  name: string
  /** How long a run took, in milliseconds. */
  ms: Spread
  /** The ratio of each run to the run of the yardstick just before it. */
  ratio: Spread
  /** Peak resident memory of one run, in MiB; NaN for a program that does not run on Node. */
  rssMib: number
  goal: number | undefined
}

/**
 * Runs every case once a round, each right after a run of the yardstick. So the ratios stay right when the speed of the machine changes.
 * @param yardstick the case that every other case is compared with
 */
export async function measure(yardstick: Case, cases: readonly Case[], rounds: number): Promise<Measured[]> {
  const all = [yardstick, ...cases]
  const times = all.map((): number[] => [])
  const ratios = all.map((): number[] => [])
  for (const each of all) await time(each)
  for (let round = 0; round < rounds; round++) {
    for (const [i, each] of all.entries()) {
      const base = await time(yardstick)
      const took = await time(each)
      times[i]?.push(took)
      ratios[i]?.push(took / base)
    }
  }
  const measured: Measured[] = []
  for (const [i, each] of all.entries()) {
    measured.push({
      name: each.name,
      goal: each.goal,
      ms: spread(times[i] ?? []),
      ratio: spread(ratios[i] ?? []),
      rssMib: await peakMemory(each),
    })
  }
  return measured
}

/** Milliseconds after which a run is killed and the measurement ends. */
const LONGEST_RUN_MS = 300_000

/** Returns the milliseconds from spawn to exit. */
export async function time({ name, command: [program, ...args], env, exit = 0 }: Case): Promise<number> {
  const start = performance.now()
  const child = startProcess(program, args, { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' })
  const code = await exitOf(child, LONGEST_RUN_MS)
  const took = performance.now() - start
  if (code !== exit) throw new Error(`${name} ended with ${code}: ${[program, ...args].join(' ')}`)
  return took
}

/**
 * A preload that writes the peak memory of its process (KiB) to the file named by RSS_FILE when the process ends. On Linux it asks the
 * kernel about this process alone, because `maxRSS` also counts the process that this one was forked from.
 */
export const PEAK_MEMORY = `process.on('exit', () => {
  const fs = require('fs')
  let kib = process.resourceUsage().maxRSS
  try { kib = /VmHWM:\\s+(\\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1] } catch {}
  fs.writeFileSync(process.env.RSS_FILE, String(kib))
})`

/** Returns the peak memory that a process reports when it ends. */
export async function peakMemory(each: Case): Promise<number> {
  const [program, ...args] = each.command
  if (program !== process.execPath) return Number.NaN
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-bench-'))
  try {
    const report = join(dir, 'rss')
    const preload = join(dir, 'report.cjs')
    writeFileSync(preload, PEAK_MEMORY)
    await time({ ...each, command: [program, '--require', preload, ...args], env: { ...each.env, RSS_FILE: report } })
    return Number(readFileSync(report, 'utf8')) / 1024
  } finally {
    rmSync(dir, { recursive: true })
  }
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
  return { median: at(0.5), low: at(0.1), high: at(0.9) }
}

/** Returns the measurements as a finding, with the goals that were missed. */
export function found(title: string, about: string, measured: readonly Measured[]): Finding {
  const from = ({ low, high }: Spread, digits: number) => `${low.toFixed(digits)}–${high.toFixed(digits)}`
  const late = measured.filter(({ ratio, goal }) => goal !== undefined && ratio.median > goal)
  return {
    title,
    about,
    columns: ['run', 'ms', 'ratio', 'spread', 'goal', 'peak MiB'],
    rows: measured.map(({ name, ms, ratio, rssMib, goal }) => [
      name,
      ms.median,
      ratio.median.toFixed(2),
      from(ratio, 2),
      goal === undefined ? '' : `≤ ${Number(goal.toFixed(2))}`,
      Math.round(rssMib),
    ]),
    // Three digits, so that a narrow miss does not look like the goal itself.
    missed: late.map(({ name, ratio, goal }) => `${name}: ${ratio.median.toFixed(3)} (goal: at most ${goal})`),
  }
}
