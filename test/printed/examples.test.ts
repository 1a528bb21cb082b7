import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Counter, counter, type Surface } from '../kit/counter.ts'
import {
  blocksOf,
  type Example,
  FIRST_DAY,
  helpExamples,
  LEFT_OUT,
  onThisMachine,
  PAGES,
  UNUSUAL,
  unusual,
} from '../kit/example-lines.ts'
import { ROOT } from '../kit/source-graph.ts'

/** The examples of the help and the docs are run as they are printed, on one machine, first in a pipe and then on a terminal. */

/** Pages whose blocks other tests run, Spanish pages, whose blocks are those of their English pages, and pages for people who work on bnpl itself. */
const ELSEWHERE = [
  ...globSync(['README.es.md', 'docs/es/*.md'], { cwd: ROOT }),
  'docs/recipes.md',
  'CONTRIBUTING.md',
  'docs/releasing.md',
]

const all: Example[] = [...(await helpExamples()), ...PAGES.flatMap((page) => blocksOf(page, { except: FIRST_DAY }))]
const isLeftOut = ({ script }: Example) => LEFT_OUT.some(({ has }) => script.includes(has))
const shown = all.filter((each) => !isLeftOut(each))

let at: Counter
beforeAll(async () => {
  at = await counter()
})
afterAll(() => at[Symbol.asyncDispose]())

test('the shell blocks of every page are run in this file or in another test', () => {
  const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT })
  const forUsers = pages.filter((path) => !path.startsWith(join('docs', 'decisions')))
  const withBlocks = forUsers.filter((path) => /^```(?:sh|bash)/m.test(readFileSync(join(ROOT, path), 'utf8')))
  expect(withBlocks.sort()).toEqual([...PAGES, ...ELSEWHERE].sort())
})

test('every exception for an example matches an existing example', () => {
  expect(shown.length).toBeGreaterThan(150)
  expect(LEFT_OUT.filter(({ has }) => !all.some(({ script }) => script.includes(has)))).toEqual([])
  expect(UNUSUAL.filter((each) => !shown.some((example) => unusual(example) === each))).toEqual([])
})

test.each<Surface>(['pipe', 'terminal'])(
  'each example of the help and the docs exits with the expected code: %s',
  async (surface) => {
    // What only a terminal can spoil is tested for every command in looks.test.ts, so there the pages run, and not the help.
    const examples = surface === 'pipe' ? shown : shown.filter(({ from }) => /\.md$/.test(from))
    const scripts = examples.map((each) => {
      const { given = ':', after = ':' } = unusual(each)
      return `${given}\n{ ${onThisMachine(each.script, at.standIns)}\n}; ended=$?; ${after}; (exit $ended)`
    })
    const ends = await at.run(scripts, surface)
    for (const [i, { code, stdout, stderr }] of ends.entries()) {
      const example = examples[i] as Example
      expect([example, code, stderr]).toEqual([example, unusual(example).code ?? 0, stderr])
      expect([example, /\\u001b|\\x1b/i.exec(stdout + stderr)]).toEqual([example, null])
    }
  },
)
