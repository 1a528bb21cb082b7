import { isBug } from '../bug-channel.ts'
import type { GroupCommit } from '../group-commit.ts'
import type { ForwardResult, Inbox, StoredEvent } from '../inbox.ts'
import { type ForwardAttempt, type ForwardTarget, forwardEvent } from './forward-attempt.ts'

interface RetryPlan {
  /** After this many refusals, an event is set aside. Attempts while the handler is away are not counted. */
  attempts: number
  baseMs: number
  capMs: number
}

/** The pauses between the attempts. `--forward-attempts` sets their number. */
export const FORWARD_PAUSES = { baseMs: 500, capMs: 30_000 } as const satisfies Partial<RetryPlan>

export interface ForwarderOptions {
  inbox: Pick<Inbox, 'waiting' | 'waitingDestinations' | 'find' | 'shared' | 'take' | 'release' | 'holds'>
  commit: Pick<GroupCommit, 'forwarded' | 'flush'>
  target: ForwardTarget
  retry: RetryPlan
  random: () => number
  /** @param next undefined when there is no further attempt */
  onResult(event: StoredEvent, result: ForwardResult, next: NextAttempt | undefined): void
  /** Called with an error after which the work is tried again. Must not throw. */
  onFailure(error: unknown): void
}

export interface NextAttempt {
  waitMs: number
  away: boolean
}

/** Forwards events to the handler, in order for each destination. Retries an event until it is delivered or set aside. */
export interface Forwarder {
  wake(destination: string): void
  /** Call this when another receiver may have stored events. */
  look(): void
  /** Stops forwarding. Attempts in progress may finish until `cut` is aborted. All other events are forwarded after the next start. */
  stop(cut: AbortSignal): Promise<void>
}

interface Queue {
  woken: boolean
  running: Promise<void> | undefined
  position: number
}

/** How many events of a destination are read at a time. If this process is killed, about this many of them can be sent again. */
export const CHUNK = 8
const AGAIN_MS = 1000
/** Events that were read longer ago are read again before they are sent, because `events replay` may have delivered them meanwhile. */
const FRESH_MS = 300

/** Starts to forward the stored events that wait, with one queue for each destination. Throws if the inbox cannot be read. */
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
      // With several receivers, only the inbox knows which events still wait. So store every result before reading more events.
      if (inbox.shared) await commit.flush()
      const readAt = target.clock.monotonic()
      const events = await inbox.waiting(destination, queue.position, CHUNK)
      let isFresh = true
      for (const event of events) {
        isFresh = event === events[0] || target.clock.monotonic() - readAt < FRESH_MS
        if (!isFresh) break
        const ending = await attempt(event)
        if (ending.as === 'away') return giveWay(destination, queue, ending.waitMs)
        if (ending.as === 'lost' || stopping.signal.aborted) return
        queue.position = event.seq
      }
      // Store the results now, so that few events are sent again if this process is killed.
      const mayBeMore = !isFresh || events.length === CHUNK
      if (inbox.shared || mayBeMore) await commit.flush()
      queue.woken ||= mayBeMore
    }
  }
  /** Releases the destination for a while, so that another process can try its own handler. */
  const giveWay = async (destination: string, queue: Queue, waitMs: number): Promise<void> => {
    await inbox.release(destination)
    await target.clock.sleep(waitMs, stopping.signal).catch(() => {})
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
    for (const destination of await inbox.waitingDestinations()) wake(destination)
  }
  await look()
  return {
    wake,
    look() {
      if (stopping.signal.aborted) return
      look().catch((error: unknown) => {
        // After the stop the inbox may be closed, and a look that has begun before fails then.
        if (isBug(error) && !stopping.signal.aborted) options.onFailure(error)
      })
    },
    async stop(cut) {
      stopping.abort()
      if (cut.aborted) cutting.abort()
      else cut.addEventListener('abort', () => cutting.abort())
      await Promise.all([...queues.values()].map(({ running }) => running))
    },
  }
}

