import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { Visitor } from 'rolldown/utils'

/**
 * V8 compiles a function when it is called for the first time, and Node's cache of compiled code contains only what was compiled while a file
 * was loaded. So without this step, every start of the program would compile again some 300 functions, which takes 3 ms.
 */

interface Start {
  words: readonly string[]
  language?: string
  env?: Readonly<Record<string, string>>
  exit?: number
}

const EVALUATE = ['evaluate', '--rut', '11222333-9', '--amount', '250000']

/**
 * Returns commands whose starts show which functions are needed: without an account, with one, with a call, and with a file; and in another
 * language, of which each needs the same functions. None of them leaves this machine.
 * @param program the path of the program
 * @param file the path of a file with transactions
 */
const startsOf = (program: string, file: string): readonly Start[] => [
  { words: ['explain', 'ERR_CUSTOMER_NOT_APPROVED'] },
  { words: ['history', '--json'] },
  { words: ['profiles', 'list', '--json'] },
  {
    words: [...EVALUATE, '--dry-run'],
    env: { BNPL_BASE_URL: 'http://127.0.0.1:9', BNPL_API_KEY: 'key', BNPL_ENTITY_ID: 'entity' },
  },
  { words: [...EVALUATE, '-p', 'sandbox', '--json'] },
  // The sandbox has none of these transactions.
  { words: ['sandbox', 'run', '--', process.execPath, program, 'verify', '--from', file], exit: 10 },
  { words: ['explain', 'ERR_CUSTOMER_NOT_APPROVED'], language: 'es' },
  // A text with a value.
  { words: ['explain', '9'], language: 'es' },
  { words: ['history'], language: 'es' },
]

/**
 * Runs the program in a folder, and rewrites its chunks so that V8 compiles the functions that ran together with the file. V8 does so for a
 * function in parentheses.
 * @param dir the folder with `main.cjs`
 */
export function compileAtOnce(dir: string): void {
  for (const [name, ran] of functionsThatRan(dir)) {
    const path = join(dir, name)
    writeFileSync(path, inParentheses(readFileSync(path, 'utf8'), ran))
  }
}

/** The places of functions in a chunk, as `start:end`. */
type Places = ReadonlySet<string>

interface Coverage {
  result: { url: string; functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[] }[]
}

/** Returns the functions of each chunk that ran in one of the starts. Throws if a start fails. */
function functionsThatRan(dir: string): Map<string, Places> {
  const home = mkdtempSync(join(tmpdir(), 'bnpl-build-'))
  try {
    const coverage = join(home, 'coverage')
    mkdirSync(coverage)
    const file = join(home, 'transactions.csv')
    writeFileSync(file, 'externalTrxId\norder-1\norder-2\n')
    const program = join(dir, 'main.cjs')
    for (const { words, language = 'en', env, exit = 0 } of startsOf(program, file)) {
      const { status, stderr } = spawnSync(process.execPath, [program, ...words], {
        timeout: 120_000,
        env: {
          PATH: process.env.PATH,
          // Windows starts no program without it.
          SystemRoot: process.env.SystemRoot,
          HOME: home,
          BNPL_LANG: language,
          BNPL_CONFIG_DIR: join(home, 'config'),
          BNPL_STATE_DIR: join(home, 'state'),
          NODE_V8_COVERAGE: coverage,
          ...env,
        },
      })
      if (status !== exit) throw new Error(`bnpl ${words.join(' ')} ended with ${status}: ${stderr}`)
    }
    return placesIn(readdirSync(coverage).map((name) => JSON.parse(readFileSync(join(coverage, name), 'utf8'))))
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function placesIn(coverages: readonly Coverage[]): Map<string, Places> {
  const places = new Map<string, Set<string>>()
  for (const { url, functions } of coverages.flatMap(({ result }) => result)) {
    if (!url.startsWith('file:') || !url.endsWith('.cjs')) continue
    const ofChunk = places.get(basename(url)) ?? new Set()
    places.set(basename(url), ofChunk)
    for (const { ranges } of functions)
      if (ranges[0] !== undefined && ranges[0].count > 0) ofChunk.add(`${ranges[0].startOffset}:${ranges[0].endOffset}`)
  }
  return places
}

/**
 * Returns the code with parentheses around the functions at the given places. A declaration cannot have them, so it becomes a variable at
 * the beginning of the chunk, where it exists as early as before.
 */
export function inParentheses(code: string, ran: Pick<Places, 'has'>): string {
  const program = parseAst(code)
  const [first] = program.body
  if (first !== undefined && 'directive' in first && first.directive)
    throw new Error('the chunk begins with a directive')
  const needed = ({ start, end }: { start: number; end: number }) => ran.has(`${start}:${end}`)
  const added = new Map<number, string>()
  const add = (at: number, text: string) => added.set(at, (added.get(at) ?? '') + text)
  const methods = new Set<object>()
  const enclose = (node: { start: number; end: number }) => {
    if (!needed(node) || methods.has(node)) return
    add(node.start, '(')
    add(node.end, ')')
  }
  new Visitor({
    MethodDefinition: ({ value }) => void methods.add(value),
    Property: ({ value, method, kind }) => void ((method || kind !== 'init') && methods.add(value)),
    ArrowFunctionExpression: enclose,
    FunctionExpression: enclose,
  }).visit(program)
  const places = [...added.keys()].sort((a, b) => a - b)
  /** Returns a part of the code that contains whole functions. */
  const part = (start: number, end: number): string => {
    let text = ''
    let from = start
    for (const at of places) {
      if (at < start || at > end) continue
      text += code.slice(from, at) + added.get(at)
      from = at
    }
    return text + code.slice(from, end)
  }
  let head = ''
  let rest = ''
  let from = 0
  for (const node of program.body) {
    if (node.type !== 'FunctionDeclaration' || node.id === null || !needed(node)) continue
    head += `var ${node.id.name}=(${part(node.start, node.end)});`
    rest += part(from, node.start)
    from = node.end
  }
  return head + rest + part(from, code.length)
}
