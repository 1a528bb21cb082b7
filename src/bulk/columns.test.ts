import { expect, test } from 'vitest'
import { chosenColumns, column, columnsInWords, createColumnReader, fit, readHeader } from './columns.ts'
import type { InputColumn } from './row.ts'

const columns: readonly InputColumn[] = [
  { name: 'externalTrxId', also: ['trx', 'order id'], required: true },
  { name: 'rut', required: true },
  { name: 'note', required: false },
]
const readerOf = (of: readonly InputColumn[] = columns) => createColumnReader('f.csv', of)
const header = (cells: string[], of: readonly InputColumn[] = columns) => readHeader('f.csv', cells, of, readerOf(of))
/** Returns the column that a name means, or -1. */
const meaning = (name: string, of: readonly InputColumn[]) =>
  readerOf(of)
    .layout([name])
    .claims.findIndex((positions) => positions.length > 0)

test.each([
  ['externalTrxId', 0],
  ['EXTERNAL_TRX-ID', 0],
  ['external trx\tid', 0],
  ['Éxternal.Trx/Id', 0],
  ['Order-Id', 0],
  ['TRX', 0],
  ['rut', 1],
  ['n-o_t e', 2],
  ['trxId', -1],
  ['note2', -1],
  ['', -1],
  ['failedKind', -1],
])('the spellings of a column name are recognised, and other names are not: %j [row 95]', (name, position) => {
  expect(meaning(name, columns)).toBe(position)
})

const LOAN = [
  ...(['externalTrxId', 'loanAmount', 'state', 'periods', 'installmentAmount'] as const),
  ...(['lastInstallmentAmount', 'interestRate', 'transferDate', 'preApproveId', 'amount'] as const),
].map((name) => column(name, { required: false, compared: 'x' }))

test.each([
  [
    'externalTrxId',
    ['pedido', 'Nº de pedido', 'N° orden', 'nro_orden', 'ORDER NUMBER', 'id transacción', 'transactionId'],
  ],
  ['loanAmount', ['Monto Total', 'monto_total', 'monto del crédito', 'Monto (CLP)', 'LOAN AMOUNT', 'Total', 'importe']],
  ['state', ['Estado', 'status', 'estado del préstamo', 'loan_state', 'Situación']],
  [
    'periods',
    ['cuotas', 'nro cuotas', 'N° de cuotas', 'Número de cuotas', 'cant. cuotas', 'installments', 'Plazo (meses)'],
  ],
  ['installmentAmount', ['valor cuota', 'Monto de la cuota', 'cuota mensual', 'monthly payment']],
  ['lastInstallmentAmount', ['última cuota', 'Valor última cuota', 'last_installment']],
  ['interestRate', ['tasa', 'Tasa de interés', 'rate']],
  ['transferDate', ['fecha de transferencia', 'TransferDate', 'transferred_at']],
  ['preApproveId', ['id', 'ID Pre-aprobación', 'preapproval id']],
])('usual names in English and Spanish mean %s', (name, names) => {
  const found = names.map((each) => LOAN[meaning(each, LOAN)]?.name)
  expect(found).toEqual(names.map(() => name))
})

test('more layouts than the reader keeps are read in the same way', () => {
  const reader = readerOf()
  for (let i = 0; i < 2000; i++) expect(reader.layout([`other ${i}`]).claims).toEqual([[], [], []])
  expect(reader.layout(['rut', 'trx']).claims).toEqual([[1], [0], []])
})

test('a header gives the positions of each column and the names of the others; columns without a name are numbered', () => {
  expect(header(['', 'shop', 'RUT', 'failedKind', 'trx', '', 'failedKind'])).toMatchObject({
    layout: { claims: [[4], [2], []] },
    leftOut: [],
    others: [
      { name: 'column1', position: 0 },
      { name: 'shop', position: 1 },
      { name: 'column6', position: 5 },
    ],
  })
})

test('a copied column that occurs twice is refused [row 95]', () => {
  expect(() => header(['trx', 'rut', 'shop', 'shop'])).toThrow(
    expect.objectContaining({
      kind: 'usage',
      code: 'DUPLICATE_COLUMN',
      message: 'f.csv has the column shop more than once',
      hint: 'Keep only one of these columns. Nothing was sent.',
    }),
  )
})

/** Returns the values of a row, whose cells are in the order of the names. */
function rowOf(names: string[], cells: (string | undefined)[], of: readonly InputColumn[] = columns) {
  const reader = readerOf(of)
  return reader.values(reader.layout(names), names, 7, (position) => cells[position])
}

