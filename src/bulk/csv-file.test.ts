import fc from 'fast-check'
import papa from 'papaparse'
import { expect, test } from 'vitest'
import type { Input } from './input.ts'
import type { RawRow } from './row.ts'
import { openRows } from './row-file.ts'

/** A text as a file that is read in pieces of some bytes. */
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

async function rowsOf(text: string, piece = 7): Promise<RawRow[]> {
  const file = await openRows(inputOf(text, piece), [{ name: 'id', required: true }])
  const rows: RawRow[] = []
  for await (const batch of file.batches) rows.push(...batch)
  return rows
}

const cell = fc.string({
  unit: fc.constantFrom('a', 'ñ', '€', '😀', ' ', ',', ';', '"', '\n', '\r\n', '='),
  maxLength: 8,
})

test('property: what papaparse writes is read again cell by cell, wherever the pieces end, with its lines', async () => {
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
        expect(rows.map(({ raw }) => raw)).toEqual(cells)
        let line = 2
        for (const { line: at, raw } of rows) {
          expect(at).toBe(line)
          line += 1 + (raw as string[]).join('').split('\n').length - 1
        }
      },
    ),
    { numRuns: 400 },
  )
})

test('property: no text is a fault: it is rows, or a usage error, or a line that cannot be read', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom('id', ',', '"', '\n', '\r', '{', '}', '[', 'a', ':', '1') }),
      async (text) => {
        const file = await openRows(inputOf(text, 5), [{ name: 'id', required: true }]).catch((error: Error) => error)
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
    { numRuns: 1000 },
  )
})

test('a quote that is never closed does not take the file into memory', async () => {
  const row = `${'x'.repeat(1000)},y,z\n`
  const text = `id,b,c\n"open,y,z\n${row.repeat(30_000)}`
  await expect(rowsOf(text, 64 * 1024)).rejects.toThrow(/is a quote not closed/)
})

test('blank lines are no rows and keep their place; old line ends are understood', async () => {
  expect((await rowsOf('\n\nid,b\n\n1,2\n\n\n3,4')).map(({ line, raw }) => [line, raw])).toEqual([
    [5, ['1', '2']],
    [8, ['3', '4']],
  ])
  expect((await rowsOf('id,b\r1,2\r3,4')).map(({ raw }) => raw)).toEqual([
    ['1', '2'],
    ['3', '4'],
  ])
})
