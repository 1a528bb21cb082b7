/**
 * Prints how much there is: files and lines of each room, small files, `import()`, the files that an amount, a row of a file, a webhook and a
 * request to the sandbox meet, the words of the documentation and of each page, and the lines of the tests. `npm run survey` prints it for this checkout,
 * `npm run survey -- --json` as JSON. `scripts/walks.ts` counts the files that a value meets.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, readSources } from '../test/kit/source-graph.ts'
import { linesOf, measureWalks, roomSizes } from './walks.ts'

/** A file under this many lines with one reader is better a part of its reader. */
const SMALL_LINES = 80

const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const found = (pattern: string) => globSync(pattern, { cwd: ROOT }).map((path) => path.replaceAll('\\', '/'))
const add = (numbers: number[]) => numbers.reduce((sum, each) => sum + each, 0)

const sources = readSources('src/**/*.ts')

function smallFilesWithOneReader(): string[] {
  const readers = new Map<string, Set<string>>()
  for (const { path, imports } of sources)
    for (const { target } of imports) readers.set(target, (readers.get(target) ?? new Set()).add(path))
  return sources
    .filter(({ path, text }) => text.split('\n').length - 1 < SMALL_LINES && readers.get(path)?.size === 1)
    .map(({ path }) => path)
}

const wordsOf = (path: string) => textOf(path).split(/\s+/).filter(Boolean).length
const words = (pattern: string) => add(found(pattern).map(wordsOf))

const rooms = roomSizes()
const met = await measureWalks()
const small = smallFilesWithOneReader()
const tests = found('{src,test}/**/*.test.ts')
const kit = found('test/**/*.{ts,js,cjs}').filter((path) => !path.endsWith('.test.ts'))
const all = {
  rooms,
  files: add(rooms.map(({ files }) => files)),
  lines: add(rooms.map(({ lines }) => lines)),
  smallFilesWithOneReader: small.length,
  lazyImports: add(sources.map(({ imports }) => imports.filter(({ lazy }) => lazy).length)),
  met: Object.fromEntries(Object.entries(met).map(([what, files]) => [what, files.length])),
  wordsOfDocs: words('{README.md,docs/**/*.md}'),
  wordsOfChangelog: words('CHANGELOG.md'),
  wordsOfPages: Object.fromEntries(found('{README.md,docs/*.md}').map((path) => [path, wordsOf(path)])),
  testFiles: tests.length,
  linesOfTests: add([...tests, ...kit].map(linesOf)),
}
if (process.argv.includes('--json')) console.log(JSON.stringify({ ...all, small, metFiles: met }, null, 2))
else {
  for (const { room, files, lines } of all.rooms)
    console.log(`${room.padEnd(14)} ${String(files).padStart(5)} files ${String(lines).padStart(7)} lines`)
  console.log(`${'all'.padEnd(14)} ${String(all.files).padStart(5)} files ${String(all.lines).padStart(7)} lines`)
  console.log(
    `${all.smallFilesWithOneReader} files under ${SMALL_LINES} lines with one reader; ${all.lazyImports} import()`,
  )
  for (const [what, count] of Object.entries(all.met)) console.log(`${what} meets ${count} files`)
  console.log(`${all.wordsOfDocs} words of documentation, and ${all.wordsOfChangelog} in the changelog`)
  for (const [page, count] of Object.entries(all.wordsOfPages).sort(([, a], [, b]) => b - a))
    console.log(`${String(count).padStart(7)} words ${page}`)
  console.log(`${all.testFiles} files of tests; ${all.linesOfTests} lines with what they share`)
}
