import { setTimeout as pause } from 'node:timers/promises'
import { CHUNK } from '../../src/receiver/forwarding/forwarder.ts'
import { LOCKS } from '../../src/receiver/postgres/schema.ts'
import { type PostgresServer, startPostgres } from '../kit/postgres-server.ts'
import { random } from '../kit/seed.ts'
import { startHandler } from './handler.ts'
import { deliver, folder, type Listener, startListener, until } from './listener.ts'

export interface ClusterPlan {
  receivers: number
  /** How many milliseconds deliveries are sent for. */
  loadMs: number
  /** About how many milliseconds pass between two kills. Each kill is a SIGKILL of one receiver, which is then started again. */
  killEveryMs: number
  /** How many senders there are. Each sends one event after the other. */
  senders: number
  /** How many milliseconds the database is stopped for in the middle. */
  outageMs: number
}

/** What became of every event. Each list names the events for which a promise was broken. */
export interface ClusterReport {
  acknowledged: number
  duplicatesSent: number
  /** How many deliveries were answered 503. */
  refused: number
  /** How many deliveries got no answer, because the connection was refused or cut, mostly by a kill. */
  unanswered: number
  kills: number
  /** How many of the kills hit the receiver that forwarded. */
  forwarderKills: number
  /** How many times an event was forwarded to the handler again. */
  forwardedAgain: number
  /**
   * The largest allowed value of `forwardedAgain`: the events that a forwarder had forwarded but not noted when it was killed or lost the
   * database.
   */
  forwardedAgainAllowed: number
  /** How many times an event was printed again. */
  emittedAgain: number
  /** Events that were sent and answered 200 while the database was stopped. */
  acknowledgedWhileAway: string[]
  /** Milliseconds from the moment at which the database answers again to the next 200 of a receiver that ran before the outage. */
  recoveredMs: number
  unrecorded: string[]
  unforwarded: string[]
  unemitted: string[]
  /** Events that were sent after another one was acknowledged, and were forwarded before it. */
  outOfOrder: string[]
  /** Events that were stored more than once. */
  storedTwice: string[]
}

/**
 * Runs receivers in processes of their own on one database, under signed deliveries to any of them. One delivery in four is sent twice, to
 * two receivers at once. Receivers are killed at random, and the database is stopped and started in the middle. Ends when every
 * acknowledged event was printed and forwarded, or throws. The caller must call `cleanUp` of the listeners.
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
  /** Starts a member, and tries again until it is ready. Without the database a start fails. */
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
  /** Returns the process id of the receiver that forwards now. */
  const forwarder = async () => (await server.query(FORWARDER, new URL(url).pathname.slice(1)))[0]?.pid
  const kill = async (member: Member) => {
    const { listener } = member
    if (!listener) return
    member.listener = undefined
    // If the database does not answer at this moment, this receiver may be the one that forwards.
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
      // As the service does, this repeats a delivery until it is acknowledged.
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
      // One receiver is never killed, so that one can always be asked. During an outage none is killed, because they must recover without a
      // restart.
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
  await until(() => members.every(({ listener }) => listener))

  const emitted = () =>
    [...lines, ...members.flatMap(({ listener }) => listener?.stdout().split('\n').slice(0, -1) ?? [])].map(
      (line) => JSON.parse(line).eventId as string,
    )
  const missing = (all: readonly string[]) => {
    const there = new Set(all)
    return [...acknowledged.keys()].filter((id) => !there.has(id))
  }
  await until(() => missing(handler.ids()).length === 0 && missing(emitted()).length === 0).catch(() => {})
  // Events that must be forwarded again follow soon. This waits until the results of all of them are stored.
  const open = `SELECT count(*)::integer AS open FROM bnpl_inbox.forwards WHERE state IN ('waiting', 'retrying')`
  const name = new URL(url).pathname.slice(1)
  await until(async () => (await server.query(open, name))[0]?.open === 0).catch(() => {})
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

/**
 * Stops the database and starts it again. @returns two moments between which it was certainly stopped, and the moment at which it answered
 * again
 */
async function outage(server: PostgresServer, ms: number): Promise<{ from: number; to: number; back: number }> {
  await server.stop('kill')
  const from = performance.now()
  await pause(ms)
  const to = performance.now()
  await server.start()
  return { from, to, back: performance.now() }
}

/**
 * Sends deliveries to receivers that ran before the outage, until one of them stores an event. @returns ms since `from`; NaN if none of
 * these receivers is left
 */
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

/** Returns the events of a chain that reached the handler for the first time after an event that was sent later. */
function outOfOrder(chain: readonly string[], ids: readonly string[]): string[] {
  const first = new Map<string, number>()
  for (const [i, id] of ids.entries()) if (!first.has(id)) first.set(id, i)
  return chain.filter((id, i) => i > 0 && (first.get(id) ?? 0) < (first.get(chain[i - 1] as string) ?? 0))
}
