import { type ForwardTarget, forward } from './forward.ts'
import type { GroupCommit } from './group-commit.ts'
import type { ForwardResult, Inbox, StoredEvent } from './inbox.ts'

export interface RetryPlan {
  /** Answers other than 2xx before an event becomes a dead letter. A handler that is not there at all is waited for without end. */
  attempts: number
  baseMs: number
  capMs: number
}

export const FORWARD_RETRY: RetryPlan = { attempts: 8, baseMs: 500, capMs: 30_000 }

export interface ForwarderOptions {
  inbox: Pick<Inbox, 'waiting' | 'waitingDestinations' | 'shared' | 'take' | 'release' | 'holds'>
  commit: Pick<GroupCommit, 'forwarded' | 'flush'>
  target: ForwardTarget
  retry: RetryPlan
  random: () => number
  /** Told after every attempt; `retryMs` is the wait before the next one. */
  onResult(event: StoredEvent, result: ForwardResult, retryMs: number | undefined): void
  onFailure(error: unknown): void
}

/** Hands events to the handler: in order for each destination, each until it is taken or dead, none delayed by another destination. */
export interface Forwarder {
  /** Something for a destination was stored. */
  wake(destination: string): void
  /** There may be something that another receiver stored. */
  look(): void
  /** Lets attempts under way end until `cut`; what is left goes on after the next start. */
  stop(cut: AbortSignal): Promise<void>
}

interface Queue {
  woken: boolean
  running: Promise<void> | undefined
  /** The last event that was dealt with. */
  position: number
}

/** Bodies read from the inbox at a time: so many may be sent again when this process is killed. */
export const CHUNK = 8
/** Milliseconds until what could not be done is tried again. */
const AGAIN_MS = 1000

export async function startForwarder(options: ForwarderOptions): Promise<Forwarder> {
  const { inbox, commit, target } = options
  const stopping = new AbortController()
  const cutting = new AbortController()
  const queues = new Map<string, Queue>()
  const attempt = (event: StoredEvent) => deliver(event, options, stopping.signal, cutting.signal)

  const run = async (destination: string, queue: Queue): Promise<void> => {
    while (queue.woken && !stopping.signal.aborted) {
      queue.woken = false
      if (!(await inbox.take(destination))) return
      // Where others receive too, what is left to do is what the inbox says: no result may be on its way there.
      if (inbox.shared) await commit.flush()
      const events = await inbox.waiting(destination, queue.position, CHUNK)
      for (const event of events) {
        const outcome = await attempt(event)
        if (outcome === 'absent') return giveWay(destination, queue)
        if (outcome === 'lost' || stopping.signal.aborted) return
        queue.position = event.seq
      }
      // The results go to the disk before more is read: they are what keeps events from being sent again.
      if (inbox.shared || events.length === CHUNK) await commit.flush()
      queue.woken ||= events.length === CHUNK
    }
  }
  /** Another process may have a handler that is there. */
  const giveWay = async (destination: string, queue: Queue): Promise<void> => {
    await inbox.release(destination)
    await target.clock.sleep(AGAIN_MS, stopping.signal).catch(() => {})
    queue.woken = true
  }
  const wake = (destination: string): void => {
    const queue = queues.get(destination) ?? { woken: true, running: undefined, position: 0 }
    queues.set(destination, queue)
    queue.woken = true
    queue.running ??= run(destination, queue)
      .catch(async (error: unknown) => {
        options.onFailure(error)
        await target.clock.sleep(AGAIN_MS, stopping.signal).catch(() => {})
        queue.woken = true
      })
      .finally(() => {
        queue.running = undefined
        if (queue.woken && !stopping.signal.aborted) wake(destination)
      })
  }
  const look = async (): Promise<void> => {
    for (const destination of await inbox.waitingDestinations()) if (!stopping.signal.aborted) wake(destination)
  }
  await look()
  return {
    wake,
    look: () => void look().catch(() => {}),
    async stop(cut) {
      stopping.abort()
      if (cut.aborted) cutting.abort()
      else cut.addEventListener('abort', () => cutting.abort(), { once: true })
      await Promise.all([...queues.values()].map(({ running }) => running))
    },
  }
}

/**
 * Tries until the handler takes the event, or it is dead, or the forwarder stops.
 * @returns `lost` when another process may forward for the destination by now; `absent` when the handler is not there, and another process
 * may have one that is
 */
async function deliver(
  event: StoredEvent,
  { target, retry, random, commit, inbox, onResult }: ForwarderOptions,
  stopping: AbortSignal,
  cutting: AbortSignal,
): Promise<'lost' | 'absent' | undefined> {
  let attempts = event.forwarding?.attempts ?? 0
  for (let misses = 0; !stopping.aborted; misses++) {
    if (!inbox.holds(event.destination)) return 'lost'
    const { status, error, absent, ms } = await forward(event, attempts + 1, target, cutting)
    if (cutting.aborted) return
    if (!absent) attempts++
    const state = error === null ? 'delivered' : attempts >= retry.attempts ? 'dead' : 'retrying'
    const result: ForwardResult = { seq: event.seq, state, attempts, status, error, ms, at: target.clock.now() }
    commit.forwarded(result)
    const ceiling = Math.min(absent ? ABSENT_CAP_MS : retry.capMs, retry.baseMs * 2 ** misses)
    const retryMs = state === 'retrying' ? Math.round(ceiling * (0.8 + 0.4 * random())) : undefined
    onResult(event, result, retryMs)
    if (retryMs === undefined) return
    if (absent && inbox.shared && misses >= ABSENT_TRIES) return 'absent'
    await target.clock.sleep(retryMs, stopping).catch(() => {})
  }
}

/** A handler that is being restarted is found again soon. */
const ABSENT_CAP_MS = 3000
/** Attempts, besides the first, before another process may try its own. */
const ABSENT_TRIES = 2
