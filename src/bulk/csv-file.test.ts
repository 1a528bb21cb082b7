import fc from 'fast-check'
import papa from 'papaparse'
import { expect, test } from 'vitest'
import type { Input } from './input.ts'
import { openRows } from './row-file.ts'

/** Returns an input with this text, which is read in pieces of `piece` bytes. */
function inputOf(text: string, piece: number): Input {
  const bytes = Buffer.from(text)
  return {
    name: 'test.csv',
    path: undefined,
    async *bytes() {
      for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
    },
    version: async () => '',
    close: async () => {},
  }
}

interface Read {
  line: number
  cells: unknown[]
}

/** Returns each row's line and cells. The first cell is the value of the column `id`, followed by the values of the other columns. */
async function rowsOf(text: string, piece = 7): Promise<Read[]> {
  const file = await openRows(inputOf(text, piece), { columns: [{ name: 'id', required: true }] })
  const rows: Read[] = []
  for await (const batch of file.batches) {
    for (const row of batch) {
      const values = file.values(row)
      rows.push({ line: row.line, cells: [values[0], ...Object.values(file.others(row))] })
    }
  }
  return rows
}

const cell = fc.string({
  unit: fc.constantFrom('a', 'ñ', '€', '😀', ' ', ',', ';', '"', '\n', '\r\n', '='),
  maxLength: 8,
})

test('property: text written by papaparse is read back cell by cell with correct line numbers, however it is split', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.string({ unit: fc.constantFrom('x', 'y'), minLength: 1 }), cell, cell), { maxLength: 8 }),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom(',', ';', '\t'),
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      async (cells, newline, delimiter, piece, bom) => {
        const text = papa.unparse([['id', 'b', 'c'], ...cells], { newline, delimiter })
        const rows = await rowsOf((bom ? '\ufeff' : '') + text, piece)
        expect(rows.map((row) => row.cells)).toEqual(cells)
        let line = 2
        for (const row of rows) {
          expect(row.line).toBe(line)
          line += row.cells.join('').split('\n').length
        }
      },
    ),
  )
})

test('property: any text is cut into the same rows as by papaparse, or refused where papaparse finds an error', async () => {
  const line = fc.string({ unit: fc.constantFrom('a', ',', '"', '""', '\n', '\r\n', ' '), maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 6 }), fc.integer({ min: 1, max: 30 }), async (lines, piece) => {
      const text = lines.join('\n')
      const whole = papa.parse<string[]>(`id,b\n${text}`, { delimiter: ',', newline: '\n' })
      const read = (async () => {
        const file = await openRows(inputOf(`id,b\n${text}`, piece), { columns: [{ name: 'id', required: true }] })
        const rows: string[][] = []
        for await (const batch of file.batches)
          for (const { raw } of batch) rows.push(typeof raw === 'string' ? raw.split(',') : [...raw])
        return rows
      })()
      if (whole.errors.length > 0) {
        await expect(read).rejects.toThrow('quoted cell')
        return
      }
      const expected = whole.data
        .slice(1)
        .map((cells) => cells.map((cell, i) => (i === cells.length - 1 ? cell.replace(/\r$/, '') : cell)))
      expect(await read).toEqual(expected.filter((cells) => cells.join('').trim() !== ''))
    }),
  )
})

test('property: reading any text gives rows, a BnplError or an UnreadableRow error', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom('id', ',', '"', '\n', '\r', '{', '}', '[', 'a', ':', '1') }),
      async (text) => {
        const file = await openRows(inputOf(text, 5), { columns: [{ name: 'id', required: true }] }).catch(
          (error: Error) => error,
        )
        if (file instanceof Error) {
          expect(['BnplError', 'UnreadableRow']).toContain(file.name)
          return
        }
        try {
          for await (const batch of file.batches) {
            for (const row of batch) {
              const values = file.values(row)
              if (typeof values !== 'string') file.others(row)
            }
          }
        } catch (error) {
          expect((error as Error).name).toBe('UnreadableRow')
        }
      },
    ),
  )
})

test('a quote that is never closed is refused with a hint that a closing quote may be missing', async () => {
  const row = `${'x'.repeat(1000)},y,z\n`
  const text = `id,b,c\n"open,y,z\n${row.repeat(11_000)}`
  await expect(rowsOf(text, 64 * 1024)).rejects.toThrow(/a closing quote may be missing/)
})

