import { type Cell, type Finding, notMeasured, publish, quick } from './finding.ts'
import { isInstalled } from './processes.ts'
import { onPostgres } from './receiver/on-postgres.ts'
import {
  BODY_BYTES,
  type Ids,
  type Load,
  load,
  MAIN,
  NO_WRK,
  type Served,
  startBare,
  startReceiver,
} from './receiver/run.ts'

/**
 * Compares `webhooks listen` with a bare node:http server, on the same machine in the same run: acknowledgements a second, each for a
 * delivery that is verified, deduplicated and durable before the 200. The load is made by wrk.
 * `node bench/receiver.ts [--program FILE] [--seconds N] [--rounds N] [--connections A,B,…] [--ids ordered|random]
 * [--quick] [--json]`
 */
const option = (name: string, otherwise: string) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? otherwise : String(process.argv[at + 1])
}
const program = option('program', MAIN)
const seconds = Number(option('seconds', quick ? '1' : '4'))
const rounds = Number(option('rounds', quick ? '1' : '5'))
const ids: Ids = option('ids', 'ordered') === 'random' ? 'random' : 'ordered'
const connections = option('connections', '1,64,500').split(',').map(Number)
/** Seconds that are not measured, in which Node compiles the code: servers run for weeks. */
const WARM_SECONDS = 2

const TITLE = 'The receiver'

/** The goals of the receiver, by the number of connections. */
const GOALS: Record<number, { ratio?: number; p99?: number; p999?: number }> = {
  64: { ratio: 0.35, p99: 50 },
  500: { p999: 1000 },
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const of = (loads: readonly Load[], name: keyof Load) => median(loads.map((each) => each[name]))

/** Starts a server, warms it up, measures it under load, and always stops it. */
async function loaded(start: () => Promise<Served>, count: number): Promise<Load> {
  const server = await start()
  try {
    await load(server.url, count, WARM_SECONDS, BODY_BYTES, ids)
    return await load(server.url, count, seconds, BODY_BYTES, ids)
  } finally {
    await server.stop()
  }
}

async function onFile(): Promise<Finding> {
  const missed: string[] = []
  const rows: Cell[][] = []
  for (const count of connections) {
    const bare: Load[] = []
    const receiver: Load[] = []
    for (let round = 0; round < rounds; round++) {
      bare.push(await loaded(startBare, count))
      receiver.push(await loaded(() => startReceiver([program]), count))
    }
    const ratio = median(receiver.map((each, i) => each.acksPerSecond / (bare[i]?.acksPerSecond ?? Number.NaN)))
    const latencies = (loads: readonly Load[]) =>
      (['p50', 'p99', 'p999', 'max'] as const).map((each) => of(loads, each))
    rows.push([count, 'bare `node:http`', of(bare, 'acksPerSecond'), '1.00', ...latencies(bare)])
    rows.push([
      count,
      '`bnpl webhooks listen`',
      of(receiver, 'acksPerSecond'),
      ratio.toFixed(2),
      ...latencies(receiver),
    ])
    const failed = [...bare, ...receiver].reduce((sum, each) => sum + each.failed, 0)
    const goal = GOALS[count] ?? {}
    const at = `${count} connections`
    if (failed > 0) missed.push(`${at}: ${failed} deliveries failed`)
    if (goal.ratio !== undefined && ratio < goal.ratio)
      missed.push(`${at}: ${ratio.toFixed(2)} (goal: at least ${goal.ratio})`)
    if (goal.p99 !== undefined && of(receiver, 'p99') > goal.p99) missed.push(`${at}: p99 is above ${goal.p99} ms`)
    if (goal.p999 !== undefined && of(receiver, 'p999') > goal.p999)
      missed.push(`${at}: p99.9 is above ${goal.p999} ms`)
  }
  return {
    title: TITLE,
    about: `Signed deliveries of ${BODY_BYTES} bytes. Each is a new event, and the ids ${ids === 'ordered' ? 'begin with the time (UUIDs of version 7)' : 'are in no order'}. \`bnpl\` verifies and deduplicates each delivery, and writes it to the disk, before it answers 200. Ratios compare with a bare server, which only answers 200. The figures are medians of ${rounds} rounds of ${seconds} s. Before each round, ${WARM_SECONDS} s of load are not counted. Latencies are in ms.`,
    columns: ['connections', 'server', 'acks/s', 'ratio', 'p50', 'p99', 'p99.9', 'max'],
    rows,
    missed,
  }
}

if (isInstalled('wrk'))
  publish(await onFile(), await onPostgres({ program, connections: 64, seconds, rounds, bytes: BODY_BYTES }))
else publish(notMeasured(TITLE, NO_WRK))
