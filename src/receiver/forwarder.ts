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
  inbox: Pick<Inbox, 'waiting' | 'waitingDestinations'>
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
  /** Lets attempts under way end within `ms`; what is left goes on after the next start. */
  stop(ms: number): Promise<void>
}

/** Bodies read from the inbox at a time. */
const CHUNK = 8

export async function startForwarder(options: ForwarderOptions): Promise<Forwarder> {
  const stopping = new AbortController()
  const cutting = new AbortController()
  const queues = new Map<string, { woken: boolean; running: Promise<void> | undefined; position: number }>()

  const run = async (destination: string, queue: { woken: boolean; position: number }): Promise<void> => {
    while (queue.woken && !stopping.signal.aborted) {
      queue.woken = false
      const events = await options.inbox.waiting(destination, queue.position, CHUNK)
      for (const event of events) {
        await deliver(event, options, stopping.signal, cutting.signal)
        if (stopping.signal.aborted) return
        queue.position = event.seq
      }
      // The results go to the disk before more is read: they are what keeps events from being sent again.
      if (events.length === CHUNK) await options.commit.flush()
      queue.woken ||= events.length === CHUNK
    }
  }
  const wake = (destination: string): void => {
    const queue = queues.get(destination) ?? { woken: true, running: undefined, position: 0 }
    queues.set(destination, queue)
    queue.woken = true
    queue.running ??= run(destination, queue)
      .catch(async (error: unknown) => {
        options.onFailure(error)
        await options.target.clock.sleep(1000, stopping.signal).catch(() => {})
        queue.woken = true
      })
      .finally(() => {
        queue.running = undefined
        if (queue.woken && !stopping.signal.aborted) wake(destination)
      })
  }
  for (const destination of await options.inbox.waitingDestinations()) wake(destination)
  return {
    wake,
    async stop(ms) {
      stopping.abort()
      const all = Promise.all([...queues.values()].map(({ running }) => running))
      const timer = setTimeout(() => cutting.abort(), ms)
      await all
      clearTimeout(timer)
    },
  }
}

/** Tries until the handler takes the event, or it is dead, or the forwarder stops. */
async function deliver(
  event: StoredEvent,
  options: ForwarderOptions,
  stopping: AbortSignal,
  cutting: AbortSignal,
): Promise<void> {
  const { target, retry, random, commit } = options
  let attempts = event.forwarding?.attempts ?? 0
  for (let misses = 0; !stopping.aborted; misses++) {
    const { status, error, absent, ms } = await forward(event, attempts + 1, target, cutting)
    if (cutting.aborted) return
    if (!absent) attempts++
    const state = error === null ? 'delivered' : attempts >= retry.attempts ? 'dead' : 'retrying'
    const result: ForwardResult = { seq: event.seq, state, attempts, status, error, ms, at: target.clock.now() }
    commit.forwarded(result)
    const ceiling = Math.min(absent ? ABSENT_CAP_MS : retry.capMs, retry.baseMs * 2 ** misses)
    const retryMs = state === 'retrying' ? Math.round(ceiling * (0.8 + 0.4 * random())) : undefined
    options.onResult(event, result, retryMs)
    if (retryMs === undefined) return
    await target.clock.sleep(retryMs, stopping).catch(() => {})
  }
}

/** A handler that is being restarted is found again soon. */
const ABSENT_CAP_MS = 3000
