import type { Ledger, LedgerRow } from './ledger.ts'
import type { RawRow, RowFile, Values } from './row.ts'

/** A row on its way: what the file says, and what an earlier run noted of it. */
export interface FeedRow {
  /** Number of the row among the rows: 1, 2, 3 … */
  number: number
  raw: RawRow
  values: Values
  others: Readonly<Record<string, unknown>>
  earlier: LedgerRow | undefined
}

interface Feed {
  /** The next row, if it is in memory already; it nearly always is. */
  ready(): FeedRow | undefined
  /** The next row; undefined after the last. Throws `config` when the file was changed. */
  next(): Promise<FeedRow | undefined>
}

/** The rows of a checked file in order, one at a time for each worker that asks. */
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
