import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { unicodeText } from '../../test/kit/unicode-text.ts'
import { renderFields, renderTable } from './table.ts'

const plain = (text: string) => text

test('numbers are aligned to the right, without trailing spaces or lines around them', async () => {
  const rows = [
    { n: 3, total: '1.050' },
    { n: 12, total: '12.000' },
  ]
  const table = await renderTable(
    rows,
    [
      { title: 'No.', value: (row) => String(row.n), align: 'right' },
      { title: 'Total', value: (row) => row.total, align: 'right' },
    ],
    { width: 80, bold: plain },
  )
  expect(table).toBe(['No.   Total', '  3   1.050', ' 12  12.000'].join('\n'))
})

test('a table of long cells fits the width, by shrinking the shrinkable column first', async () => {
  const table = await renderTable(
    [{ id: 'order-1001', what: 'x'.repeat(300) }],
    [
      { title: 'Id', value: (row) => row.id },
      { title: 'What', value: (row) => row.what, shrinks: true },
    ],
    { width: 40, bold: plain },
  )
  expect(table).toContain('order-1001')
  expect(table).toContain('…')
  for (const line of table.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(40)
})

test('an id that is too wide is cut in the middle, because consecutive ids differ at the end', async () => {
  const ids = ['trx-20261121-215142-ab12cd', 'trx-20261121-215142-ab12ce']
  const table = await renderTable(ids, [{ title: 'Id', value: (id) => id, shrinks: 'middle' }], {
    width: 14,
    bold: plain,
  })
  expect(table.split('\n').slice(1)).toEqual(['trx-20…-ab12cd', 'trx-20…-ab12ce'])
})

/** Characters that libraries of different years, and terminals, measure differently. */
const ODD = [
  '\u{16fe0}',
  '\u{1fae8}',
  '\u{1f6dc}',
  '\u0903',
  '\u0301',
  '\u200b',
  '\u200d',
  '\ufe0f',
  '\uff9e',
  '\u1100',
  '\u1161',
  '\u11a8',
  '\u0e33',
  '👩‍👩‍👧‍👦',
  '🇨🇱',
  '🇨',
  '漢',
  '…',
  '\u3000',
]

const odd = fc.string({ unit: fc.constantFrom(...ODD, 'a', ' ') })
const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), unicodeText(), odd)

/** The widths of a table's lines. Its last column is plain, so that a line ends where the columns before it say. */
async function lineWidths(rows: readonly { a: string; b: string }[], width: number): Promise<number[]> {
  const table = await renderTable(
    rows,
    [
      { title: 'A', value: ({ a }) => a, shrinks: true },
      { title: 'B', value: ({ b }) => b, shrinks: true },
      { title: 'End', value: () => 'end' },
    ],
    { width, bold: plain },
  )
  return table.split('\n').map((line) => stringWidth(line))
}

const tableOf = (text: fc.Arbitrary<string>) =>
  [
    fc.array(fc.record({ a: text, b: text }), { minLength: 1, maxLength: 5 }),
    fc.integer({ min: 40, max: 120 }),
  ] as const

/** Found with the seed 1549855850 at 6:10:3:3:3:3:7:4:7:9:10:12:12:15:19:18:18:16:16: one of its rows took 41 columns of 40. */
const FOUND = [
  [
    { a: '\u{16fe0}', b: '\0'.repeat(6) },
    { a: '', b: '' },
  ],
  40,
] as const

test('property: whatever the cells hold, every row is one line within the width [row 116]', async () => {
  const property = fc.asyncProperty(...tableOf(anyText), async (rows, width) => {
    const widths = await lineWidths(rows, width)
    expect(widths).toHaveLength(rows.length + 1)
    expect(Math.max(...widths)).toBeLessThanOrEqual(width)
  })
  await fc.assert(property, { examples: [[[...FOUND[0]], FOUND[1]]] })
})

test('property: cells of any script keep the later columns aligned [row 116]', async () => {
  // A mark at the beginning would join the blank before the cell, which no width of a cell alone can tell.
  const text = fc.oneof(
    fc.constantFrom('', '\u200b', '\u0301'),
    anyText.map((each) => `a${each}`),
  )
  const property = fc.asyncProperty(...tableOf(text), async (rows, width) => {
    expect(new Set(await lineWidths(rows, width)).size).toBe(1)
  })
  await fc.assert(property, { examples: [[[...FOUND[0]], FOUND[1]]] })
})