test('two columns with the same meaning are read if they agree in every row, and refused with the line where they differ [row 95]', () => {
  expect(rowOf(['trx', 'rut', 'Order ID'], ['a', 'r', 'a'])).toEqual(['a', 'r', undefined])
  expect(rowOf(['trx', 'rut', 'Order ID'], [undefined, 'r', 'b'])).toEqual(['b', 'r', undefined])
  expect(() => rowOf(['trx', 'rut', 'Order ID'], ['a', 'r', 'b'])).toThrow(
    expect.objectContaining({
      code: 'DUPLICATE_COLUMN',
      message: 'f.csv has two columns with the same meaning, and they differ in line 7: trx “a” and Order ID “b”',
      hint: "Keep only one of these columns, or leave one out with --column 'Order ID='. Nothing was sent.",
    }),
  )
})

test('the error for missing required columns lists them, the columns of the file, and those bnpl reads [row 95]', () => {
  const refused = {
    kind: 'usage',
    code: 'MISSING_COLUMN',
    hint: 'Add the missing columns, or say which column of the file is meant: --column NAME=externalTrxId. bnpl reads these columns (| is between names of the same column): externalTrxId|trx|order id, rut, [note]',
  }
  expect(() => header(['a', 'note'])).toThrow(
    expect.objectContaining({
      ...refused,
      message: 'f.csv has no column externalTrxId, rut; the columns of its first line are: a, note',
    }),
  )
  const many = Array.from({ length: 26 }, (_, i) => 'abcdefghijklmnopqrstuvwxyz'.slice(i) + 'x'.repeat(14))
  expect(() => header(['trx', ...many])).toThrow(
    expect.objectContaining({
      message: `f.csv has no column rut; the columns of its first line are: ${['trx', ...many].join(', ').slice(0, 299)}…`,
    }),
  )
})

test.each([
  [['Ventas noviembre', '', ''], 'Ventas noviembre, (no name), (no name)'],
  [['1001'], '•••'],
  [['11.222.333-9', '250000'], '•••, •••'],
])('if the first line %j is not a line of names, the hint says that the names must be there', (cells, shown) => {
  expect(() => header(cells)).toThrow(
    expect.objectContaining({
      message: `f.csv has no column externalTrxId, rut; the columns of its first line are: ${shown}`,
      hint: expect.stringMatching(
        /^The first line of the file must have the names of the columns\. Delete titles above/,
      ),
    }),
  )
})

test('an optional column may be missing', () => {
  expect(header(['trx', 'rut']).layout.claims).toEqual([[0], [1], []])
})

test('a substitute name is used only if no other name of the column occurs in the file', () => {
  const withSubstitute = [{ name: 'externalTrxId', also: ['trx'], orElse: ['order', 'orden'], required: true }]
  const of = (...cells: string[]) => header(cells, withSubstitute)
  expect(of('shop', 'Order')).toMatchObject({ layout: { claims: [[1]] }, others: [{ name: 'shop', position: 0 }] })
  expect(of('order', 'trx')).toMatchObject({ layout: { claims: [[1]] }, others: [{ name: 'order', position: 0 }] })
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

test.each(['cuota', 'Installment', 'total cuotas'])(
  'a name that can mean two columns is refused with the choice, unless the user has chosen: %s',
  (name) => {
    const names = ['trx', name]
    expect(() => readerOf(LOAN).layout(names)).toThrow(
      expect.objectContaining({
        code: 'AMBIGUOUS_COLUMN',
        hint: expect.stringContaining(`--column '${name}=periods'`),
      }),
    )
    const chosen = chosenColumns(LOAN, [`${name}=periods`])
    expect(createColumnReader('f', chosen).layout(names).claims[3]).toEqual([1])
    const without = createColumnReader('f', chosenColumns(LOAN, [`${name}=`])).layout(names)
    expect([without.claims.flat(), without.unused]).toEqual([[0], [1]])
  },
)

test('--column reads a column from the chosen name alone, and refuses a name that bnpl does not read', () => {
  const chosen = chosenColumns(columns, ['Cliente=rut', 'A=B=trx'])
  expect(header(['A=B', 'trx', 'cliente', 'rut'], chosen).layout).toMatchObject({
    claims: [[0], [2], []],
    others: [1],
    leftOut: [3],
  })
  for (const [choice, said] of [
    ['x=nonsense', 'is not a column that bnpl reads'],
    ['x', 'is not valid'],
    ['=rut', 'is not valid'],
  ] as const)
    expect(() => chosenColumns(columns, [choice])).toThrow(said)
})

test('the words say for every column of a file whether it is compared', () => {
  const reader = readerOf(LOAN)
  reader.layout(['pedido', 'estado', 'Tienda', '', 'failedKind', 'rut'])
  expect(
    columnsInWords(
      LOAN.map((each, i) => (i === 0 ? column('externalTrxId', { required: true }) : each)),
      reader.use(),
      LOAN.map(() => 3),
      3,
    ),
  ).toBe(
    'Columns read: pedido (externalTrxId). Compared with the loan: estado (state). Not compared: Tienda, column 4, failedKind, rut.',
  )
})
