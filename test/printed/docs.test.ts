import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { generatedDocs } from '../../scripts/docs.ts'
import { COMMANDS } from '../../src/commands/commands.ts'
import { EXPECTATIONS } from '../../src/commands/expectations.ts'
import { EVENTS } from '../../src/contract/events.ts'
import { es } from '../../src/language/es/es.ts'
import { TEXTS } from '../../src/sandbox/languages/languages.ts'
import { machine } from '../kit/harness.ts'
import { ROOT } from '../kit/source-graph.ts'

const DOCS = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT })

test.each(generatedDocs())('the generated tables of $path match the code: npm run docs', ({ is, should }) => {
  expect(is).toBe(should)
})

test('the README contains the commands for the first payment, for the tests and for the installation, word for word', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  expect(readme).toContain('\n```sh\nnpm ci\nnpx bnpl walkthrough -p sandbox --no-input\n```\n')
  expect(readme).toContain('\n```sh\nnpm ci\nnpm test\n```\n')
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(readme).toContain(`\nnpm pack\nnpm install --global --ignore-scripts ./bnpl-${version}.tgz\n`)
})

test('every relative link of the docs points to an existing file', () => {
  for (const path of DOCS) {
    const text = readFileSync(join(ROOT, path), 'utf8')
    for (const [, target] of text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)) {
      expect([path, target, existsSync(join(ROOT, dirname(path), String(target)))]).toEqual([path, target, true])
    }
  }
})

/** The anchors of a page: its headings as GitHub writes them, in lower case and with hyphens for spaces. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

test('every link to a section of the docs points to an existing heading', () => {
  const loose = DOCS.flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*\.md|)#([^)\s]+)\)/g)]
      .map(([, page = '', anchor = '']) => ({ path, page: page === '' ? path : join(dirname(path), page), anchor }))
      .filter(({ page, anchor }) => !anchorsOf(readFileSync(join(ROOT, page), 'utf8')).includes(anchor)),
  )
  expect(loose).toEqual([])
})

test('every source file that the docs name exists', () => {
  const loose = DOCS.flatMap((path) =>
    [
      ...readFileSync(join(ROOT, path), 'utf8').matchAll(
        /`((?:src|test|scripts|bench|deploy)\/[\w./-]+|[\w-]+\/[\w./-]+\.ts)`/g,
      ),
    ]
      .map(([, named = '']) => ({ path, named }))
      .filter(({ named }) => !existsSync(join(ROOT, named)) && !existsSync(join(ROOT, 'src', named))),
  )
  expect(loose).toEqual([])
})

test('the docs name no command that does not exist', () => {
  const known = new Set([...COMMANDS.map(({ name }) => name), 'help'])
  for (const path of DOCS) {
    for (const [, name] of readFileSync(join(ROOT, path), 'utf8').matchAll(
      /(?:^|[`\s(])bnpl ([a-z][a-z-]+)\b(?= [a-zA-Z-]|`|$)/gm,
    )) {
      if (/^\s*bnpl/.test(String(name))) continue
      expect([path, name, known.has(String(name))]).toEqual([path, name, true])
    }
  }
})

/** Returns, for each section of a page, everything that is the same in every language. */
const sectionsOf = (text: string) =>
  text.split(/^(?=#+ )/m).map((section) => {
    const prose = section.replace(/^```[\s\S]*?^```$/gm, '')
    const count = (pattern: RegExp) => [...prose.matchAll(pattern)].length
    return {
      level: /^#*/.exec(section)?.[0],
      blocks: [...section.matchAll(/^```[\s\S]*?^```$/gm)].map(([block]) => block),
      rows: [...prose.matchAll(/^\|.*$/gm)].map(([row]) => row.replaceAll('\\|', '').split('|').length),
      items: count(/^- /gm),
      lines: prose.split('\n').map(factsOf),
    }
  })

/** Returns the commands, options, names and numbers in a line, without their order, which depends on the language. */
function factsOf(line: string): string {
  const codes = line.match(/`[^`]+`/g) ?? []
  // Spanish has 1.000 and 0,5 where English has 1,000 and 0.5.
  const numbers = line.replace(/`[^`]+`|\]\([^)]*\)/g, ' ').match(/\d+(?:[.,]\d+)*/g) ?? []
  return [...codes, ...numbers.map((number) => number.replace(/[.,]/g, ''))].sort().join(' ')
}

const SPANISH_PAGES = globSync('docs/es/*.md', { cwd: ROOT })

/** The marks of tests and generated tables are only in the English README. */
const withoutMarks = (text: string) => text.replace(/^<!-- .* -->\n/gm, '').replace(/^(```\w+) readme=\w+$/gm, '$1')

test('the first five pages are in Spanish', () => {
  expect(SPANISH_PAGES.map((path) => basename(path)).sort()).toEqual([
    'files.md',
    'sandbox.md',
    'the-first-day.md',
    'trouble.md',
    'webhooks.md',
  ])
})

test.each(['README.es.md', ...SPANISH_PAGES])(
  '%s has the sections, the blocks, the rows and the lines of its English page, with the same commands, options, names and numbers',
  (path) => {
    const [spanish, english] = [path, path === 'README.es.md' ? 'README.md' : join('docs', basename(path))].map(
      (each) => sectionsOf(withoutMarks(readFileSync(join(ROOT, each), 'utf8'))),
    )
    expect(spanish).toEqual(english)
  },
)

test('the help of `bnpl webhooks` and the page about webhooks name every event of the service', async () => {
  using m = machine()
  const { stdout } = await m.run('webhooks --help')
  const texts = [
    stdout,
    ...['webhooks.md', 'es/webhooks.md'].map((page) => readFileSync(join(ROOT, 'docs', page), 'utf8')),
  ]
  for (const event of Object.keys(EVENTS)) expect(texts.map((text) => text.includes(event))).toEqual([true, true, true])
})

test('the page about files names everything that verify compares, with its word in `differences`', () => {
  const page = readFileSync(join(ROOT, 'docs/files.md'), 'utf8')
  const [columns = '', outcome = ''] = [/^\| `verify`.*$/m, /^\| `different`.*$/m].map((row) => String(row.exec(page)))
  expect(
    EXPECTATIONS.filter(({ words, kind }) => !columns.includes(words) || !outcome.includes(`\`${kind}\``)),
  ).toEqual([])
})

test('what a Spanish page quotes as printed is printed by the program or shown by the window', () => {
  const trouble = readFileSync(join(ROOT, 'docs/es/trouble.md'), 'utf8')
  const printed = Object.values(es).join('\n')
  const quoted = [...trouble.matchAll(/^\|[^|]*«([^»]+)»(?! \(en inglés\))[^|]*\|/gm)].map(([, text = '']) =>
    text.replace(/\.$/, ''),
  )
  expect(quoted.length).toBeGreaterThan(4)
  expect(quoted.filter((text) => !printed.includes(text))).toEqual([])
  const sandbox = readFileSync(join(ROOT, 'docs/es/sandbox.md'), 'utf8')
  const window = sandbox.split(/^(?=## )/m).filter((section) => /^## (La ventana|Qué cambió)/.test(section))
  const named = [...window.join('').matchAll(/\*\*([^*]+?)(?: …)?\*\*/g)].map(([, text = '']) => text)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((text) => !JSON.stringify(TEXTS.es).includes(text))).toEqual([])
})
