import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BANDS, stepsOf, WALK_NAMES, walkPage } from '../../scripts/architecture.ts'
import { ROOT, readSources } from '../kit/source-graph.ts'

const sources = readSources('src/**/*.ts')
const lines = Object.values(BANDS).flat()
const roomOf = (path: string) => path.split('/')[1]!.replace(/\.ts$/, '')

test('every room (entry of src) has a line in the picture and a paragraph in docs/architecture.md', () => {
  const rooms = [...new Set(sources.map(({ path }) => roomOf(path)))].sort()
  expect(lines.filter((line) => !line.includes('/')).sort()).toEqual(rooms)
  const text = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
  expect([...text.matchAll(/\*\*`([\w-]+)`\*\*/g)].map(([, room]) => room).sort()).toEqual(rooms)
})

test('the table of sizes in docs/architecture.md has every room: npm run walks', () => {
  const text = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
  const table = MEASURED.exec(text)?.[1] ?? ''
  const sized = [...table.matchAll(/^\| ([\w-]+) \| \d+ \|/gm)].map(([, room]) => room)
  expect(sized).toEqual(lines.filter((line) => !line.includes('/')))
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

/** Returns the links of the walks to source files. */
const linksOf = (text: string) =>
  [...text.matchAll(/\[([^\]]+)\]\(\.\.\/\.\.\/(src\/[^)]+)\)/g)].map(([, name = '', path = '']) => ({ name, path }))
const MEASURED = /<!-- measured: npm run walks -->([\s\S]*?)<!-- end -->/
const walks = WALK_NAMES.map((name) => ({ name, text: readFileSync(join(ROOT, walkPage(name)), 'utf8') }))
const ran = walks.flatMap(({ text }) => linksOf(MEASURED.exec(text)?.[1] ?? ''))

test('each file in the tables of docs/walks exists: npm run walks', () => {
  expect(ran.length).toBeGreaterThan(100)
  expect(ran.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([])
})

test('each step of a walk names its file by its path, and the file ran when the walks were measured', () => {
  const measured = new Set(ran.map(({ path }) => path))
  const wrong = walks.flatMap(({ name, text }) => {
    const own = linksOf(text.replace(MEASURED, ''))
    expect([name, stepsOf(name).flat().length > 10, own.length > 10]).toEqual([name, true, true])
    return own.filter((link) => `src/${link.name}` !== link.path || !measured.has(link.path))
  })
  expect(wrong).toEqual([])
})
