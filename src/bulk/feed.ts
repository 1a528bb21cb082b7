import { config } from '../errors.ts'
import type { Ledger, LedgerRow } from './ledger.ts'
import { type RawRow, type RowFile, UnreadableRow, type Values } from './row.ts'

/** A row on its way: what the file says, and what is known of it from an earlier run. */
export interface FeedRow {
  /** Number of the row among the rows: 1, 2, 3 … */
  number: number
  raw: RawRow
  values: Values
  others: Readonly<Record<string, unknown>>
  earlier: LedgerRow | undefined
}

export interface Feed {
  /** The next row where it is in memory already, which is nearly always. Throws `config` when the file was changed. */
  ready(): FeedRow | undefined
  /** The next row, read if need be; undefined after the last. Throws as `ready` does. */
  next(): Promise<FeedRow | undefined>
}

/** The rows of a checked file in order, one at a time for whichever worker asks. */
export function createFeed(file: RowFile, ledger: Ledger, resumed: boolean): Feed {
  const known = resumed ? ledger.rows() : undefined
  let earlier = known?.next()
  let batch: RawRow[] = []
  let at = 0
  let number = 0
  let refill: Promise<void> | undefined
  let over = false

  const fill = async () => {
    const next = await file.batches.next().catch((error: unknown) => {
      throw error instanceof UnreadableRow ? changed(error.line, error.message) : error
    })
    refill = undefined
    at = 0
    batch = next.done ? [] : next.value
    over = next.done === true
  }

  const take = (raw: RawRow): FeedRow => {
    number++
    const values = file.values(raw)
    if (typeof values === 'string') throw changed(raw.line, values)
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

/** Every row was checked before the first was sent; one that cannot be read now was changed meanwhile. */
function changed(line: number, problem: string) {
  return config(
    `the file was changed while it was run: line ${line} cannot be read any more (${problem})`,
    'Put its content back, then go on with --resume.',
    'INPUT_CHANGED',
  )
}
