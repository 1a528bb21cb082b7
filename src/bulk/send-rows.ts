import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../domain/clock.ts'
import type { Ledger, LedgerRow } from './ledger.ts'
import { CUT_OFF, createHalt, type RowFate, rowFateOf } from './outcome.ts'
import type { Operation, RawRow, RowFile, RowResult, Values } from './row.ts'

export interface DoneRow {
  number: number
  raw: RawRow
  id: string
  others: Readonly<Record<string, unknown>>
  result: RowResult
  json: string
}

interface SendOptions {
  file: RowFile
  rows: number
  operation: Operation
  ledger: Ledger
  resumed: boolean
  retryUnknown: boolean
  /** Called before the first row is sent. If it throws, the run ends. */
  begin(): Promise<unknown>
  concurrency: number
  window?: number
  /** Aborted when no new row may be started. */
  stop: AbortSignal
  /** Aborted when the calls in progress must end. */
  drain: AbortSignal
  write(rows: DoneRow[]): Promise<void>
  /** Called for every finished row, in the order in which rows finish. `sent` is false for a row that an earlier run completed. */
  onRow(result: RowResult, sent: boolean, values: Values): void
}

/** How a run ended. `error` is the reason why it stopped before its last row. */
export type RunEnd = { complete: true } | { complete: false; error: unknown }

/** Results are written in the order of the file. This many rows may wait in memory for the result of a slow earlier row. */
const WINDOW = 2048

/**
 * Sends every row that has no final outcome in the ledger, and writes the results in the order of the file. A call that must not be
 * repeated is sent only after the ledger has stored the intent on the disk. Never throws. The returned `RunEnd` contains the error.
 */
export async function sendRows(options: SendOptions): Promise<RunEnd> {
  const { operation, ledger, stop } = options
  const feed = createFeed(options.file, ledger, options.resumed)
  const halt = createHalt()
  let begun: Promise<unknown> | undefined
  let ended: { error: unknown } | undefined
  let over = 0
  const end = (error: unknown) => {
    ended ??= { error }
    writer.release()
  }
  const writer = createOrderedWriter<DoneRow>(options.window ?? WINDOW, options.write, end)
  const mayBegin = () => ended === undefined && !stop.aborted

  const finished = (row: FeedRow, result: RowResult | undefined, sent: boolean, json = '') => {
    const { number, raw, others } = row
    writer.put(number - 1, result && { number, raw, others, result, json, id: String(row.values[operation.id]) })
    if (result === undefined) return
    over++
    options.onRow(result, sent, row.values)
  }

  const untouched = (row: FeedRow) => {
    if (!operation.repeatable) ledger.forget(row.number)
    finished(row, undefined, false)
  }

  const send = async (row: FeedRow): Promise<void> => {
    const call = operation.read(row.values)
    if ('problems' in call) throw new Error('a row that was checked cannot be read')
    begun ??= options.begin()
    await begun
    if (!operation.repeatable) await ledger.intend(row.number)
    if (!mayBegin()) return untouched(row)
    // Only the call itself is inside the try. Otherwise a later failure could make a row that was sent look unsent.
    let answer: RowFate
    try {
      answer = { fate: 'done', result: await call.send(), error: undefined }
    } catch (error) {
      answer = rowFateOf(error, operation, [stop.reason, options.drain.reason])
    }
    if (answer.fate === 'untouched') return untouched(row)
    if (answer.fate === 'fatal') {
      end(answer.error)
      return answer.sent ? finished(row, undefined, false) : untouched(row)
    }
    finished(row, answer.result, true, ledger.settle(row.number, answer.fate, answer.result))
    const last = halt(answer.error)
    if (last) end(last)
  }

  /** Finds out whether the service carried out a row that an earlier run sent, if the operation can. Returns whether it could. */
  const settle = async (row: FeedRow): Promise<boolean> => {
    const call = operation.read(row.values)
    if ('problems' in call || call.settle === undefined) return false
    begun ??= options.begin()
    await begun
    const result = mayBegin() ? await call.settle() : undefined
    const isKnown = result?.outcome !== 'unknown'
    if (result === undefined || (!isKnown && options.retryUnknown)) return false
    // Such a row is among those of the earlier runs, unless it would be sent again.
    finished(row, result, options.retryUnknown, ledger.settle(row.number, isKnown ? 'done' : 'unknown', result))
    return true
  }

  const worker = async (): Promise<void> => {
    while (mayBegin()) {
      const row = feed.ready() ?? (await feed.next())
      if (row === undefined) return
      const room = writer.room(row.number - 1)
      if (room) await room
      // If the run ends early, all waiting workers continue here. Their rows must not be sent.
      if (room && ended) return
      if (isUnclear(row, operation) && (await settle(row))) continue
      const known = settledBefore(row, options)
      if (known) finished(row, known.result, false, known.json)
      else await send(row)
    }
  }

  await Promise.all(Array.from({ length: options.concurrency }, () => worker().catch(end)))
  try {
    ledger.flush()
  } catch (error) {
    end(error)
  }
  await writer.end()
  if (ended) return { complete: false, error: ended.error }
  return over === options.rows ? { complete: true } : { complete: false, error: stop.reason }
}

