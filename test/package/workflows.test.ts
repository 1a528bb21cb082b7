import { globSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from '../kit/source-graph.ts'

/** The parser of GitHub, as far as it is used here. */
interface Parser {
  parseWorkflow(file: { name: string; content: string }, trace: unknown): { context: Context; value?: unknown }
  convertWorkflowTemplate(context: Context, value: unknown): Promise<unknown>
  NoOperationTraceWriter: new () => unknown
}

interface Context {
  errors: { getErrors(): { message: string }[] }
}

interface Step {
  uses?: string
  run?: string
}

const PARSER: string = '@actions/workflow-parser'
let parser: Parser
// The package imports JSON as bundlers do, without naming the type.
const hooks = registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    return found.url.endsWith('.json') ? { ...found, importAttributes: { type: 'json' } } : found
  },
})
beforeAll(async () => {
  parser = await import(PARSER)
})
afterAll(() => hooks.deregister())

async function mistakes(content: string): Promise<string[]> {
  const { parseWorkflow, convertWorkflowTemplate, NoOperationTraceWriter } = parser
  const { context, value } = parseWorkflow({ name: 'workflow.yml', content }, new NoOperationTraceWriter())
  if (value !== undefined) await convertWorkflowTemplate(context, value)
  return context.errors.getErrors().map(({ message }) => message)
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const blocks = globSync('docs/*.md', { cwd: ROOT }).flatMap((path) =>
  [...read(path).matchAll(/^( *)```yaml[^\n]*\n([\s\S]*?)^\1```$/gm)].map(([, indent = '', text = '']) => ({
    path,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  })),
)
const WORKFLOWS = [
  ...globSync('docs/ci/*.yml', { cwd: ROOT }).map((path) => ({ path, text: read(path) })),
  ...blocks.filter(({ text }) => /^jobs:/m.test(text)),
]

test('the docs contain the workflow that publishes, and the one for Windows and macOS', () => {
  expect(WORKFLOWS.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['docs/ci/windows-macos.yml', 'docs/releasing.md']),
  )
})

test.each(WORKFLOWS)('a workflow of $path has no mistake, and runs only scripts that exist', async ({ text }) => {
  expect(await mistakes(text)).toEqual([])
  const { jobs } = parse(text) as { jobs: Record<string, { steps?: Step[] }> }
  const lines = Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run = '' }) => run.split('\n')))
  const { scripts } = JSON.parse(read('package.json'))
  const named = lines.flatMap((line) => /^npm run ([\w:-]+)/.exec(line)?.[1] ?? [])
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
})

const job = (rest: string, head = 'on: push') =>
  `${head}\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: x\n${rest}`

test.each([
  ['an unknown event', job('', 'on: pussh'), "Unexpected value 'pussh'"],
  ['an unknown key of a step', job('        shel: pwsh'), "Unexpected value 'shel'"],
  ['an unknown context', job('        if: matrx.os'), "Unrecognized named-value: 'matrx'"],
  ['an expression that is not closed', job('        name: ${{ matrix.os'), 'not closed'],
  ['an unknown function', job('        if: isWindows()'), "Unrecognized function: 'isWindows'"],
  ['a job that needs another one, which is missing', job('    needs: build'), 'at least one job with no dependencies'],
  ['a step that does nothing', job('      - name: x'), 'not enough info'],
])('the check of workflows finds %s', async (_, text, message) => {
  expect((await mistakes(text)).join('\n')).toContain(message)
})