/**
 * How the work on an event ended. `away`: the handler cannot be reached, so another process gets the chance to try its own handler. `lost`:
 * perhaps another process already forwards the events of this destination.
 */
type Ending = { as: 'done' | 'lost' } | { as: 'away'; waitMs: number }

async function deliver(
  event: StoredEvent,
  { target, retry, random, commit, inbox, onResult }: ForwarderOptions,
  stopping: AbortSignal,
  cutting: AbortSignal,
): Promise<Ending> {
  let attempts = event.forwarding?.attempts ?? 0
  for (let misses = 0; !stopping.aborted; misses++) {
    // Before a retry, read whether the event still waits. The wait was long, so one read costs little.
    if (misses > 0 && (await isFinished(inbox, event))) break
    if (stopping.aborted) break
    if (!inbox.holds(event.destination)) return { as: 'lost' }
    const attempt = await forwardEvent(event, attempts + 1, target, cutting)
    if (cutting.aborted) break
    const { outcome, status, error, answer, ms } = attempt
    const away = outcome === 'away'
    if (!away) attempts++
    const state = outcome === 'delivered' ? 'delivered' : !away && attempts >= retry.attempts ? 'dead' : 'retrying'
    const result: ForwardResult = {
      seq: event.seq,
      receivedAt: event.receivedAt,
      state,
      attempts,
      status,
      error,
      answer,
      ms,
      at: target.clock.now(),
    }
    commit.forwarded(result)
    if (state !== 'retrying') {
      onResult(event, result, undefined)
      break
    }
    const askedMs = askedWait(attempt, retry, random)
    const givesWay = away && inbox.shared && (misses >= AWAY_TRIES || askedMs > AWAY_CAP_MS)
    const waitMs = givesWay ? Math.max(askedMs, AGAIN_MS) : askedMs || backoff(attempt, misses, retry, random)
    onResult(event, result, { waitMs, away })
    if (givesWay) return { as: 'away', waitMs }
    await target.clock.sleep(waitMs, stopping).catch(() => {})
  }
  return { as: 'done' }
}

/** Whether another process, such as `events replay`, has finished an event. If this cannot be read, the event counts as unfinished. */
async function isFinished(inbox: Pick<Inbox, 'find'>, { seq }: StoredEvent): Promise<boolean> {
  try {
    const [found] = await inbox.find({ seq, limit: 1 })
    // Only a finished event is pruned.
    return found === undefined || found.forwarding?.state === 'delivered' || found.forwarding?.state === 'dead'
  } catch (error) {
    if (isBug(error)) throw error
    return false
  }
}

/**
 * Returns the wait that the handler asked for, in ms; 0 if it did not ask. Also returns 0 if the handler asked for 0 s or for a time in the
 * past. The listener then uses its own growing waits. If it obeyed 0 s, it would call the handler every `baseMs`.
 */
function askedWait({ retryAfterMs }: ForwardAttempt, { baseMs }: RetryPlan, random: () => number): number {
  if (retryAfterMs === 0) return 0
  return Math.round(Math.min(Math.max(retryAfterMs, baseMs), ASKED_CAP_MS) * (1 + 0.2 * random()))
}

function backoff(
  { outcome, status }: ForwardAttempt,
  misses: number,
  { baseMs, capMs }: RetryPlan,
  random: () => number,
) {
  // Try a restarted handler again soon, but send fewer requests to a handler that answers 429.
  const ceiling = Math.min(outcome === 'away' && status !== 429 ? AWAY_CAP_MS : capMs, baseMs * 2 ** misses)
  return Math.round(ceiling * (0.8 + 0.4 * random()))
}

const AWAY_CAP_MS = 3000
/** A longer `Retry-After` is shortened to this time, so that a proxy's mistake does not delay events for days. */
const ASKED_CAP_MS = 300_000
/** If the handler still cannot be reached after this many retries, another process gets the chance to try its own handler. */
const AWAY_TRIES = 2