test('a character wider than the rest of a column is replaced by the sign for cut text', async () => {
  const columns = [
    { title: 'Id', value: () => 'x'.repeat(16) },
    { title: 'Name', value: () => `न${'\u093e'.repeat(30)}`, shrinks: true },
  ]
  expect(await renderTable([{}], columns, { width: 24, bold: plain })).toBe(
    ['Id                Name', `${'x'.repeat(16)}  …`].join('\n'),
  )
})

test('control characters in a title from the service are shown, not executed [row 82]', async () => {
  const columns = [{ title: 'a\u001b]52;c;x\u0007\nb', value: () => '1' }]
  const text = await renderTable([{}], columns, { width: 80, bold: (title) => title })
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
  expect(text.split('\n').filter((line) => line !== '')).toHaveLength(2)
})

test('fields are aligned, and control characters in values are shown escaped [row 82]', async () => {
  const fields = [
    ['A', '1'],
    ['Long', 'x\u001b'],
  ] as const
  expect(await renderFields(fields, { width: 80, style: { dim: plain } })).toBe('A     1\nLong  x\\u001b')
})

test('fields of any script keep to the width, and copyable values stay in one piece', async () => {
  const fields = [
    ['Dirección', 'Avenida de las Américas 1234, departamento 56'],
    ['名前', '漢字'.repeat(20)],
    ['Señas', '👩‍👩‍👧‍👦'.repeat(20)],
    ['Token', 'x'.repeat(50)],
  ] as const
  expect((await renderFields(fields, { width: 40, style: { dim: plain } })).split('\n')).toEqual([
    'Dirección  Avenida de las Américas 1234,',
    '           departamento 56',
    `名前       ${'漢字'.repeat(7)}`,
    `           ${'漢字'.repeat(7)}`,
    `           ${'漢字'.repeat(6)}`,
    `Señas      ${'👩‍👩‍👧‍👦'.repeat(14)}`,
    `           ${'👩‍👩‍👧‍👦'.repeat(6)}`,
    `Token      ${'x'.repeat(50)}`,
  ])
})

test('a narrow table shortens cells before titles, and every line fits the width', async () => {
  const rows = [{ who: 'a long name of somebody', what: 'something that was asked of the service' }]
  const table = (width: number) =>
    renderTable(
      rows,
      [
        { title: 'Customer', value: ({ who }) => who, shrinks: true },
        { title: 'Request', value: ({ what }) => what },
      ],
      { width, bold: plain },
    )
  expect((await table(40)).split('\n')).toEqual(['Customer  Request', 'a long …  something that was asked of t…'])
  for (const width of [20, 12])
    for (const line of (await table(width)).split('\n')) expect(line.length).toBeLessThanOrEqual(width)
})

test('a cell of megabytes, in any script, is cut, because drawing it would take forever', async () => {
  const columns = [{ title: 'A', value: (row: { a: string }) => row.a, shrinks: true }]
  for (const width of [80, Number.POSITIVE_INFINITY]) {
    const text = await renderTable([{ a: 'é世'.repeat(500_000) }], columns, { width, bold: (title) => title })
    expect(text.length).toBeLessThan(3000)
    expect(text).toMatch(/…$/)
  }
})

test('a command in a value is not broken: the whole command moves to the next line or below the name', async () => {
  const style = { dim: plain }
  const command = 'bnpl verify trx-20261123-q69kvbwy6 --wait -p sandbox'
  const fields = (value: string, width: number) =>
    renderFields(
      [
        ['Transaction', 'T1'],
        ['Next', value],
      ],
      { width, style },
    )
  expect(await fields(command, 80)).toBe(`Transaction  T1\nNext         ${command}`)
  expect(await fields(command, 60)).toBe(`Transaction  T1\nNext\n  ${command}`)
  expect(await fields(`run ${command}, or wait for it`, 68)).toBe(
    `Transaction  T1\nNext         run\n             ${command},\n             or wait for it`,
  )
})

test('a value of megabytes is wrapped in reasonable time, in any script, with or without spaces', async () => {
  const style = { dim: plain }
  for (const [value, most] of [
    ['abc '.repeat(250_000), 80],
    ['漢'.repeat(100_000), 41],
    ['漢 '.repeat(50_000), 80],
  ] as const) {
    const text = await renderFields([['A', value]], { width: 80, style })
    expect(text.split('\n').every((line) => line.length <= most)).toBe(true)
    expect(text.replace(/\s/g, '').slice(1)).toBe(value.replaceAll(' ', ''))
  }
})

test('a table of many rows is drawn', async () => {
  const rows = Array.from({ length: 150_000 }, (_, n) => ({ n }))
  const text = await renderTable(rows, [{ title: 'N', value: ({ n }) => String(n) }], { width: 80, bold: plain })
  expect(text.split('\n')).toHaveLength(150_001)
})
