import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '../../test/kit/postgres-server.ts'
import type { Cell, Finding } from '../finding.ts'
import { cpuSeconds } from './cpu.ts'
import { type Load, load, type Served, startBare, startReceiver } from './run.ts'

export interface PostgresPlan {
  program: string
  connections: number
  seconds: number
  rounds: number
  bytes: number
}

interface Round extends Load {
  /** How many CPU cores the receivers used. */
  receivers: number
  /** How many CPU cores PostgreSQL used. */
  database: number
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/**
 * Measures acknowledgements a second with the inbox in PostgreSQL on the same machine, by one receiver and by three, and how many CPU cores
 * the receivers and PostgreSQL used.
 */
export async function onPostgres(plan: PostgresPlan): Promise<Finding> {
  const { connections, seconds, rounds, bytes } = plan
  // The defaults, by which every commit is synced to the disk. Only the memory for pages is larger, as on a real server.
  const server = await startPostgres({ settings: ['shared_buffers = 256MB'] })
  const bare: number[] = []
  const found = new Map<number, Round[]>([1, 3].map((count) => [count, []]))
  try {
    for (let round = 0; round < rounds; round++) {
      const plain = await startBare()
      try {
        bare.push((await load(plain.url, connections, seconds, bytes)).acksPerSecond)
      } finally {
        await plain.stop()
      }
      for (const [count, results] of found) results.push(await oneRound(server, count, plan))
    }
  } finally {
    await server.end()
  }
  const rows = [...found].map(([count, results]): Cell[] => {
    const of = (name: keyof Round) => median(results.map((each) => each[name]))
    const ratio = median(results.map(({ acksPerSecond }, i) => acksPerSecond / (bare[i] ?? Number.NaN)))
    return [
      count,
      of('acksPerSecond'),
      ratio.toFixed(2),
      of('p50'),
      of('p99'),
      of('p999'),
      of('receivers'),
      of('database'),
    ]
  })
  const failed = [...found.values()].flat().reduce((sum, each) => sum + each.failed, 0)
  return {
    title: 'Receivers on PostgreSQL',
    about: `The deliveries of the section before, over ${connections} connections in all, to one receiver and to three. The inbox is in a PostgreSQL on the same machine (synchronous_commit and fsync are on). Ratios compare with the bare server in the same round. The figures are medians of ${rounds} rounds of ${seconds} s. Latencies are in ms. The last two columns say how many cores the receivers and PostgreSQL used. The load generator used the other cores of the machine.`,
    columns: ['receivers', 'acks/s', 'ratio', 'p50', 'p99', 'p99.9', 'cores: receivers', 'cores: PostgreSQL'],
    rows,
    missed: failed > 0 ? [`${failed} deliveries failed`] : [],
  }
}

async function oneRound(server: PostgresServer, count: number, plan: PostgresPlan): Promise<Round> {
  const name = await server.createDatabase()
  const env = { BNPL_DATABASE: server.url(name) }
  const receivers: Served[] = []
  try {
    for (let i = 0; i < count; i++) receivers.push(await startReceiver([plan.program], undefined, env))
    return await measured(server, receivers, plan)
  } finally {
    await Promise.all(receivers.map(({ stop }) => stop()))
    await server.dropDatabase(name)
  }
}

/** Measures one round of load: the receivers and their database. */
async function measured(server: PostgresServer, receivers: readonly Served[], plan: PostgresPlan): Promise<Round> {
  const own = receivers.map(({ pid }) => pid)
  const postmaster = [Number(readFileSync(join(server.socketDir, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])]
  const before = [cpuSeconds(own), cpuSeconds(postmaster)] as const
  const started = performance.now()
  const share = Math.max(1, Math.round(plan.connections / receivers.length))
  const loads = await Promise.all(receivers.map(({ url }) => load(url, share, plan.seconds, plan.bytes)))
  const took = (performance.now() - started) / 1000
  const cores = [cpuSeconds(own) - before[0], cpuSeconds(postmaster) - before[1]].map((each) => each / took)
  const worst = (pick: (each: Load) => number) => Math.max(...loads.map(pick))
  const sum = (pick: (each: Load) => number) => loads.reduce((total, each) => total + pick(each), 0)
  return {
    acksPerSecond: sum(({ acksPerSecond }) => acksPerSecond),
    p50: worst(({ p50 }) => p50),
    p99: worst(({ p99 }) => p99),
    p999: worst(({ p999 }) => p999),
    max: worst(({ max }) => max),
    failed: sum(({ failed }) => failed),
    receivers: cores[0] ?? Number.NaN,
    database: cores[1] ?? Number.NaN,
  }
}
