import { setTimeout as pause } from 'node:timers/promises'
import { CHUNK } from '../../src/receiver/forwarding/forwarder.ts'
import { LOCKS } from '../../src/receiver/postgres/schema.ts'
import { type PostgresServer, startPostgres } from '../postgres-server.ts'
import { random } from '../seed.ts'
import { startHandler } from './handler.ts'
import { deliver, folder, type Listener, startListener, until } from './listener.ts'

export interface ClusterPlan {
  receivers: number
  /** How long deliveries are sent, in ms. */
  loadMs: number
  /** A receiver is killed with SIGKILL, and started again, about this often, in ms. */
  killEveryMs: number
  /** Senders that send one event after the other. */
  senders: number
  /** The database is stopped for so long in the middle, in ms. */
  outageMs: number
}

/** What became of everything. Each list names events that a promise was broken for. */
export interface ClusterReport {
  acknowledged: number
  duplicatesSent: number
  /** Answers 503. */
  refused: number
  /** Connections that were refused or cut, mostly by the kills. */
  unanswered: number
  kills: number
  /** Of these, of the one that forwarded. */
  forwarderKills: number
  /** Handed to the handler more than once. */
  forwardedAgain: number
  /** How many that may be: what a forwarder had handed on and not written down when it was killed, or lost the database. */
  forwardedAgainAllowed: number
  /** Written out more than once. */
  emittedAgain: number
  /** Sent and answered 200 between the moment the database had stopped and the one it was started again. */
  acknowledgedWhileAway: string[]
  /** From the moment the database answers to the next 200 by a receiver that was there before, in ms. */
  recoveredMs: number
  unrecorded: string[]
  unforwarded: string[]
  unemitted: string[]
  /** Sent after another was acknowledged, and forwarded before it. */
  outOfOrder: string[]
  /** Stored more than once. */
  storedTwice: string[]
}

/**
 * Receivers in processes of their own on one database, under signed deliveries that go to any of them, one in four twice and to two of them at
 * once. Receivers are killed at random, and the database is stopped and started in the middle. Ends when all that was acknowledged has
 * come out, or throws. `cleanUp` of the listeners is the caller's.
 */
export async function runCluster(plan: ClusterPlan): Promise<ClusterReport> {
  const server = await startPostgres()
  const handler = await startHandler()
  try {
    return await run(plan, server, handler)
  } finally {
    await handler.stop()
    await server.end()
  }
}

interface Member {
  listener: Listener | undefined
  dir: string
}

