import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BANDS, readWalks } from '../scripts/architecture.ts'
import { ROOT, readSources } from './source-graph.ts'

const sources = readSources('src/**/*.ts')
const byPath = new Map(sources.map((file) => [file.path, file]))
const lines = Object.values(BANDS).flat()
const roomOf = (path: string) => path.split('/')[1]!.replace(/\.ts$/, '')

test('every room (entry of src) has a line in the picture and a paragraph in docs/architecture.md', () => {
  const rooms = [...new Set(sources.map(({ path }) => roomOf(path)))].sort()
  expect(lines.filter((line) => !line.includes('/')).sort()).toEqual(rooms)
  const text = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
  expect([...text.matchAll(/\*\*`(\w+)`\*\*/g)].map(([, room]) => room).sort()).toEqual(rooms)
})

test('a room imports only rooms that are below that room in the picture', () => {
  const upwards = sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => target.startsWith('src/') && roomOf(target) !== roomOf(path))
      .filter(({ target }) => lines.indexOf(roomOf(target)) < lines.indexOf(roomOf(path)))
      .map(({ target }) => `${path} imports ${target}`),
  )
  expect(upwards).toEqual([])
})

describe.each(readWalks())('the walk of $page, $said files', ({ page, numbers, files, again, said }) => {
  test('lists existing files, each once, with the right numbers and the right total', () => {
    expect(numbers).toEqual(files.map((_, i) => i + 1))
    expect([new Set(files).size, files.length]).toEqual([said, said])
    expect(files.filter((file) => !byPath.has(file))).toEqual([])
    expect(again.filter((file) => !files.includes(file))).toEqual([])
  })

  test('contains only files that import another file of the walk or are imported by another file of the walk', () => {
    const named = pathsIn(page)
    const knows = (from: string, to: string) => byPath.get(from)?.imports.some(({ target }) => target === to)
    const alone = files.filter((file) => !named.some((other) => knows(file, other) || knows(other, file)))
    expect(alone).toEqual([])
  })
})

test('every page of docs/walks has a table of files that these tests read', () => {
  const pages = globSync('docs/walks/*.md', { cwd: ROOT }).map((path) => path.replaceAll('\\', '/'))
  expect([...new Set(readWalks().map(({ page }) => page))].sort()).toEqual(pages.sort())
})

/** Returns the sources to which a page links. */
function pathsIn(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return [...text.matchAll(/\]\(\.\.\/\.\.\/(src\/[^)]+)\)/g)].map(([, path = '']) => path)
}
