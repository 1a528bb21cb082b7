import { createFeed, type FeedRow } from './feed.ts'
import { createHalt } from './halt.ts'
import type { Ledger } from './ledger.ts'
import type { Operation, RowResult } from './operation.ts'
import { CUT_OFF, type Fate, fateOf } from './outcome.ts'
import type { RawRow, RowFile, Values } from './row.ts'
import { createWriter } from './writer.ts'

/** A row that is over, on its way to the output. */
export interface DoneRow {
  number: number
  raw: RawRow
  id: string
  others: Readonly<Record<string, unknown>>
  result: RowResult
  /** The result as JSON. */
  json: string
}

export interface RunOptions {
  file: RowFile
  /** How many rows the file has. */
  rows: number
  operation: Operation
  ledger: Ledger
  /** True when the ledger holds rows of an earlier run. */
  resumed: boolean
  /** Whether rows of unknown outcome are sent again. */
  retryUnknown: boolean
  concurrency: number
  /** Rows that may be begun beyond the oldest unfinished one (2,048). */
  window?: number
  /** Aborted when no new row may be begun. */
  stop: AbortSignal
  /** Aborted when what is in flight must end. */
  drain: AbortSignal
  /** Takes finished rows, in input order. */
  write(rows: DoneRow[]): Promise<void>
  /** Called for every row that is over, in the order they end. @param sent false for what an earlier run had done */
  onRow(result: RowResult, sent: boolean, values: Values): void
}

/** How a run came to its end. `error` is what ended it before its last row. */
export type RunEnd = { complete: true } | { complete: false; error: unknown }

/** Rows that may wait for an earlier one before the workers do, so that one slow call does not fill the memory. */
const WINDOW = 2048

/**
 * Sends every row that the ledger does not settle, `concurrency` at a time, and hands the results on in input order.
 * A call that may not be repeated is sent only after its intent is on the disk. Never throws: what goes wrong is in the result.
 */
export async function run(options: RunOptions): Promise<RunEnd> {
  const { operation, ledger, stop } = options
  const feed = createFeed(options.file, ledger, options.resumed)
  const halt = createHalt()
  let ended: { error: unknown } | undefined
  let over = 0
  const end = (error: unknown) => {
    ended ??= { error }
    writer.release()
  }
  const writer = createWriter<DoneRow>(options.window ?? WINDOW, options.write, end)
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
    if (!operation.repeatable) await ledger.intend(row.number)
    if (!mayBegin()) return untouched(row)
    // The call alone: what fails after it must never make a row that was sent look as if it was not.
    let answer: Fate
    try {
      answer = { fate: 'done', result: await operation.send(row.values), error: undefined }
    } catch (error) {
      answer = fateOf(error, operation, [stop.reason, options.drain.reason])
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
      // The end of the run wakes those who wait, but makes no room for their rows.
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
  // A signal that comes when the last row is under way changes nothing.
  return over === options.rows ? { complete: true } : { complete: false, error: stop.reason }
}

/** The result of an earlier run that stands, or undefined when the row is to be sent (again). */
function settledBefore(
  { number, earlier }: FeedRow,
  { ledger, operation, retryUnknown }: RunOptions,
): { result: RowResult; json: string } | undefined {
  if (earlier === undefined || earlier.state === 'failed') return undefined
  const { state, result, json } = earlier
  if (state === 'done' && result) return { result, json }
  if (retryUnknown || operation.repeatable) return undefined
  return state === 'unknown' && result
    ? { result, json }
    : { result: CUT_OFF, json: ledger.settle(number, 'unknown', CUT_OFF) }
}
