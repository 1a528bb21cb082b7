import type { Arrival, ForwardResult, Inbox, Recorded } from './inbox.ts'

/** Takes the outcome: a record, or why there is none. May not throw: the rest of the batch would not hear of theirs. */
export type Done = (error: unknown, recorded: Recorded | undefined) => void

/** Puts everything that arrives together into one transaction, so that one sync of the disk stands for all of it. */
export interface GroupCommit {
  /** Stores an arrival; `done` is called once it is durable. */
  submit(arrival: Arrival, done: Done): void
  /** Keeps what forwarding came to, with the next batch; losing it repeats a forward, nothing else. */
  forwarded(result: ForwardResult): void
  /** Keeps how far events were emitted, with one of the next batches; losing it emits some again. */
  emitted(seq: number): void
  /** Resolves when everything given so far is stored. Throws when it cannot be. */
  flush(): Promise<void>
  /** The same, for the last time: what could not be stored is not tried again. */
  close(): Promise<void>
}

/** Milliseconds that what nobody waits for may wait for a batch to go with. */
const LAZY_MS = 100
/** Milliseconds between two marks of how far events were emitted, while batches are written all the time: each mark writes a page. */
const MARK_MS = 10
/** Milliseconds until what could not be stored is tried again, where nothing arrives that it could go with. */
const AGAIN_MS = 1000

/** @param onFailure gets why a batch could not be stored, before `flush` throws it; may not throw */
export function createGroupCommit(inbox: Pick<Inbox, 'commit'>, onFailure: (error: unknown) => void): GroupCommit {
  let arrivals: Arrival[] = []
  let waiting: Done[] = []
  let forwards: ForwardResult[] = []
  let emittedUpTo: number | undefined
  let markedAt = Number.NEGATIVE_INFINITY
  let scheduled = false
  let lazy: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let closed = false
  let answers: () => void = () => {}

  /** Tells of what is durable. */
  const answer = (): void => {
    const give = answers
    answers = () => {}
    give()
  }
  /** The mark of what was emitted, where one is due; else it is left for later. */
  const takeMark = (): number | undefined => {
    const now = performance.now()
    if (arrivals.length > 0 && now - markedAt < MARK_MS) return undefined
    const mark = emittedUpTo
    emittedUpTo = undefined
    if (mark !== undefined) markedAt = now
    return mark
  }
  const write = async (): Promise<void> => {
    const batch = { arrivals, forwards, emittedUpTo: takeMark() }
    const dones = waiting
    arrivals = []
    waiting = []
    forwards = []
    if (emittedUpTo === undefined) {
      clearTimeout(lazy)
      lazy = undefined
    }
    // The batch before is answered while the disk works on this one; soon also where this one has to wait before it gets there.
    setImmediate(answer)
    try {
      const recorded = await inbox.commit(batch, answer)
      answer()
      answers = () => {
        for (const [i, done] of dones.entries()) done(undefined, recorded[i])
      }
    } catch (error) {
      answer()
      for (const done of dones) done(error, undefined)
      // What nobody waits for is kept for the next batch, whenever that is; the newer of two marks counts.
      markedAt = Number.NEGATIVE_INFINITY
      forwards = [...batch.forwards, ...forwards]
      emittedUpTo ??= batch.emittedUpTo
      if (!closed && (forwards.length > 0 || emittedUpTo !== undefined)) scheduleLazily(AGAIN_MS)
      onFailure(error)
      throw error
    }
  }
  const run = async (): Promise<void> => {
    // A failure was reported by `write`.
    while (arrivals.length > 0) await write().catch(() => {})
    answer()
  }
  const schedule = (): void => {
    if (scheduled) return
    scheduled = true
    // One turn later: every request that is already readable gets into the same batch.
    setImmediate(() => {
      running = (running ?? Promise.resolve()).then(() => {
        scheduled = false
        return run()
      })
    })
  }
  const scheduleLazily = (ms = LAZY_MS): void => {
    lazy ??= setTimeout(() => {
      lazy = undefined
      running = (running ?? Promise.resolve()).then(() => write().catch(() => {}))
    }, ms)
  }
  const flush = async (): Promise<void> => {
    // Now, with whatever is written next: where that cannot be stored there may be no other.
    markedAt = Number.NEGATIVE_INFINITY
    await running
    while (arrivals.length > 0 || forwards.length > 0 || emittedUpTo !== undefined) await write()
    answer()
  }
  return {
    submit(arrival, done) {
      arrivals.push(arrival)
      waiting.push(done)
      schedule()
    },
    forwarded(result) {
      forwards.push(result)
      scheduleLazily()
    },
    emitted(seq) {
      emittedUpTo = Math.max(seq, emittedUpTo ?? 0)
      scheduleLazily()
    },
    flush,
    async close() {
      closed = true
      await flush().finally(() => clearTimeout(lazy))
    },
  }
}
