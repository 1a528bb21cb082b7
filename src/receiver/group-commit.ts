import type { Arrival, Batch, ForwardResult, Inbox, Recorded } from './inbox.ts'

/** Called with the record of an arrival, or an error. Must not throw, because the other arrivals of the batch would get no outcome. */
export type OnStored = (error: unknown, recorded: Recorded | undefined) => void

/** Stores all deliveries that arrive together in one transaction, so that one sync of the disk is enough for them. */
export interface GroupCommit {
  /** Stores an arrival. `onStored` is called when the arrival is durable or could not be stored. */
  submit(arrival: Arrival, onStored: OnStored): void
  /** Stores the result of a forward attempt with the next batch. If the result is lost, the event is forwarded again. */
  forwarded(result: ForwardResult): void
  /** Stores how far the events of a session were emitted (printed). If this is lost, some events are emitted again. */
  emitted(place: number, session?: number): void
  flush(): Promise<void>
  /** Stores everything submitted so far. If this fails, it is not tried again. */
  close(): Promise<void>
}

/** How long a note may wait for the next batch. A note is a forward result, or how far events were emitted. */
const NOTE_MS = 100
/** The shortest time between two updates of the position up to which events were emitted. Each update writes a page of the database. */
const MARK_MS = 10
const AGAIN_MS = 1000

/**
 * Collects deliveries and notes into batches, and stores one batch after the other.
 * @param onFailure called with the error of a batch that could not be stored, before `flush` throws it. Must not throw
 */
export function createGroupCommit(inbox: Pick<Inbox, 'commit'>, onFailure: (error: unknown) => void): GroupCommit {
  const pending = pendingBatch()
  const answers = lateAnswers()
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
    // Answer the deliveries of the previous batch soon, even if `commit` has to wait before it writes this batch.
    setImmediate(answers.send)
    try {
      const recorded = await inbox.commit(batch, answers.send)
      answers.send()
      answers.hold(stored, recorded)
    } catch (error) {
      answers.send()
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
    // Wait one turn of the event loop, so that every request that is already readable joins the batch.
    setImmediate(() => {
      turn = turn.then(async () => {
        isScheduled = false
        // If `write` fails, it has already reported the failure.
        while (pending.hasArrivals()) await write().catch(() => {})
        answers.send()
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
    // With the next batch, store how far events were emitted, because that batch may be the last.
    pending.markNow()
    await turn
    while (pending.hasArrivals() || pending.hasNotes()) await write()
    answers.send()
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
    emitted(place, session) {
      pending.emitted(place, session)
      writeNotes()
    },
    flush,
    async close() {
      closed = true
      await flush().finally(() => clearTimeout(noteTimer))
    },
  }
}

type Mark = Partial<Pick<Batch, 'emittedUpTo' | 'emittedIn'>>

/** Returns an object that collects the next batch: arrivals, whose senders wait for an answer, and notes, for which no sender waits. */
function pendingBatch() {
  let arrivals: Arrival[] = []
  let stored: OnStored[] = []
  let forwards: ForwardResult[] = []
  let mark: Mark = {}
  let markedAt = Number.NEGATIVE_INFINITY

  const takeMark = (): Mark => {
    const now = performance.now()
    if (arrivals.length > 0 && now - markedAt < MARK_MS) return {}
    const taken = mark
    mark = {}
    if (taken.emittedUpTo !== undefined) markedAt = now
    return taken
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
    emitted(place: number, session: number | undefined): void {
      const before = mark.emittedIn === session ? (mark.emittedUpTo ?? 0) : 0
      mark = { emittedUpTo: Math.max(place, before), emittedIn: session }
    },
    hasArrivals: () => arrivals.length > 0,
    hasMark: () => mark.emittedUpTo !== undefined,
    hasNotes: () => forwards.length > 0 || mark.emittedUpTo !== undefined,
    markNow,
    take(): { batch: Batch; stored: readonly OnStored[] } {
      const taken = { batch: { arrivals, forwards, emittedUpTo: undefined, ...takeMark() }, stored }
      arrivals = []
      stored = []
      forwards = []
      return taken
    },
    /** Puts the forward results and the `emittedUpTo` of a failed batch into the next batch. A newer `emittedUpTo` is kept. */
    putBack(batch: Batch): void {
      markNow()
      forwards = [...batch.forwards, ...forwards]
      if (mark.emittedUpTo === undefined) mark = { emittedUpTo: batch.emittedUpTo, emittedIn: batch.emittedIn }
    },
  }
}

/**
 * Returns an object that holds back the answers to the last durable batch. They are sent while the disk writes the next batch, or at once
 * if no batch follows.
 */
function lateAnswers() {
  let held = (): void => {}
  return {
    hold(stored: readonly OnStored[], recorded: readonly Recorded[]): void {
      held = () => {
        for (const [i, onStored] of stored.entries()) onStored(undefined, recorded[i])
      }
    },
    send(): void {
      const send = held
      held = () => {}
      send()
    },
  }
}