/** Whether an earlier run sent a row, and its outcome is not known. */
const isUnclear = ({ earlier }: FeedRow, { repeatable }: Operation): boolean =>
  !repeatable && (earlier?.state === 'sent' || earlier?.state === 'unknown')

function settledBefore(
  { number, earlier }: FeedRow,
  { ledger, operation, retryUnknown }: SendOptions,
): { result: RowResult; json: string } | undefined {
  if (earlier === undefined || earlier.state === 'failed') return undefined
  const { state, result, json } = earlier
  if (state === 'done' && result) return { result, json }
  if (retryUnknown || operation.repeatable) return undefined
  return state === 'unknown' && result
    ? { result, json }
    : { result: CUT_OFF, json: ledger.settle(number, 'unknown', CUT_OFF) }
}

interface FeedRow {
  number: number
  raw: RawRow
  values: Values
  others: Readonly<Record<string, unknown>>
  earlier: LedgerRow | undefined
}

interface Feed {
  /** Returns the next row if it is already in memory, otherwise undefined. */
  ready(): FeedRow | undefined
  /** Reads the next row. Returns undefined after the last. Throws `config` when the file was changed. */
  next(): Promise<FeedRow | undefined>
}

/** Returns a feed, which gives the rows of a checked file to the workers, one at a time and in order. */
export function createFeed(file: RowFile, ledger: Ledger, resumed: boolean): Feed {
  const known = resumed ? ledger.rows() : undefined
  let earlier = known?.next()
  let batch: RawRow[] = []
  let at = 0
  let number = 0
  let refill: Promise<void> | undefined
  let over = false

  const fill = async () => {
    const next = await file.batches.next()
    refill = undefined
    at = 0
    batch = next.done ? [] : next.value
    over = next.done === true
  }

  const take = (raw: RawRow): FeedRow => {
    number++
    const values = file.values(raw)
    if (typeof values === 'string') throw new Error('a row that was checked cannot be read')
    while (earlier && !earlier.done && earlier.value.number < number) earlier = known?.next()
    const mine = earlier && !earlier.done && earlier.value.number === number ? earlier.value : undefined
    return { number, raw, values, others: file.others(raw), earlier: mine }
  }

  const ready = () => {
    const raw = batch[at]
    if (raw === undefined) return undefined
    at++
    return take(raw)
  }

  return {
    ready,
    async next() {
      for (;;) {
        const row = ready()
        if (row !== undefined || over) return row
        refill ??= fill()
        await refill
      }
    },
  }
}

interface OrderedWriter<T> {
  /** Resolves when the row at a position (0, 1, 2 …) may be sent. Returns undefined if it may be sent now. */
  room(position: number): Promise<void> | undefined
  put(position: number, row: T | undefined): void
  /**
   * Ends every wait of `room`, so that no worker waits forever after a run was ended. From then on, `room` no longer means that a row may
   * be sent, and the caller must send no further row.
   */
  release(): void
  /** Writes all rows that were added and not yet written, even if a row before them is missing. */
  end(): Promise<void>
}

/**
 * Returns a writer that takes finished rows in any order and writes them in the order of the file, in batches.
 * @param window how many positions may be in progress: the oldest unfinished one and the `window - 1` after it
 * @param write not called again after it failed
 * @param onFailure gets the error of `write`, and must call `release`
 */
export function createOrderedWriter<T>(
  window: number,
  write: (rows: T[]) => Promise<void>,
  onFailure: (error: unknown) => void,
): OrderedWriter<T> {
  const order = createOrder<T>(window)
  let writing: Promise<void> | undefined
  let failed = false

  const writeNow = async (rows: T[]) => {
    if (failed) return
    try {
      await write(rows)
    } catch (error) {
      failed = true
      onFailure(error)
    }
  }
  const writeReady = async () => {
    await setImmediate()
    for (let rows = order.take(); rows.length > 0; rows = order.take()) await writeNow(rows)
    // There must be no `await` between the last `order.take()` and this line. Otherwise a row that finishes in between would never be
    // written.
    writing = undefined
  }

  return {
    room: order.room,
    put(position, row) {
      order.put(position, row)
      writing ??= writeReady()
    },
    release: order.release,
    async end() {
      while (writing) await writing
      await writeNow(order.rest())
    },
  }
}

