import { expect, test } from 'vitest'
import { renderWithWhole } from './table.ts'

const plain = (text: string) => text

test('an id that would be cut is written below its row, even if another cell has the same text', async () => {
  const rows = [
    { id: 'order-1001', note: 'a' },
    { id: 'b', note: 'order-1001' },
  ]
  const others = [{ title: 'A long title', value: ({ note }: { note: string }) => note }]
  const whole = { title: 'Id', value: ({ id }: { id: string }) => id, at: 0 }
  const at = (width: number) => renderWithWhole(rows, others, whole, { width, bold: plain })
  expect(await at(40)).toBe('Id          A long title\norder-1001  a\nb           order-1001')
  expect((await at(20)).split('\n')).toEqual(['A long title', '  Id', 'a', '  order-1001', 'order-1001', '  b'])
})

test('a text is also written below its row if otherwise a column that does not shrink would be cut', async () => {
  const others = [
    { title: 'Id', value: () => 'destination-1' },
    { title: 'Events', value: () => 'loan_approved', shrinks: true },
  ]
  const whole = { title: 'Address', value: () => 'https://shop.example', at: 2 }
  const at = (width: number) => renderWithWhole([0], others, whole, { width, bold: plain })
  expect((await at(60)).split('\n')).toHaveLength(2)
  // Here only the events shrink, so the address stays in its column.
  expect((await at(45)).split('\n')[1]).toMatch(/^destination-1 .*… {2}https:\/\/shop\.example$/)
  expect((await at(34)).split('\n')).toEqual([
    'Id             Events',
    '  Address',
    'destination-1  loan_approved',
    '  https://shop.example',
  ])
})
