import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BANDS } from '../scripts/architecture.ts'
import { ROOT, readSources } from './source-graph.ts'

const sources = readSources('src/**/*.ts')
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