test('blank lines are skipped but counted in line numbers, and a lone carriage return ends a line', async () => {
  expect(await rowsOf('\n\nid,b\n\n1,2\n\n\n3,4')).toEqual([
    { line: 5, cells: ['1', '2'] },
    { line: 8, cells: ['3', '4'] },
  ])
  expect((await rowsOf('id,b\r1,2\r3,4')).map(({ cells }) => cells)).toEqual([
    ['1', '2'],
    ['3', '4'],
  ])
})

test.each([
  ['sep=;\nid;b\n1;x,y\n2;z', ['1', 'x,y']],
  ['\ufeffsep=,\r\nid,b\r\n1,x;y;z\r\n2,z\r\n', ['1', 'x;y;z']],
  ['"sep=\t"\r\nid\tb\r\n1\tx\r\n2\tz\r\n', ['1', 'x']],
  ['sep=|\nid|b\n1|x\n2|z\n', ['1', 'x']],
])('the separator that %j names is used, and lines keep their numbers', async (text, cells) => {
  for (const piece of [3, 1000]) {
    const rows = await rowsOf(text, piece)
    expect(rows).toEqual([
      { line: 3, cells },
      { line: 4, cells: ['2', 'z'] },
    ])
  }
})

/** Returns for each row its values, or the reason why it cannot be read. */
async function readings(text: string): Promise<unknown[]> {
  const columns = [
    { name: 'id', required: true },
    { name: 'amount', required: true },
  ]
  const file = await openRows(inputOf(text, 1000), { columns })
  const found: unknown[] = []
  for await (const batch of file.batches) for (const row of batch) found.push(file.values(row))
  return found
}

test('rows that all end with additional separators are read, and a row with text after them is not', async () => {
  expect(await readings('id,amount,note\na,1,x,\nb,2,,\n"c",3,"",\n')).toEqual([
    ['a', '1'],
    ['b', '2'],
    ['c', '3'],
  ])
  const [a, b, c, d] = await readings('id;amount\na;1;;\nb;2; ;\nc;3;x;\nd;4\n')
  expect([a, b]).toEqual([
    ['a', '1'],
    ['b', '2'],
  ])
  expect([c, d]).toEqual([expect.stringContaining('it has 4 cells'), expect.stringContaining('it has 2 cells')])
})

test('a row that a thousands separator splits into too many cells is refused, in one, some or all rows', async () => {
  const cut = 'it has 4 cells, but the first line has 3'
  expect(await readings('id,amount,note\na,1,000,\n')).toEqual([cut])
  expect(await readings('id,amount,note\na,1,000,\nb,12,000,\n')).toEqual([cut, cut])
  expect(await readings('id,amount,note\na,5,x,\nb,6,y,\nc,12,000,\n')).toEqual([['a', '5'], ['b', '6'], cut])
  expect(await readings('id,amount,note\na,5,x\nb,12,000,\n')).toEqual([['a', '5'], cut])
})

test('a failed row with additional separators has its reasons in the right columns', async () => {
  const file = await openRows(inputOf('id,b\n1,2,\n3,4,\n', 1000), { columns: [{ name: 'id', required: true }] })
  const [row] = (await file.batches.next()).value ?? []
  expect(row && file.failedRow(row, { failedKind: 'refused', failedMessage: 'no' })).toBe('1,2,refused,no\n')
})

test('a failed row that is run again and fails again gets the new reasons instead of the old ones', async () => {
  const text = 'id,failedKind,failedMessage,b\n1,network,away,x\n'
  const file = await openRows(inputOf(text, 1000), { columns: [{ name: 'id', required: true }] })
  const [row] = (await file.batches.next()).value ?? []
  expect(file.failedHead()).toBe('id,b,failedKind,failedMessage\n')
  expect(row && file.failedRow(row, { failedKind: 'refused', failedMessage: 'no' })).toBe('1,x,refused,no\n')
})

const WHY = { failedKind: 'refused', failedMessage: 'no; "never", ever' }