async function run(plan: ClusterPlan, server: PostgresServer, handler: Awaited<ReturnType<typeof startHandler>>) {
  const url = server.url(await server.createDatabase())
  const args = ['--forward-to', handler.url]
  const env = { BNPL_DATABASE: url }
  const members: Member[] = Array.from({ length: plan.receivers }, () => ({ listener: undefined, dir: folder() }))
  const lines: string[] = []
  /** Starts a member again until it is there: while the database is away it cannot. */
  const start = async (member: Member) => {
    for (;;) {
      try {
        member.listener = await startListener({ args, env, dir: member.dir })
        return
      } catch {
        await pause(100)
      }
    }
  }
  /** The process that forwards now. */
  const forwarder = async () => (await server.query(FORWARDER, new URL(url).pathname.slice(1)))[0]?.pid
  const kill = async (member: Member) => {
    const { listener } = member
    if (!listener) return
    member.listener = undefined
    // Where the database goes away at this very moment, it may have been the one.
    if ((await forwarder().catch(() => listener.pid)) === listener.pid) counts.forwarderKills++
    await listener.end('SIGKILL')
    lines.push(...listener.stdout().split('\n').slice(0, -1))
    await start(member)
  }
  await Promise.all(members.map(start))

  const acknowledged = new Map<string, { sentAt: number; at: number }>()
  const chains: string[][] = []
  const counts = { duplicatesSent: 0, refused: 0, unanswered: 0, kills: 0, forwarderKills: 0 }
  let over = false
  let spared = false
  const sendOnce = async (eventId: string, listener: Listener) => {
    const sentAt = performance.now()
    const { status } = await deliver(listener, { eventId })
    if (status === 503) counts.refused++
    else if (status === 200) acknowledged.set(eventId, { sentAt, at: performance.now() })
    else counts.unanswered++
    return status === 200
  }
  const anyone = async () => {
    for (;;) {
      const there = members.flatMap(({ listener }) => listener ?? [])
      if (there.length > 0) return there[Math.floor(random() * there.length)] as Listener
      await pause(10)
    }
  }
  const sender = async (n: number) => {
    const chain: string[] = []
    chains.push(chain)
    for (let i = 0; !over; i++) {
      const eventId = `${n}-${i}`
      const twice = random() < 0.25
      if (twice) counts.duplicatesSent++
      // As the service does: again until it is acknowledged.
      for (;;) {
        const sent = [sendOnce(eventId, await anyone()), ...(twice ? [sendOnce(eventId, await anyone())] : [])]
        if ((await Promise.all(sent)).includes(true)) break
        await pause(20)
      }
      chain.push(eventId)
      await pause(10)
    }
  }
  const senders = Array.from({ length: plan.senders }, (_, n) => sender(n))
  const killing = (async () => {
    while (!over) {
      await pause(plan.killEveryMs * (0.5 + random()))
      const there = members.filter(({ listener }) => listener)
      // One stays, so that somebody can be asked; and those of an outage, so that recovery without a restart is seen.
      if (over || spared || there.length < 2) continue
      counts.kills++
      void kill(there[Math.floor(random() * there.length)] as Member)
    }
  })()

  await pause(plan.loadMs / 2)
  spared = true
  const { from, to, back } = await outage(server, plan.outageMs)
  const before = new Set(members.flatMap(({ listener }) => (listener ? [listener.pid] : [])))
  const recoveredMs = await recovery(members, before, back)
  spared = false
  await pause(plan.loadMs / 2)
  over = true
  await Promise.all([...senders, killing])
  await until(() => members.every(({ listener }) => listener), 60_000)

  const emitted = () =>
    [...lines, ...members.flatMap(({ listener }) => listener?.stdout().split('\n').slice(0, -1) ?? [])].map(
      (line) => JSON.parse(line).eventId as string,
    )
  const missing = (all: readonly string[]) => {
    const there = new Set(all)
    return [...acknowledged.keys()].filter((id) => !there.has(id))
  }
  await until(() => missing(handler.ids()).length === 0 && missing(emitted()).length === 0, 60_000).catch(() => {})
  // What is repeated comes soon: it is asked for again once the results of the last ones are stored.
  const open = `SELECT count(*)::integer AS open FROM bnpl_inbox.forwards WHERE state IN ('waiting', 'retrying')`
  const name = new URL(url).pathname.slice(1)
  await until(async () => (await server.query(open, name))[0]?.open === 0, 30_000).catch(() => {})
  const stored = (await server.query('SELECT event_id FROM bnpl_inbox.events', name)).map((row) => String(row.event_id))
  const report: ClusterReport = {
    ...counts,
    acknowledged: acknowledged.size,
    forwardedAgain: handler.ids().length - new Set(handler.ids()).size,
    forwardedAgainAllowed: CHUNK * (counts.forwarderKills + 1),
    emittedAgain: emitted().length - new Set(emitted()).size,
    acknowledgedWhileAway: [...acknowledged].filter(([, { sentAt, at }]) => sentAt > from && at < to).map(([id]) => id),
    recoveredMs,
    unrecorded: missing(stored),
    unforwarded: missing(handler.ids()),
    unemitted: missing(emitted()),
    outOfOrder: chains.flatMap((chain) => outOfOrder(chain, handler.ids())),
    storedTwice: stored.filter((id, i) => stored.indexOf(id) !== i),
  }
  return report
}

const FORWARDER = `SELECT r.pid FROM pg_locks destination JOIN pg_locks receiver ON receiver.pid = destination.pid
  JOIN bnpl_inbox.receivers r ON r.id::bigint = receiver.objid::bigint
  WHERE destination.classid = ${LOCKS.destination} AND receiver.classid = ${LOCKS.receiver} AND receiver.granted AND destination.granted`

/** @returns between which moments it was certainly away, and when it answered again */
async function outage(server: PostgresServer, ms: number): Promise<{ from: number; to: number; back: number }> {
  await server.stop('kill')
  const from = performance.now()
  await pause(ms)
  const to = performance.now()
  await server.start()
  return { from, to, back: performance.now() }
}

/** Asks receivers that were there before the outage until one stores again. @returns ms since `from`; NaN when every one of them is gone */
async function recovery(members: readonly Member[], before: ReadonlySet<number>, from: number): Promise<number> {
  for (;;) {
    const there = members.flatMap(({ listener }) => (listener && before.has(listener.pid) ? [listener] : []))
    if (there.length === 0) return Number.NaN
    for (const listener of there) {
      if ((await deliver(listener, { eventId: 'recovery' })).status === 200) return performance.now() - from
    }
    await pause(20)
  }
}

/** The events of a chain that came to the handler for the first time after one that was sent later. */
function outOfOrder(chain: readonly string[], ids: readonly string[]): string[] {
  const first = new Map<string, number>()
  for (const [i, id] of ids.entries()) if (!first.has(id)) first.set(id, i)
  return chain.filter((id, i) => i > 0 && (first.get(id) ?? 0) < (first.get(chain[i - 1] as string) ?? 0))
}
