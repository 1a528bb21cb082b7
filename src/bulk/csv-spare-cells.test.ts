import { expect, test } from 'vitest'
import { isSpare, spareCells } from './csv-file.ts'

test.each<[string, string[][], number]>([
  [
    'two rows agree on one',
    [
      ['a', '1', ''],
      ['b', '2', ' '],
    ],
    1,
  ],
  [
    'two rows agree on two',
    [
      ['a', '1', '', ''],
      ['b', '2', '', ''],
    ],
    2,
  ],
  ['one row alone', [['a', '1', '']], 0],
  ['no row', [], 0],
  [
    'the rows differ',
    [
      ['a', '1', ''],
      ['b', '2', '', ''],
    ],
    0,
  ],
  [
    'the rows have no more than is named',
    [
      ['a', '1'],
      ['b', '2'],
    ],
    0,
  ],
  ['the rows have fewer', [['a'], ['b']], 0],
  [
    'the first has something there',
    [
      ['a', '1', 'x'],
      ['b', '2', ''],
    ],
    0,
  ],
  [
    'the second has something there',
    [
      ['a', '1', ''],
      ['b', '2', 'x'],
    ],
    0,
  ],
  [
    'the first has half a number',
    [
      ['1', '000', ''],
      ['b', '2', ''],
    ],
    0,
  ],
  [
    'the second has half a number',
    [
      ['a', '1', ''],
      ['1', '000', ''],
    ],
    0,
  ],
])('empty extra cells are accepted only if the first two rows have the same number of them: %s', (_, rows, count) => {
  expect(spareCells(rows, 2)).toBe(count)
})

test.each<[string[], boolean]>([
  [['1', '000', ''], false],
  [[' 12', '000 ', ''], false],
  [['123', '456', ''], false],
  [['x', '1', '000'], false],
  [['1234', '000', ''], true],
  [['1x', '000', ''], true],
  [['x1', '000', ''], true],
  [['1', '0000', ''], true],
  [['1', '00', ''], true],
  [['1', 'x000', ''], true],
  [['1', '000x', ''], true],
  [['1', '', ''], true],
  [['', '000', ''], true],
  [['a', '1'], true],
])(
  'extra cells are accepted only if they are empty and no number was split by its separator: %j [row 95]',
  (cells, spare) => {
    expect(isSpare(cells, 2)).toBe(spare)
  },
)
