import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { openHistory } from '../src/history/sqlite.ts'
import { openInbox } from '../src/receiver/file/inbox.ts'
import type { Arrival } from '../src/receiver/inbox.ts'
import { publish, quick, words } from './finding.ts'
import { type Case, found, type Measured, measure } from './measure.ts'
import { startProcess, untilReady } from './processes.ts'

/**
 * Measures commands that read a little of what is stored, while the inbox and the history grow. After a build:
 * `node bench/growth-stored.ts [rounds]`.
 * Stores 1,000,000 events through the inbox itself, which takes about half a minute.
 */

const rounds = Number(words[0] ?? (quick ? 2 : 10))
const SIZES = quick ? [1000, 20_000] : [1000, 100_000, 1_000_000]
const most = SIZES.at(-1) ?? 0
const RECENT = 20
/** The most memory that one stored event may add to the listener, in bytes. */
const BYTES_GOAL = 100

const root = dirname(import.meta.dirname)
const home = mkdtempSync(join(tmpdir(), 'bnpl-growth-'))
const dirOf = (size: number) => join(home, String(size))
const envOf = (size: number) => ({ HOME: home, BNPL_STATE_DIR: dirOf(size), BNPL_WEBHOOK_SECRET: 'secret' })
const clock = { now: Date.now, monotonic: () => performance.now(), sleep: async () => {} }

function arrival(i: number, receivedAt: number): Arrival {
  const body = Buffer.from(
    `{"eventId":"event-${i}","eventType":"pre_approve","data":{"number":${i},"note":"${'x'.repeat(200)}"}}`,
  )
  const odd = { odd: null, contentType: 'application/json', signature: null, forward: false }
  return { destination: '/webhooks', scheme: 'hmac', eventId: `event-${i}`, event: null, body, receivedAt, ...odd }
}

async function fill(size: number): Promise<void> {
  const inbox = await openInbox(dirOf(size))
  const longAgo = Date.now() - 400 * 86_400_000
  for (let from = 0; from < size; from += 10_000) {
    const count = Math.min(10_000, size - from)
    const arrivals = Array.from({ length: count }, (_, i) => {
      const n = from + i
      return arrival(n, n < size - RECENT ? longAgo + n : Date.now())
    })
    await inbox.commit({ arrivals, forwards: [], emittedUpTo: from + count })
  }
  await inbox.close()
  await (await openHistory(dirOf(size), clock)).close()
  const state = new DatabaseSync(join(dirOf(size), 'state.db'))
  state.exec(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${size})
     INSERT INTO transactions (profile, external_trx_id, amount, created_at, updated_at, touched)
     SELECT 'shop', 'order-' || i, 250000, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', i FROM n`,
  )
  state.close()
}

const bnpl = (line: string, size: number, goal?: number): Case => ({
  name: `\`bnpl ${line}\`, ${size.toLocaleString('en')} stored`,
  command: [process.execPath, join(root, 'bin', 'bnpl.js'), ...line.split(' ')],
  env: envOf(size),
  ...(goal === undefined ? {} : { goal }),
})

/** Starts a listener. @returns how long it took to be ready, and its resident memory just afterwards */
async function listener(size: number): Promise<{ ms: number; rssMib: number }> {
  const ready = join(dirOf(size), 'ready.json')
  rmSync(ready, { force: true })
  const started = performance.now()
  const line = ['webhooks', 'listen', '--port', '0', '--ready-file', ready, '-q']
  const child = startProcess(process.execPath, [join(root, 'bin', 'bnpl.js'), ...line], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, ...envOf(size) },
  })
  const gone = new Promise((resolve) => child.once('close', resolve))
  await untilReady('the listener', child, () => existsSync(ready))
  const ms = performance.now() - started
  await pause(500)
  const rssMib = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024
  child.kill('SIGTERM')
  await gone
  return { ms, rssMib }
}

async function listeners(): Promise<{ rows: [string, string, number][]; missed: string[] }> {
  const trials = SIZES.map((size) => ({ size, ms: [] as number[], rss: [] as number[] }))
  for (let round = 0; round < Math.min(rounds, 7); round++) {
    for (const each of trials) {
      const { ms, rssMib } = await listener(each.size)
      each.ms.push(ms)
      each.rss.push(rssMib)
    }
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
  const [first, last] = [trials[0], trials.at(-1)].map((each) => median(each?.rss ?? []))
  const bytes = (((last ?? 0) - (first ?? 0)) * 1024 * 1024) / most
  return {
    rows: trials.map(({ size, ms, rss }) => [size.toLocaleString('en'), median(ms).toFixed(0), median(rss)]),
    missed:
      bytes > BYTES_GOAL && !quick
        ? [`${bytes.toFixed(0)} bytes of memory an event (goal: at most ${BYTES_GOAL})`]
        : [],
  }
}

try {
  for (const size of SIZES) await fill(size)
  const [fewest = 0, ...more] = SIZES
  const measured: Measured[] = []
  for (const [line, goal] of [
    ['webhooks events list --since 1h --json', 1.2],
    [`webhooks events show event-5 --json`, 1.2],
    ['history list --json', 1.2],
    ['history show order-5 --json', 1.2],
  ] as const) {
    const cases = more.map((size) => bnpl(line, size, goal))
    measured.push(...(await measure(bnpl(line, fewest), cases, rounds)))
  }
  const { rows, missed } = await listeners()
  const about = `Each command prints the same answer while more and more other data are stored. Ratios are to the smallest store, ${rounds} rounds.`
  publish(found('Growth: reading what is stored', about, measured), {
    title: 'Growth: a listener on a filled inbox',
    about: `The time from the start of the listener until it is ready, and its memory at that moment. The listener does not load the stored events into memory. The goal is at most ${BYTES_GOAL} more bytes of memory for each stored event.`,
    columns: ['stored events', 'ms to ready', 'resident MiB'],
    rows,
    missed,
  })
} finally {
  rmSync(home, { recursive: true, force: true })
}
