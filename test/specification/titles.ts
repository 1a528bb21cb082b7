import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../source-graph.ts'

/** A test that a sentence names: its file, and words of its title. */
export interface Named {
  path: string
  words: string
}

/** Reads `test/faults/answers: words of the title`. */
export function named(reference: string): Named {
  const end = reference.indexOf(': ')
  return { path: `${reference.slice(0, end)}.test.ts`, words: reference.slice(end + 2) }
}

/** A text that a function follows, with or without options between them: the title of a test. */
const TITLE =
  /(?<quote>['"`])(?<title>(?:\\.|(?!\k<quote>)[^\\\n])*)\k<quote>,\s*(?:\{[^}]*\},\s*)?(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>/g

const found = new Map<string, readonly string[]>()

/** The titles of the tests in a file, as they are written there; none when there is no such file. */
export function titlesIn(path: string): readonly string[] {
  const before = found.get(path)
  if (before !== undefined) return before
  const file = join(ROOT, path)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const titles = [...text.matchAll(TITLE)].map(({ groups }) => (groups?.title ?? '').replaceAll(/\\(.)/g, '$1'))
  found.set(path, titles)
  return titles
}
