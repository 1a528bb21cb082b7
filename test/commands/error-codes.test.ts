import { expect, test } from 'vitest'
import { ERROR_CODES } from '../../src/contract/failures/kinds.ts'
import { readSources } from '../kit/source-graph.ts'

interface Node {
  type: string
  [field: string]: any
}

/** A code in the sources, and the kind of the error that it is given to; the kind is undefined if it is not written beside the code. */
interface Written {
  code: string
  kind: string | undefined
  path: string
}

const CODE = /^[A-Z]+(_[A-Z0-9]+)*$/

/** The functions that make an error of the kind of their name. Their third argument is the code. */
const MAKERS = ['usage', 'config']

/** Returns the codes that are arguments of `usage` and `config`, or values of a property `code`, together with all that they may be. */
function codesIn(path: string, program: unknown): Written[] {
  const written: Written[] = []
  const visit = (value: unknown, above: readonly Node[]): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, above)
    else if (typeof value === 'object' && value !== null) {
      const node = value as Node
      if (node.type === 'Literal' && CODE.test(String(node.value)) && isCode(node, above))
        written.push({ code: String(node.value), kind: kindAround(above), path })
      const inner = typeof node.type === 'string' ? [...above, node] : above
      for (const each of Object.values(node)) visit(each, inner)
    }
  }
  visit(program, [])
  return written
}

/** Whether a literal is a code: the value of a property `code`, or the third argument of `usage` or `config`, also as one of two choices. */
function isCode(literal: Node, above: readonly Node[]): boolean {
  const chosen = above.findLastIndex(({ type }) => type !== 'ConditionalExpression' && type !== 'LogicalExpression')
  const [holder, value] = [above[chosen], above[chosen + 1] ?? literal]
  if (holder?.type === 'Property') return holder.key.name === 'code'
  return holder?.type === 'CallExpression' && MAKERS.includes(holder.callee.name) && holder.arguments[2] === value
}

function kindAround(above: readonly Node[]): string | undefined {
  const made = above.findLast(
    ({ type, callee }) =>
      (type === 'CallExpression' && MAKERS.includes(callee.name)) ||
      (type === 'NewExpression' && callee.name === 'BnplError'),
  )
  return made?.type === 'CallExpression' ? made.callee.name : made?.arguments[0].value
}

/** Codes of the service, of the system and of libraries, which `explain` knows from other tables or does not know. */
const OF_OTHERS = /^(ERR_|HTTP_|E[A-Z]+$)/

/** These begin the codes of errors about a store, such as STATE_NEWER. */
const OF_STORES = /^(STATE|SANDBOX_DATA)_(NEWER|FOREIGN)$/

/** The beginning of such a code, which is no code itself. */
const STORE_WORD = 'STATE'

const sources = readSources('src/**/*.ts').filter(({ path }) => path !== 'src/contract/failures/kinds.ts')
const written = sources
  .flatMap(({ path, program }) => codesIn(path, program))
  .filter(({ code }) => !OF_OTHERS.test(code) && code !== STORE_WORD)

test('explain knows every code that the sources give to an error, with its kind', () => {
  expect(written.length).toBeGreaterThan(200)
  const known = Object.entries(ERROR_CODES).flatMap(([kind, codes]) => codes.map((code) => `${kind} ${code}`))
  const missing = written.filter(({ code, kind }) =>
    kind === undefined ? !known.some((each) => each.endsWith(` ${code}`)) : !known.includes(`${kind} ${code}`),
  )
  expect(missing).toEqual([])
})

test('explain knows no code that the sources do not contain', () => {
  const text = sources.map((source) => source.text).join('\n')
  const gone = Object.values(ERROR_CODES)
    .flat()
    .filter((code) => !text.includes(`'${code}'`) && !OF_STORES.test(code))
  expect(gone).toEqual([])
})