/**
 * Returns a buffer that puts items into the order of their positions (0, 1, 2 …).
 * @param window how many positions may be in progress: the oldest unfinished one and the `window - 1` after it
 */
export function createOrder<T>(window: number) {
  // `null` means that there is nothing to write, `undefined` that a position is unfinished. This is not a map, because a map would keep
  // removed items in memory until the next full garbage collection.
  const slots = new Array<T | null | undefined>(window).fill(undefined)
  let next = 0
  let waiting: (() => void)[] = []
  let released = false
  const wakeAll = () => {
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }
  const isFull = (position: number) => !released && position >= next + window
  const wait = async (position: number) => {
    while (isFull(position)) await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const takeNext = () => {
    const at = next++ % slots.length
    const item = slots[at]
    slots[at] = undefined
    return item
  }
  return {
    put(position: number, item: T | undefined): void {
      slots[position % slots.length] = item ?? null
    },
    room: (position: number) => (isFull(position) ? wait(position) : undefined),
    release(): void {
      released = true
      wakeAll()
    },
    take(): T[] {
      const ready: T[] = []
      while (slots[next % slots.length] !== undefined) {
        const item = takeNext()
        if (item != null) ready.push(item)
      }
      if (waiting.length > 0) wakeAll()
      return ready
    },
    rest(): T[] {
      const left = slots.map(takeNext)
      return left.filter((item) => item != null)
    },
  }
}

export interface Pace {
  /** Resolves when a request or retry may be sent. Returns undefined if it may be sent now. After an abort, rejects with its reason. */
  ready(): Promise<void> | undefined
  pause(ms: number): void
  /** Called when a request has ended. `left` and `resetMs` are what the answer says about the limit of the service, if it does. */
  ended(limit: { left: number; resetMs: number } | undefined): void
  /** Milliseconds until requests are sent again, or 0 without a pause. */
  pausedFor(): number
}

/** The limit of a service: at most `calls` in any time of `ms`. */
interface RateWindow {
  calls: number
  ms: number
}

interface PaceOptions {
  window?: RateWindow | undefined
  /** Called when requests wait because of the window, or because an answer says that the service allows no more calls for now. */
  onHold?(why: 'window' | 'answer', ms: number): void
}

/** The longest pause that an answer about a limit can cause, in ms. */
const LONGEST_RESET_MS = 10 * 60_000

/** Returns a pace, which decides when any worker of a run may send the next request. Without `perSecond` and a window there is no limit. */
export function createPace(clock: Clock, signal: AbortSignal, perSecond?: number, options: PaceOptions = {}): Pace {
  const { window, onHold } = options
  const interval = perSecond === undefined ? 0 : 1000 / perSecond
  let pausedUntil = 0
  let nextSlot = 0
  let inFlight = 0
  // When each of the last requests was sent: a request is sent only after the request `calls` before it has left the window.
  const sentAt: number[] = []
  let sent = 0
  const windowOpens = (): number =>
    window === undefined ? 0 : (sentAt[sent % window.calls] ?? Number.NEGATIVE_INFINITY) + window.ms
  const take = (at: number): number => {
    const place = window === undefined ? 0 : sent++ % window.calls
    sentAt[place] = at
    return place
  }

  const wait = async (): Promise<void> => {
    for (;;) {
      signal.throwIfAborted()
      const now = clock.monotonic()
      if (now < pausedUntil) {
        await clock.sleep(Math.ceil(pausedUntil - now), signal)
        continue
      }
      const opens = windowOpens()
      if (opens > now) onHold?.('window', opens - now)
      const slot = Math.max(now, nextSlot, opens)
      nextSlot = slot + interval
      const place = take(slot)
      // Sending less than a millisecond early is fine. Check again after the wait, because a pause may have begun.
      if (slot - now >= 1) await clock.sleep(slot - now, signal)
      // After a late timer, the request counts from when it is really sent.
      sentAt[place] = Math.max(slot, clock.monotonic())
      if (clock.monotonic() >= pausedUntil) return
    }
  }

  return {
    ready() {
      inFlight++
      const now = clock.monotonic()
      if (interval !== 0 || pausedUntil !== 0 || signal.aborted || windowOpens() > now) return wait()
      take(now)
      return undefined
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, clock.monotonic() + ms)
    },
    ended(limit) {
      inFlight--
      if (limit === undefined || limit.left > inFlight || limit.resetMs <= 0) return
      const ms = Math.min(limit.resetMs, LONGEST_RESET_MS)
      if (clock.monotonic() + ms > pausedUntil) onHold?.('answer', ms)
      this.pause(ms)
    },
    pausedFor: () => Math.max(0, pausedUntil - clock.monotonic()),
  }
}
