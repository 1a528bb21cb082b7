import { type Load, load, MAIN, startBare, startReceiver } from './receiver/run.ts'

/**
 * Acknowledgements a second of `webhooks listen` (verified, deduplicated, durable before the 200) beside a bare node:http server on the
 * same machine in the same run. Needs wrk. `node bench/receiver.ts [--program FILE] [--seconds N] [--rounds N] [--connections A,B,…]`
 */
const option = (name: string, otherwise: string) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? otherwise : String(process.argv[at + 1])
}
const program = option('program', MAIN)
const seconds = Number(option('seconds', '4'))
const rounds = Number(option('rounds', '5'))
const connections = option('connections', '1,64,500').split(',').map(Number)
/** A pre_approve of 51 fields is about this large. */
const BODY_BYTES = 1950

/** What the receiver must reach, by connections. */
const GOALS: Record<number, { ratio?: number; p99?: number; p999?: number }> = {
  64: { ratio: 0.35, p99: 50 },
  500: { p999: 1000 },
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const of = (loads: readonly Load[], name: keyof Load) => median(loads.map((each) => each[name]))
const show = (value: number, digits = 1) => value.toFixed(digits).padStart(9)

let missed = 0
console.log(
  'conns            acks/s    ratio      p50      p99    p99.9      max  (ms; medians of %d rounds of %d s)',
  rounds,
  seconds,
)
for (const count of connections) {
  const bare: Load[] = []
  const receiver: Load[] = []
  for (let round = 0; round < rounds; round++) {
    const plain = await startBare()
    bare.push(await load(plain.url, count, seconds, BODY_BYTES))
    await plain.stop()
    const own = await startReceiver([program])
    receiver.push(await load(own.url, count, seconds, BODY_BYTES))
    await own.stop()
  }
  const ratio = median(receiver.map((each, i) => each.acksPerSecond / (bare[i]?.acksPerSecond ?? Number.NaN)))
  for (const [name, loads, to] of [
    ['bare', bare, 1],
    ['receiver', receiver, ratio],
  ] as const) {
    const times = (['p50', 'p99', 'p999', 'max'] as const).map((each) => show(of(loads, each))).join('')
    console.log(
      `${String(count).padEnd(6)}${name.padEnd(10)}${show(of(loads, 'acksPerSecond'), 0)}${show(to, 2)}${times}`,
    )
  }
  const failed = [...bare, ...receiver].reduce((sum, each) => sum + each.failed, 0)
  const goal = GOALS[count] ?? {}
  const wrong = [
    failed > 0 && `${failed} deliveries failed`,
    goal.ratio !== undefined && ratio < goal.ratio && `ratio ${ratio.toFixed(2)} is below ${goal.ratio}`,
    goal.p99 !== undefined && of(receiver, 'p99') > goal.p99 && `p99 is above ${goal.p99} ms`,
    goal.p999 !== undefined && of(receiver, 'p999') > goal.p999 && `p99.9 is above ${goal.p999} ms`,
  ].filter((each) => each !== false)
  for (const each of wrong) console.log(`      MISSED: ${each}`)
  missed += wrong.length
}
process.exitCode = missed > 0 ? 1 : 0
