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
  /** What it must end with; a run that ends otherwise stops the measurement. */
  exit?: number
  /** The most it may be, as a ratio to the yardstick. */
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
  /** Milliseconds of a run. */
  ms: Spread
  /** Each run's ratio to the yardstick's run just before it. */
  ratio: Spread
  /** Peak resident memory of one run, in MiB; NaN for what is not Node. */
  rssMib: number
  goal: number | undefined
}

/**
 * Runs every case once a round, each right after a run of the yardstick, so that a machine whose speed drifts spoils no ratio.
 * @param yardstick what the ratios are to
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

/** A run that takes longer is killed, and the measurement ends. */
const LONGEST_RUN_MS = 300_000

/** Milliseconds from spawn to exit. */
export async function time({ name, command: [program, ...args], env, exit = 0 }: Case): Promise<number> {
  const start = performance.now()
  const child = startProcess(program, args, { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' })
  const code = await exitOf(child, LONGEST_RUN_MS)
  const took = performance.now() - start
  if (code !== exit) throw new Error(`${name} ended with ${code}: ${[program, ...args].join(' ')}`)
  return took
}

/**
 * A preload that writes the process's peak memory (KiB) to the file named by RSS_FILE when it ends. On Linux it is the kernel's figure
 * for this memory alone: `maxRSS` begins with what the process was forked from.
 */
export const PEAK_MEMORY = `process.on('exit', () => {
  const fs = require('fs')
  let kib = process.resourceUsage().maxRSS
  try { kib = /VmHWM:\\s+(\\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1] } catch {}
  fs.writeFileSync(process.env.RSS_FILE, String(kib))
})`

/** Peak memory as the process itself reports it on leaving. */
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

/** The measurements as rows of a finding, with the goals that were missed. */
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
    missed: late.map(({ name, ratio, goal }) => `${name}: ${ratio.median.toFixed(2)}, not ${goal}`),
  }
}
