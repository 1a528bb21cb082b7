import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './source-graph.ts'

/** The test files that name each row of the promises in a title: `row 6: …`, `rows 34, 35 and 36: …`, `row 72: …; row 73: …`. */
export function rowTitles(): Map<number, string[]> {
  const found = new Map<number, string[]>()
  for (const path of globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: ROOT }).sort()) {
    if (path === 'test/promises.test.ts') continue
    for (const number of rowsNamed(readFileSync(join(ROOT, path), 'utf8'))) {
      found.set(number, [...(found.get(number) ?? []), path])
    }
  }
  return found
}

/** The numbers that the titles in a text name. */
export function rowsNamed(text: string): Set<number> {
  const named = new Set<number>()
  for (const [, list = ''] of text.matchAll(/(?:['"`]|; )rows? (\d+(?:(?:, | and | to )\d+)*): /g)) {
    for (const [, from, to] of list.matchAll(/(\d+)(?: to (\d+))?/g)) {
      for (let number = Number(from); number <= Number(to ?? from); number++) named.add(number)
    }
  }
  return named
}
