import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './source-graph.ts'

/**
 * Returns the test files that name each row of the promises in a title: `row 6: …` and `rows 34, 35 and 36: …` at its beginning, or in
 * brackets at its end: `… [attack 7]`, `… [row 111, page 1.2]`.
 */
export function rowTitles(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const path of globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: ROOT }).sort()) {
    if (path === 'test/promises.test.ts') continue
    for (const name of rowsNamed(readFileSync(join(ROOT, path), 'utf8'))) {
      found.set(name, [...(found.get(name) ?? []), path])
    }
  }
  return found
}

/** Returns the rows that the titles in a text name. */
export function rowsNamed(text: string): Set<string> {
  const named = new Set<string>()
  for (const [, list = ''] of text.matchAll(/(?:['"`]|; )rows? (\d+(?:(?:, | and | to )\d+)*): /g)) {
    for (const [, from, to] of list.matchAll(/(\d+)(?: to (\d+))?/g)) {
      for (let number = Number(from); number <= Number(to ?? from); number++) named.add(`row ${number}`)
    }
  }
  for (const [, list = ''] of text.matchAll(/ \[((?:(?:, )?(?:row|attack|database|page) [\d.]+)+)\]['"`]/g)) {
    for (const name of list.split(', ')) named.add(name)
  }
  return named
}
