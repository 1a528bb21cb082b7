import type { Ledger, LedgerRow } from './ledger.ts'
import type { Operation, RowResult } from './operation.ts'
import { createOrderedWriter } from './ordered-writer.ts'
import { CUT_OFF, createHalt, type RowFate, rowFateOf } from './outcome.ts'
import type { RawRow, RowFile, Values } from './row.ts'

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

  const worker = async (): Promise<void> => {
    while (mayBegin()) {
      const row = feed.ready() ?? (await feed.next())
      if (row === undefined) return
      const room = writer.room(row.number - 1)
      if (room) await room
      // If the run ends early, all waiting workers continue here. Their rows must not be sent.
      if (room && ended) return
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