/** Returns the names and the rows of a file, without the reasons of an earlier run, and the text of its file of failed rows. */
async function failedFileOf(text: string) {
  const file = await openRows(inputOf(text, 64 * 1024), { columns: [{ name: 'id', required: true }] })
  const rows: unknown[] = []
  let failed = file.failedHead()
  for await (const batch of file.batches) {
    for (const row of batch) {
      const values = file.values(row)
      // A run sends nothing if a row cannot be read, so there is no file of failed rows.
      if (typeof values === 'string') throw new Error(values)
      rows.push([values, Object.values(file.others(row))])
      failed += file.failedRow(row, WHY)
    }
  }
  // An unnamed column is called by its position, which changes if columns before it are left out.
  const names = file.otherColumns?.map((name) => name.replace(/^column\d-*$/, ''))
  return { names, rows, failed }
}

test.each([
  ['sep=|\nid|b\n1|x\n', 'sep=|\nid|b|failedKind|failedMessage\n'],
  ['sep=;\r\nid;b\r\n1;x\r\n', 'sep=;\nid;b;failedKind;failedMessage\n'],
  ['"sep=\t"\nid\tb\n1\tx\n', 'sep=\t\nid\tb\tfailedKind\tfailedMessage\n'],
  ['id;b\n1;x\n', 'id;b;failedKind;failedMessage\n'],
  ['id;a,b,c,d,e,f\n1;x\n', 'id;a,b,c,d,e,f;failedKind;failedMessage\n'],
  ['failedKind,{b,id\nx,1,2\n', 'sep=,\n{b,id,failedKind,failedMessage\n'],
  ['id,failedKind,failedMessage,a;id;b;c\n1,,,x\n', 'id,a;id;b;c,failedKind,failedMessage\n'],
  ['id,failedKind,failedMessage,failedKind,a;id;b;c;d\n1,,,,x\n', 'sep=,\nid,a;id;b;c;d,failedKind,failedMessage\n'],
])(
  'a file of failed rows names the separator if the input did or if it would not be found again: %j',
  async (text, head) => {
    const { failed } = await failedFileOf(text)
    expect(failed.startsWith(head)).toBe(true)
  },
)

test('property: a file of failed rows is read again with the same cells, whatever the header and the separator are', async () => {
  const any = fc.string({
    unit: fc.constantFrom('a', 'id', 'ñ', ' ', ',', ';', '\t', '|', '"', '\n', '\r\n', '=', '{', '[', 'sep=;'),
    maxLength: 6,
  })
  const table = fc.integer({ min: 0, max: 5 }).chain((others) =>
    fc.record({
      names: fc.uniqueArray(any, { minLength: others, maxLength: others, selector: (name) => name.trim() }),
      place: fc.integer({ min: 0, max: others }),
      rows: fc.array(fc.tuple(fc.constantFrom('x', 'y'), fc.array(any, { minLength: others, maxLength: others })), {
        maxLength: 4,
      }),
    }),
  )
  let read = 0
  let tried = 0
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.constantFrom(',', ';', '\t', '|'),
      fc.boolean(),
      fc.boolean(),
      fc.constantFrom('\n', '\r\n'),
      async ({ names, place, rows }, delimiter, named, again, newline) => {
        const withId = (id: string, cells: readonly string[]) => cells.toSpliced(place, 0, id)
        const reasons = again ? ['failedKind'] : []
        const cells = [
          [...reasons, ...withId('id', names)],
          ...rows.map(([id, others]) => [...reasons, ...withId(id, others)]),
        ]
        const head = named ? `sep=${delimiter}${newline}` : ''
        tried++
        // Without the line `sep=`, some of these files cannot be read.
        const input = await failedFileOf(head + papa.unparse(cells, { delimiter, newline })).catch(() => undefined)
        if (input === undefined) return
        read++
        const { names: namesAgain, rows: rowsAgain, failed } = await failedFileOf(input.failed)
        expect([namesAgain, rowsAgain, failed]).toEqual([input.names, input.rows, input.failed])
      },
    ),
  )
  expect(read).toBeGreaterThan(tried / 2)
})

test('blank lines before the header do not decide the separator', async () => {
  expect(await readings('\n\nid;amount;note\na;1;x\n')).toEqual([['a', '1']])
  expect(await readings(' \r\nid\tamount\tnote\r\na\t1\tx\r\n')).toEqual([['a', '1']])
})
