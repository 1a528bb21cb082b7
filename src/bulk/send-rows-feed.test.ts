import { expect, test } from 'vitest'
import type { Ledger, LedgerRow } from './ledger.ts'
import type { RawRow, RowFile } from './row.ts'
import { createFeed } from './send-rows.ts'

/** Returns a file with these batches of rows. */
function fileOf(...batches: string[][]) {
  let reads = 0
  const file: Pick<RowFile, 'batches' | 'values' | 'others'> = {
    batches: (async function* (): AsyncGenerator<RawRow[]> {
      let line = 2
      for (const batch of batches) {
        reads++
        yield batch.map((raw) => ({ line: line++, raw }))
      }
    })(),
    values: ({ raw }) => (raw === 'bad' ? 'it is bad' : [String(raw)]),
    others: ({ raw }) => ({ shop: `S-${raw}` }),
  }
  return { file: file as RowFile, reads: () => reads }
}

const known = (number: number): LedgerRow => ({ number, state: 'done', result: { outcome: 'ok' }, json: '{}' })
const ledgerOf = (...rows: LedgerRow[]) => ({ rows: () => rows[Symbol.iterator]() }) as unknown as Ledger

test('rows arrive one at a time in order, each with its number and its other columns', async () => {
  const { file } = fileOf(['a', 'b'], ['c'])
  const feed = createFeed(file, ledgerOf(), false)
  expect(feed.ready()).toBeUndefined()
  expect(await feed.next()).toEqual({
    number: 1,
    raw: { line: 2, raw: 'a' },
    values: ['a'],
    others: { shop: 'S-a' },
    earlier: undefined,
  })
  expect(feed.ready()?.number).toBe(2)
  expect(feed.ready()).toBeUndefined()
  expect((await feed.next())?.values).toEqual(['c'])
  expect([await feed.next(), await feed.next(), feed.ready()]).toEqual([undefined, undefined, undefined])
})

test('many workers that ask at the same time each get a different row, and the file is read once', async () => {
  const { file, reads } = fileOf(['a', 'b'], [], ['c'])
  const feed = createFeed(file, ledgerOf(), false)
  const rows = await Promise.all([feed.next(), feed.next(), feed.next(), feed.next()])
  expect(rows.map((row) => row?.number)).toEqual([1, 2, 3, undefined])
  expect(reads()).toBe(3)
})

test('each row is returned with its ledger row of the earlier run, even if rows are missing in between', async () => {
  const feed = createFeed(fileOf(['a', 'b', 'c', 'd', 'e']).file, ledgerOf(known(2), known(4), known(9)), true)
  const earlier: unknown[] = []
  for (let row = await feed.next(); row !== undefined; row = feed.ready()) earlier.push(row.earlier?.number)
  expect(earlier).toEqual([undefined, 2, undefined, 4, undefined])
})

test('ledger rows before the requested row are skipped', async () => {
  const feed = createFeed(fileOf(['a', 'b']).file, ledgerOf(known(0), known(1), known(2)), true)
  expect([(await feed.next())?.earlier?.number, feed.ready()?.earlier?.number]).toEqual([1, 2])
})

test('a new run does not read its ledger', async () => {
  const feed = createFeed(fileOf(['a']).file, ledgerOf(known(1)), false)
  expect((await feed.next())?.earlier).toBeUndefined()
})

test('a checked row that cannot be read is a fault in bnpl', async () => {
  const feed = createFeed(fileOf(['bad']).file, ledgerOf(), false)
  await expect(feed.next()).rejects.toThrow('a row that was checked cannot be read')
})
