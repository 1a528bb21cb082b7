import { expect, test } from 'vitest'
import type { Values } from './row.ts'
import { createRowSum } from './row-sum.ts'

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
