import { expect, test } from 'vitest'
import type { Input } from './input.ts'
import { MAX_ROW_LENGTH } from './row.ts'
import { openRows } from './row-file.ts'

const inputOf = (pieces: readonly string[]): Input => ({
  name: 'test.csv',
  path: undefined,
  async *bytes() {
    for (const piece of pieces) yield Buffer.from(piece)
  },
  version: async () => '',
  close: async () => {},
})

const columns = [
  { name: 'id', required: true },
  { name: 'amount', required: false },
]

async function rowsOf(...pieces: string[]) {
  const file = await openRows(inputOf(pieces), { columns })
  const found: unknown[] = []
  for await (const batch of file.batches) for (const { line, raw } of batch) found.push([line, raw])
  return found
}

test('a line of 10 MB is a row; a longer one is refused with its line number [row 95]', async () => {
  const longest = 'x'.repeat(MAX_ROW_LENGTH)
  expect(await rowsOf('id\na\n', longest)).toEqual([
    [2, 'a'],
    [3, longest],
  ])
  await expect(rowsOf('id\na\n', longest, 'x')).rejects.toMatchObject({
    name: 'UnreadableRow',
    line: 3,
    message: 'this line is longer than 10 MB, so this is probably not a file of rows',
  })
  await expect(rowsOf('id\na\n', `"${longest}`)).rejects.toMatchObject({
    name: 'UnreadableRow',
    line: 3,
    message: 'this row is longer than 10 MB; a closing quote may be missing',
  })
})

test.each([
  ['"a" b,1\n', 2],
  ['x,1\n\n"a""\n', 4],
  ['"x\ny",1\n"a"b\n', 4],
])('a misplaced or unclosed quote in %j is refused with the line where its row begins [row 95]', async (text, line) => {
  await expect(rowsOf(`id,amount\n${text}`)).rejects.toMatchObject({
    name: 'UnreadableRow',
    line,
    message: 'a quoted cell is not closed, or has text after its closing quote',
  })
})

test('rows without a filled cell are skipped, and the other rows keep their line numbers [row 95]', async () => {
  expect(await rowsOf('id;amount\n;\n ; \n\t\n"";" "\n\r\na;\n ;1\n;2\r\n"";3')).toEqual([
    [7, 'a;'],
    [8, ' ;1'],
    [9, ';2'],
    [10, ['', '3']],
  ])
})

test('a carriage return is removed only at the end of a row', async () => {
  expect(await rowsOf('id,amount\r\na\rb,1\r\n"c","d"\r\ne,f\r')).toEqual([
    [2, 'a\rb,1'],
    [3, ['c', 'd']],
    [4, 'e,f'],
  ])
})

test('a row with quotes may end in any later piece', async () => {
  const text = 'id,amount\n"a\n\nb",1\nc,2\n'
  for (let size = 1; size < text.length; size++) {
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
    expect(await rowsOf(...pieces)).toEqual([
      [2, ['a\n\nb', '1']],
      [5, 'c,2'],
    ])
  }
})

test.each([
  ['id,amount,a;b\nx,1,2\n', ['x', '1']],
  ['id;amount;a,b\nx;1;2\n', ['x', '1']],
  ['id\tamount\ta,b\nx\t1\t2\n', ['x', '1']],
  ['id\nx\n', ['x', undefined]],
  ['id;amount\nx;1,2,3,4\n', ['x', '1,2,3,4']],
  ['id,amount', undefined],
  ['"a, b, c, d, e";id\nz;x\n', ['x', undefined]],
  ['id\ta,b,c\nx\t1\n', ['x', undefined]],
  ['id;"a\n,,,"\nx;1\n', ['x', undefined]],
  ['\n \r\nid\ta,b,c\r\nx\t1\r\n', ['x', undefined]],
  ['id;5" screen, flat, new, red\nx;1\n', ['x', undefined]],
  ['id\ta,amount,b\nx\t1\n', ['x', undefined]],
  ['id;"a,amount,b"\nx;1\n', ['x', undefined]],
  ['id,a;amount;b;c,d\nx,1,2\n', ['x', undefined]],
])('the separator is the one with which the first line names the columns that are read: %j', async (text, values) => {
  const file = await openRows(inputOf([text]), { columns })
  const { value = [] } = await file.batches.next()
  expect(value[0] && file.values(value[0])).toEqual(values)
})

test.each<[string, unknown]>([
  ['a', 'it has 1 cell, but the first line has 3'],
  ['a,b', 'it has 2 cells, but the first line has 3'],
  ['a,b,c,d', 'it has 4 cells, but the first line has 3'],
  ['"a",b', 'it has 2 cells, but the first line has 3'],
  ['"a",b,c,d', 'it has 4 cells, but the first line has 3'],
  [' a ,s,', ['a', undefined]],
  [' ,s, 5 ', [undefined, '5']],
  ['" a ",s," "', ['a', undefined]],
])(
  'a row is read by the columns of the first line, or refused with its number of cells: %s [row 95]',
  async (row, values) => {
    const file = await openRows(inputOf([`id,shop,amount\n${row}\n`]), { columns })
    const { value = [] } = await file.batches.next()
    expect(value[0] && file.values(value[0])).toEqual(values)
  },
)

test('other columns are returned unchanged; a failed row contains them and the reasons in separate columns', async () => {
  const file = await openRows(inputOf(['id; shop\nx; S \n"y";"a;""b"\n']), { columns })
  expect([file.form, file.otherColumns]).toEqual(['csv', ['shop']])
  const { value: rows = [] } = await file.batches.next()
  expect(rows.map((row: (typeof rows)[number]) => file.others(row))).toEqual([{ shop: ' S ' }, { shop: 'a;"b' }])
  const why = { failedKind: 'refused', failedMessage: 'no; never' }
  expect(file.failedHead()).toBe('id;" shop";failedKind;failedMessage\n')
  expect(rows.map((row: (typeof rows)[number]) => file.failedRow(row, why))).toEqual([
    'x;" S ";refused;"no; never"\n',
    'y;"a;""b";refused;"no; never"\n',
  ])
})
