import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROMISES } from './promises.ts'
import { rowsNamed, rowTitles } from './row-titles.ts'
import { ROOT } from './source-graph.ts'

const rows = Object.values(PROMISES).flat()

test('the rows are 1 to 110, each once', () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 110 }, (_, i) => i + 1))
})

test('each is held by a test that names it, or by a decision that says why it does not apply', () => {
  const titles = rowTitles()
  const loose = rows.filter(({ number, decision }) =>
    titles.has(number)
      ? decision !== undefined
      : !decision?.startsWith('docs/decisions/') || !existsSync(join(ROOT, decision)),
  )
  expect(loose).toEqual([])
})

test('no test names a row that there is not', () => {
  const known = new Set(rows.map(({ number }) => number))
  expect([...rowTitles().keys()].filter((number) => !known.has(number))).toEqual([])
})

test('titles name rows in each of these ways', () => {
  expect([...rowsNamed("test('row 6: a'")]).toEqual([6])
  expect([...rowsNamed("test('row 72: a; row 73: b'")]).toEqual([72, 73])
  expect([...rowsNamed("])(\n  'rows 1 to 3, 7 and 9: a'")]).toEqual([1, 2, 3, 7, 9])
  expect([...rowsNamed("expect('row 3 of the file')")]).toEqual([])
})
