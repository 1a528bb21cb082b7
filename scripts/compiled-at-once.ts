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

/**
 * Commands whose starts show which functions are needed: without an account, with one, and with a call; and in another language, of which
 * each needs the same functions. None of them uses the network.
 */
const STARTS: readonly (readonly [words: string, language?: string])[] = [
  ['explain ERR_CUSTOMER_NOT_APPROVED'],
  ['history --json'],
  ['profiles list --json'],
  ['evaluate --rut 11222333-9 --amount 250000 --dry-run'],
  ['evaluate --rut 11222333-9 --amount 250000 -p sandbox --json'],
  ['explain ERR_CUSTOMER_NOT_APPROVED', 'es'],
  ['history', 'es'],
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
    for (const [words, language = 'en'] of STARTS) {
      const { status, stderr } = spawnSync(process.execPath, [join(dir, 'main.cjs'), ...words.split(' ')], {
        env: {
          PATH: process.env.PATH,
          // Windows starts no program without it.
          SystemRoot: process.env.SystemRoot,
          HOME: home,
          BNPL_LANG: language,
          BNPL_CONFIG_DIR: join(home, 'config'),
          BNPL_STATE_DIR: join(home, 'state'),
          BNPL_BASE_URL: words.includes('--dry-run') ? 'http://127.0.0.1:9' : undefined,
          BNPL_API_KEY: words.includes('--dry-run') ? 'key' : undefined,
          BNPL_ENTITY_ID: words.includes('--dry-run') ? 'entity' : undefined,
          NODE_V8_COVERAGE: coverage,
        },
      })
      if (status !== 0) throw new Error(`bnpl ${words} ended with ${status}: ${stderr}`)
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
