import { expect, test } from 'vitest'
import { columnFinder, fit, readHeader } from './columns.ts'

const columns = [
  { name: 'externalTrxId', also: ['trx', 'order id'], required: true },
  { name: 'rut', required: true },
  { name: 'note', required: false },
]

test.each([
  ['externalTrxId', 0],
  ['EXTERNAL_TRX-ID', 0],
  ['external trx\tid', 0],
  ['Order-Id', 0],
  ['TRX', 0],
  ['rut', 1],
  ['n-o_t e', 2],
  ['trxId', -1],
  ['note2', -1],
  ['', -1],
  ['failedKind', -2],
  ['Failed_Message', -2],
])('the spellings of a column name are recognised, and other names are not: %j [row 95]', (name, position) => {
  const find = columnFinder(columns)
  expect([find(name), find(name)]).toEqual([position, position])
})

test('a column is found among more names than the cache holds', () => {
  const find = columnFinder(columns)
  for (let i = 0; i < 2000; i++) expect(find(`other ${i}`)).toBe(-1)
  expect([find('rut'), find('failedKind'), find('other 1999')]).toEqual([1, -2, -1])
})

test('a header gives the position of each column and the names of the others; columns without a name are numbered', () => {
  expect(readHeader('f.csv', ['', ' shop ', 'RUT', 'failedKind', ' trx', '', 'failedKind'], columns)).toEqual({
    positions: [4, 2, -1],
    leftOut: [],
    doubtful: [],
    others: [
      { name: 'column1', position: 0 },
      { name: 'shop', position: 1 },
      { name: 'column6', position: 5 },
    ],
  })
})

test.each([
  [['trx', 'rut', 'externalTrxId'], 'externalTrxId'],
  [['externalTrxId', 'rut', 'trx'], 'externalTrxId'],
  [['trx', 'rut', 'shop', ' shop '], 'shop'],
])('a header with a column twice is refused: %j [row 95]', (cells, name) => {
  expect(() => readHeader('f.csv', cells, columns)).toThrow(
    expect.objectContaining({
      kind: 'usage',
      code: 'DUPLICATE_COLUMN',
      message: `f.csv has the column ${name} more than once`,
      hint: 'Keep only one of these columns. Nothing was sent.',
    }),
  )
})

test('the error for missing required columns lists them, the columns of the file, and those bnpl reads [row 95]', () => {
  const read = (cells: string[]) => () => readHeader('f.csv', cells, columns)
  const refused = {
    kind: 'usage',
    code: 'MISSING_COLUMN',
    hint: 'Add the missing columns. bnpl reads these columns: externalTrxId (or trx, order id), rut, [note]',
  }
  expect(read(['a', 'note'])).toThrow(
    expect.objectContaining({
      ...refused,
      message: 'f.csv has no column externalTrxId, rut; the columns of its first line are: a, note',
    }),
  )
  const many = Array.from({ length: 26 }, (_, i) => 'abcdefghijklmnopqrstuvwxyz'.slice(i) + 'x'.repeat(14))
  expect(read(['trx', ...many])).toThrow(
    expect.objectContaining({
      ...refused,
      message: `f.csv has no column rut; the columns of its first line are: ${['trx', ...many].join(', ').slice(0, 299)}…`,
    }),
  )
})

test('an optional column may be missing', () => {
  expect(readHeader('f.csv', ['trx', 'rut'], columns).positions).toEqual([0, 1, -1])
})

test('a substitute name is used only if no other name of the column occurs in the file', () => {
  const withSubstitute = [{ name: 'externalTrxId', also: ['trx'], orElse: ['order', 'orden'], required: true }]
  const of = (...cells: string[]) => readHeader('f.csv', cells, withSubstitute)
  expect(of('shop', 'Order')).toMatchObject({ positions: [1], others: [{ name: 'shop', position: 0 }] })
  expect(of('order', 'trx')).toMatchObject({ positions: [1], others: [{ name: 'order', position: 0 }] })
  expect(() => of('shop')).toThrow('has no column externalTrxId')
})

test.each([
  [['shop', 'trxrut', ''], 0],
  [['Note', 'shop'], 1],
  [['rut', 'note', 'note'], 5],
  [['order'], 4],
  [['trx', ' RUT ', 'order id'], 8],
  [['failedKind', 'run'], 0],
])('a header fits better the more columns it names, and a required column counts most: %j', (cells, expected) => {
  const [trx, ...rest] = columns
  const all = [
    { name: 'externalTrxId', required: true, ...trx, orElse: ['order'] },
    ...rest,
    { name: 'x', required: false },
  ]
  expect(fit(cells, all)).toBe(expected)
})
