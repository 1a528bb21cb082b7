import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../kit/source-graph.ts'

/** A test that a sentence names: its file, and words of its title. */
interface Named {
  path: string
  words: string
}

/** Reads a reference such as `test/faults/answers: words of the title`. */
export function named(reference: string): Named {
  const end = reference.indexOf(': ')
  return { path: `${reference.slice(0, end)}.test.ts`, words: reference.slice(end + 2) }
}

/** Matches the title of a test: a text that is followed by a function, with or without options between them. */
const TITLE =
  /(?<quote>['"`])(?<title>(?:\\.|(?!\k<quote>)[^\\\n])*)\k<quote>,\s*(?:\{[^}]*\},\s*)?(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>/g

const found = new Map<string, readonly string[]>()

/** Returns the titles of the tests in a file, as they are written there; empty if the file does not exist. */
export function titlesIn(path: string): readonly string[] {
  const before = found.get(path)
  if (before !== undefined) return before
  const file = join(ROOT, path)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const titles = [...text.matchAll(TITLE)].map(({ groups }) => (groups?.title ?? '').replaceAll(/\\(.)/g, '$1'))
  found.set(path, titles)
  return titles
}
