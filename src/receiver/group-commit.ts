import type { Arrival, Batch, ForwardResult, Inbox, Recorded } from './inbox.ts'

/** Takes the outcome of an arrival: a record, or why there is none. May not throw: the rest of the batch would not get theirs. */
export type OnStored = (error: unknown, recorded: Recorded | undefined) => void

/** Puts everything that arrives together into one transaction, so that one sync of the disk covers all of it. */
export interface GroupCommit {
  /** Stores an arrival; `onStored` is called once it is durable. */
  submit(arrival: Arrival, onStored: OnStored): void
  /** Keeps the result of a forward attempt, with the next batch; losing it repeats a forward, nothing else. */
  forwarded(result: ForwardResult): void
  /** Keeps how far events were emitted, with one of the next batches; losing it emits some again. */
  emitted(place: number): void
  /** Resolves when everything given so far is stored. Throws when it cannot be. */
  flush(): Promise<void>
  /** The same, for the last time: what could not be stored is not tried again. */
  close(): Promise<void>
}

/** Milliseconds that a note may wait for a batch to go with. */
const NOTE_MS = 100
/** Milliseconds between two marks of how far events were emitted, while batches are written all the time: each mark writes a page. */
const MARK_MS = 10
/** Milliseconds until notes that could not be stored are tried again, where nothing arrives that they could go with. */
const AGAIN_MS = 1000

/** @param onFailure gets why a batch could not be stored, before `flush` throws it; may not throw */
export function createGroupCommit(inbox: Pick<Inbox, 'commit'>, onFailure: (error: unknown) => void): GroupCommit {
  const pending = pendingBatch()
  const answers = lateAnswers()
  /** Batches are written one after the other. */
  let turn: Promise<void> = Promise.resolve()
  let isScheduled = false
  let noteTimer: NodeJS.Timeout | undefined
  let closed = false

  const write = async (): Promise<void> => {
    const { batch, stored } = pending.take()
    if (!pending.hasMark()) {
      clearTimeout(noteTimer)
      noteTimer = undefined
    }
    // The batch before is answered while the disk works on this one; soon also where this one has to wait before it gets there.
    setImmediate(answers.give)
    try {
      const recorded = await inbox.commit(batch, answers.give)
      answers.give()
      answers.hold(stored, recorded)
    } catch (error) {
      answers.give()
      for (const onStored of stored) onStored(error, undefined)
      pending.putBack(batch)
      if (!closed && pending.hasNotes()) writeNotes(AGAIN_MS)
      onFailure(error)
      throw error
    }
  }
  const writeArrivals = (): void => {
    if (isScheduled) return
    isScheduled = true
    // One turn of the event loop later: every request that is already readable gets into the same batch.
    setImmediate(() => {
      turn = turn.then(async () => {
        isScheduled = false
        // `write` has reported a failure.
        while (pending.hasArrivals()) await write().catch(() => {})
        answers.give()
      })
    })
  }
  const writeNotes = (ms = NOTE_MS): void => {
    noteTimer ??= setTimeout(() => {
      noteTimer = undefined
      turn = turn.then(() => write().catch(() => {}))
    }, ms)
  }
  const flush = async (): Promise<void> => {
    // The mark goes with whatever is written next: where that cannot be stored there may be no other batch.
    pending.markNow()
    await turn
    while (pending.hasArrivals() || pending.hasNotes()) await write()
    answers.give()
  }
  return {
    submit(arrival, onStored) {
      pending.add(arrival, onStored)
      writeArrivals()
    },
    forwarded(result) {
      pending.forwarded(result)
      writeNotes()
    },
    emitted(place) {
      pending.emitted(place)
      writeNotes()
    },
    flush,
    async close() {
      closed = true
      await flush().finally(() => clearTimeout(noteTimer))
    },
  }
}

/**
 * What is collected for the next batch: arrivals, whose senders wait, and notes, for which nobody waits (results of forward attempts, and
 * the mark of how far events were emitted).
 */
function pendingBatch() {
  let arrivals: Arrival[] = []
  let stored: OnStored[] = []
  let forwards: ForwardResult[] = []
  let emittedUpTo: number | undefined
  let markedAt = Number.NEGATIVE_INFINITY

  /** The mark, where one is due; else it is left for a later batch. */
  const takeMark = (): number | undefined => {
    const now = performance.now()
    if (arrivals.length > 0 && now - markedAt < MARK_MS) return undefined
    const mark = emittedUpTo
    emittedUpTo = undefined
    if (mark !== undefined) markedAt = now
    return mark
  }
  const markNow = (): void => {
    markedAt = Number.NEGATIVE_INFINITY
  }
  return {
    add(arrival: Arrival, onStored: OnStored): void {
      arrivals.push(arrival)
      stored.push(onStored)
    },
    forwarded: (result: ForwardResult): void => void forwards.push(result),
    emitted(place: number): void {
      emittedUpTo = Math.max(place, emittedUpTo ?? 0)
    },
    hasArrivals: () => arrivals.length > 0,
    hasMark: () => emittedUpTo !== undefined,
    hasNotes: () => forwards.length > 0 || emittedUpTo !== undefined,
    /** The next batch takes the mark, also when one was written a moment ago. */
    markNow,
    /** Takes all of it. */
    take(): { batch: Batch; stored: readonly OnStored[] } {
      const taken = { batch: { arrivals, forwards, emittedUpTo: takeMark() }, stored }
      arrivals = []
      stored = []
      forwards = []
      return taken
    },
    /** Keeps the notes of a batch that could not be stored for the next one; the newer of two marks counts. */
    putBack(batch: Batch): void {
      markNow()
      forwards = [...batch.forwards, ...forwards]
      emittedUpTo ??= batch.emittedUpTo
    },
  }
}

/** The answers to the last batch, which is durable: they are given when the next batch is with the disk, or when there is none. */
function lateAnswers() {
  let held = (): void => {}
  return {
    hold(stored: readonly OnStored[], recorded: readonly Recorded[]): void {
      held = () => {
        for (const [i, onStored] of stored.entries()) onStored(undefined, recorded[i])
      }
    },
    give(): void {
      const give = held
      held = () => {}
      give()
    },
  }
}
