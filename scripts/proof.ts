/**
 * Prints what is proved by which test, as Markdown, from the titles of the tests: `npm run proof`. `npm run proof -- promises` prints the
 * promises under faults and attacks, `npm run proof -- specification` the sentences of the specification.
 */
import { PROMISES, type Promised } from '../test/kit/promises.ts'
import { rowTitles } from '../test/kit/row-titles.ts'
import { SECTIONS as SENTENCES } from '../test/specification/sections.ts'
import type { Side } from '../test/specification/sentence.ts'
import { named, titlesIn } from '../test/specification/titles.ts'

const row = (...cells: string[]) => `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`
const table = (head: string[], rows: string[]) => [row(...head), `|${'---|'.repeat(head.length)}`, ...rows].join('\n')
const link = (path: string) => `[${path.replace(/^.*\/([^/]+?)(\.test\.ts|\.md)$/, '$1')}](${path})`

function promises(): string {
  const titles = rowTitles()
  const heldBy = ({ name, decision }: Promised) =>
    (titles.get(name) ?? (decision === undefined ? [] : [decision])).map(link).join(', ')
  return Object.entries(PROMISES)
    .map(([part, rows]) => {
      const lines = rows.map((each) => row(each.name.replace(/^row /, ''), each.promise, heldBy(each)))
      return `## ${part}\n\n${table(['row', 'promise', 'tests that prove it'], lines)}\n`
    })
    .join('\n')
}

/** Returns a link that shows the title of the test, without the numbers of rows in brackets at its end. */
function linkToTest(reference: string): string {
  const { path, words } = named(reference)
  const title = titlesIn(path).find((each) => each.includes(words)) ?? words
  const shown = title.replace(/ \[(?:(?:, )?(?:row|attack|database|page|specification) [\w.]+)+\]$/, '')
  return link(path).replace(/\)$/, () => ` "${shown.replaceAll('"', '”')}")`)
}

/** Returns the text with each `<` escaped, except in code, where Markdown would show the backslash. */
const withoutTags = (text: string) => text.replace(/(`[^`]*`)|</g, (_, code?: string) => code ?? '\\<')

function specification(): string {
  const held = (side: Side) => (typeof side === 'string' ? side : [...new Set(side.map(linkToTest))].join(', '))
  let number = 0
  return Object.entries(SENTENCES)
    .map(([section, sentences]) => {
      const lines = sentences.map(({ says, client, sandbox, gaps }) =>
        row(String(++number), `“${withoutTags(says)}”`, held(client), held(sandbox), gaps.join(', ')),
      )
      return `## ${section}\n\n${table(['#', 'sentence of the specification', 'tests of the command line', 'tests of the sandbox', 'gaps'], lines)}\n`
    })
    .join('\n')
}

const PARTS = { promises, specification }

const asked = process.argv.slice(2)
const unknown = asked.filter((part) => !(part in PARTS))
if (unknown.length > 0) {
  console.error(`error: ${unknown.join(', ')}: the parts are ${Object.keys(PARTS).join(' and ')}`)
  process.exitCode = 2
} else {
  for (const [name, print] of Object.entries(PARTS))
    if (asked.length === 0 || asked.includes(name)) console.log(print())
}
