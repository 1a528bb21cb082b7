import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROMISES } from './kit/promises.ts'
import { rowsNamed, rowTitles } from './kit/row-titles.ts'
import { ROOT } from './kit/source-graph.ts'

const rows = Object.values(PROMISES).flat()

test('every number of a row, attack, database entry and page occurs once', () => {
  const expected = (word: string, count: number) => Array.from({ length: count }, (_, i) => `${word} ${i + 1}`)
  const numbered = (part: number, count: number) =>
    expected('page', count).map((name) => name.replace(' ', ` ${part}.`))
  const pages = [...numbered(1, 11), 'page 2', 'page 3', ...numbered(4, 10), 'page 5']
  const all = [...expected('row', 116), ...expected('attack', 32), ...expected('database', 8), ...pages]
  expect(rows.map(({ name }) => name).sort()).toEqual(all.sort())
})

test('every promise has a test that names it in the title, or a decision that says why the promise does not apply', () => {
  const titles = rowTitles()
  const loose = rows.filter(({ name, decision }) =>
    titles.has(name)
      ? decision !== undefined
      : !decision?.startsWith('docs/decisions/') || !existsSync(join(ROOT, decision)),
  )
  expect(loose).toEqual([])
})

test('no test names a row that does not exist', () => {
  const known = new Set(rows.map(({ name }) => name))
  expect([...rowTitles().keys()].filter((name) => !known.has(name))).toEqual([])
})

test('rowsNamed finds the rows in each way in which titles name rows', () => {
  expect([...rowsNamed("test('row 6: a'")]).toEqual(['row 6'])
  expect([...rowsNamed("test('row 72: a; row 73: b'")]).toEqual(['row 72', 'row 73'])
  expect([...rowsNamed("])(\n  'rows 1 to 3, 7 and 9: a'")]).toEqual(['row 1', 'row 2', 'row 3', 'row 7', 'row 9'])
  expect([...rowsNamed("test('a [attack 7]'; test(`b [row 111, page 1.2]`")]).toEqual([
    'attack 7',
    'row 111',
    'page 1.2',
  ])
  expect([...rowsNamed("expect('row 3 of the file')")]).toEqual([])
})
