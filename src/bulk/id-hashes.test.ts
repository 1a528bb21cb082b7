import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createIdHashes, createRowSum, idHash } from './id-hashes.ts'
import type { Values } from './row.ts'

test.each([
  ['', 2180083513],
  ['a', 2686400841015810],
  ['T-1', 4495735339740015],
  ['order-2026-000001', 2911483170104604],
  ['ñ€😀', 8826601351190235],
])('the hash of %j is the one in ledgers of earlier versions [attack 12]', (id, hash) => {
  expect(idHash(id)).toBe(hash)
})

test.each([0, 1, 2, 255, 256, 257, 512, 65_536, 65_537, 140_000])(
  'of %i ids, only the ids that were added again are reported as repeated',
  (count) => {
    const hashes = createIdHashes()
    const ids = Array.from({ length: count }, (_, i) => `T-${i}`)
    for (const id of ids) hashes.add(id)
    const again = [...new Set([0, count >> 1, count - 1])].flatMap((i) => ids[i] ?? [])
    for (const id of [...again, ...again]) hashes.add(id)
    expect(hashes.repeated()).toEqual(new Set(again.map(idHash)))
    expect(hashes.all()).toEqual(Float64Array.from([...ids, ...again, ...again], idHash))
  },
)

test('looking for repeated ids does not change the order of the hashes', () => {
  const hashes = createIdHashes()
  for (const id of ['c', 'a', 'b', 'a']) hashes.add(id)
  expect(hashes.repeated()).toEqual(new Set([idHash('a')]))
  expect([...hashes.all()]).toEqual(['c', 'a', 'b', 'a'].map(idHash))
})

test('an id that occurs many times is reported once as repeated', () => {
  const hashes = createIdHashes()
  for (let i = 0; i < 1000; i++) hashes.add('same')
  expect([...hashes.repeated()]).toEqual([idHash('same')])
})

test.each<[what: string, idOf: (i: number) => string]>([
  ['all are the same', () => 'same'],
  ['all but one are the same', (i) => (i === 0 ? 'other' : 'same')],
  ['half are the same', (i) => (i % 2 === 0 ? 'same' : `T-${i}`)],
  ['two of them alternate', (i) => `T-${i % 2}`],
  ['all differ', (i) => `T-${i}`],
  ['they come in blocks', (i) => `T-${Math.floor(i / 20_000)}`],
])('the work of looking for repeated ids grows with the number of ids only: %s', (_, idOf) => {
  const hashes = createIdHashes()
  const count = 200_000
  for (let i = 0; i < count; i++) hashes.add(idOf(i))
  const cleared = vi.spyOn(Float64Array.prototype, 'fill')
  onTestFinished(() => cleared.mockRestore())
  hashes.repeated()
  const cells = cleared.mock.calls.map(
    ([, from = 0, to], i) => (to ?? (cleared.mock.contexts[i] as Float64Array).length) - from,
  )
  expect(cells.reduce((sum, each) => sum + each, 0)).toBeLessThan(8 * count)
})

test('every hash is a whole number of at most 53 bits, and uses them all', () => {
  let [ones, zeros] = [0n, 0n]
  for (let i = 0; i < 2000; i++) {
    const hash = idHash(`id ${i}`)
    expect(Number.isSafeInteger(hash) && hash >= 0).toBe(true)
    ones |= BigInt(hash)
    zeros |= ~BigInt(hash)
  }
  expect([ones, BigInt.asUintN(53, zeros)]).toEqual([2n ** 53n - 1n, 2n ** 53n - 1n])
})

test('property: an id that occurs twice is always reported as repeated, and other ids are not', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 30 })), (ids) => {
      const hashes = createIdHashes()
      for (const id of ids) hashes.add(id)
      const twice = new Set(ids.filter((id, i) => ids.indexOf(id) !== i).map(idHash))
      expect(hashes.repeated()).toEqual(twice)
    }),
  )
})

test('200,000 similar ids have different hashes', () => {
  const hashes = createIdHashes()
  for (let i = 0; i < 200_000; i++) hashes.add(`order-2026-${i}`)
  expect(hashes.repeated().size).toBe(0)
})

function sumOf(...rows: Values[]): string {
  const sum = createRowSum()
  for (const values of rows) sum.add(values)
  return sum.value()
}

const a = ['T-1', undefined, '5']
const b = ['T-2', 'x', '6']

test('the sum of rows is the one in ledgers of earlier versions [attack 12]', () => {
  expect(sumOf()).toBe('0')
  expect(sumOf(a)).toBe('3064f415c14a8ce6d3afb558857')
  expect(sumOf(a, b, b, b, b, b, b, b)).toBe('1e430e11fb39cd7dedcb3bce808f')
})

test('the sum does not depend on the order of rows', () => {
  expect(sumOf(b, a)).toBe(sumOf(a, b))
})

test.each<[string, Values[]]>([
  ['a row less', [a]],
  ['a row more', [a, b, b]],
  ['another value', [a, ['T-2', 'x', '7']]],
  ['a value that moved into the next cell', [a, ['T-2x', undefined, '6']]],
  [
    'values of two rows exchanged',
    [
      ['T-1', undefined, '6'],
      ['T-2', 'x', '5'],
    ],
  ],
])('the sum differs with %s [attack 12]', (_, rows) => {
  expect(sumOf(...rows)).not.toBe(sumOf(a, b))
})

test('an empty value counts as missing', () => {
  expect(sumOf(['T-1', '', '5'])).toBe(sumOf(a))
})
