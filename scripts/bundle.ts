import { readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { type ChunkingContext, type CodeSplittingGroup, type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { readsPackedTexts } from './packed-texts.ts'
import { trimmed } from './trimmed.ts'

export const ROOT = dirname(import.meta.dirname)

export const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }

/** The output options of every bundle. Names are kept, so that the place of an error can be understood without a source map. */
export const MINIFIED = { minify: { compress: true, mangle: false, codegen: true }, comments: false } as const

/** The output options of a bundle of one file. */
export const ONE_FILE = { codeSplitting: false, ...MINIFIED } as const

/**
 * Each entry makes one chunk, of the files of `src` that `modules` matches. A file that several entries match is in the chunk of the first one. The
 * bundler divides all other files into chunks as it likes. Code that most commands need is in one chunk, because opening a second file takes
 * longer than loading code that is not used. `loads` matches the heavy modules of Node that a chunk may import.
 */
export const TOGETHER: readonly { name: string; modules: readonly string[]; loads?: RegExp }[] = [
  // Small files that most commands need. A chunk of each of them would take longer to open than all of them to load.
  { name: 'main', modules: ['contract/form.ts', 'contract/wire.ts', 'domain/sandbox-accounts.ts', 'text/similar.ts'] },
  { name: 'database-file', modules: ['history/*.ts', 'disk/sqlite.ts'], loads: /^node:sqlite$/ },
  {
    name: 'calls',
    modules: ['contract/calls/*.ts', 'contract/statuses.ts', 'contract/failures/{advice,connections}.ts'],
  },
  {
    name: 'client',
    modules: ['client/{client,failure,raw-call,request,retry}.ts', 'contract/compare/data.ts'],
    loads: /\/node_modules\/zod\//,
  },
  { name: 'hints', modules: ['commands/hints.ts', 'contract/failures/codes.ts'] },
  { name: 'payment', modules: ['commands/{payment-steps,payment-tables}.ts', 'domain/installments.ts'] },
  {
    name: 'explain',
    modules: [
      'commands/{explain,explanations}.ts',
      'contract/failures/kinds.ts',
      'contract/gaps.ts',
      'domain/sandbox-faults.ts',
      'language/typed-words.ts',
    ],
  },
  {
    name: 'options',
    modules: [
      'commands/{global-options,option-values}.ts',
      'contract/{kinds,problem,time-limits}.ts',
      'disk/{database-place,failure,kept-files,private,renaming}.ts',
      'domain/{addresses,dates,identifiers,secret}.ts',
      'migration.ts',
      'profiles/profile.ts',
      'terminal/table.ts',
      'text/{file-text,json-text,masking}.ts',
    ],
  },
  {
    name: 'everyday',
    modules: [
      'commands/{file-input,history-notes,service-option}.ts',
      'commands/profiles/{key-check,stored-profile}.ts',
      'contract/{description,integrations,services}.ts',
      'domain/signature-settings.ts',
      'postgres/address.ts',
      'profiles/*.ts',
      'terminal/progress.ts',
      'wiring/{service,settings}.ts',
    ],
  },
]

/** Matches packages and heavy modules of Node. A chunk of `TOGETHER` may import only those that its `loads` matches. */
const HEAVY = /^node:(child_process|crypto|http|https|http2|sqlite|tls|worker_threads)$|\/node_modules\//

/**
 * Bundles the program: a small core, and a chunk for each part that is imported only when it is needed. The format is CommonJS, because
 * Node starts it fastest.
 * @param dir the folder to write to
 */
export async function bundle(dir: string): Promise<OutputChunk[]> {
  const program = await bundleOne(dir, { main: 'src/main.ts' }, [{ name: togetherWith, debugName: 'together' }])
  // Bundle the program and the thread of the inbox separately. In one bundle, the modules that both use would be one more chunk to open.
  const thread = await bundleOne(dir, { 'inbox-worker': 'src/receiver/file/inbox-worker.ts' })
  const completion = await bundleOne(dir, { 'prepared-completion': 'src/commands/completion/candidates.ts' })
  return [...program, ...thread, ...completion]
}

async function bundleOne(
  dir: string,
  input: Record<string, string>,
  groups?: CodeSplittingGroup[],
): Promise<OutputChunk[]> {
  const build = await rolldown({
    cwd: ROOT,
    input,
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    logLevel: 'warn',
    plugins: [trimmed, readsPackedTexts, plain],
    transform: { define: { BNPL_VERSION: JSON.stringify(VERSION) } },
  })
  const { output } = await build.write({
    dir,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    codeSplitting: groups !== undefined && { groups, includeDependenciesRecursively: false },
    ...MINIFIED,
  })
  const chunks = output.filter((each) => each.type === 'chunk')
  refuseCircles(chunks)
  return chunks
}

/** Throws if a chunk imports itself through others: chunks export values, so it would get an export that does not exist yet. */
function refuseCircles(chunks: readonly OutputChunk[]): void {
  const importsOf = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]))
  const reached = (file: string, seen = new Set<string>()): Set<string> => {
    for (const each of importsOf.get(file) ?? []) if (!seen.has(each)) reached(each, seen.add(each))
    return seen
  }
  const circle = chunks.map(({ fileName }) => fileName).filter((file) => reached(file).has(file))
  if (circle.length > 0) throw new Error(`these chunks import each other in a circle: ${circle.join(', ')}`)
}

/**
 * Returns the name of the chunk that must contain a module, or null if the bundler decides. Modules that are loaded at start must be in the
 * main chunk.
 */
function togetherWith(id: string, graph: ChunkingContext): string | null {
  const name = relative(join(ROOT, 'src'), id).replaceAll('\\', '/')
  if (loadedBy(graph, join(ROOT, 'src', 'main.ts')).has(id)) return 'main'
  const chunk = TOGETHER.find(({ modules }) => modules.some((glob) => posix.matchesGlob(name, glob)))
  if (chunk === undefined) return null
  const heavy = [...loadedBy(graph, id)].filter((each) => HEAVY.test(each) && !chunk.loads?.test(each))
  return heavy.length === 0 ? chunk.name : null
}

function loadedBy(graph: ChunkingContext, id: string, seen = new Set<string>()): Set<string> {
  if (seen.has(id)) return seen
  seen.add(id)
  for (const each of graph.getModuleInfo(id)?.importedIds ?? []) loadedBy(graph, each, seen)
  return seen
}

/** An export of a chunk as the bundler writes it: a getter, which each use of the export would call. */
const GETTER = /Object\.defineProperty\(exports,"([\w$]+)",\{enumerable:!0,get:function\(\)\{return ?([^{}]+)\}\}\)/g

/**
 * Exports values in place of getters, which is what makes runs over files quick: no module of the program changes what it exports, and a
 * chunk exports at its end. Escapes all characters outside ASCII, because V8 then stores the code in one byte per character and reads it in half the time. Also
 * removes a `require("./rolldown-runtime.cjs")` whose result is not used, unless the chunk begins with it. So the main chunk loads no
 * other file.
 */
const plain: Plugin = {
  name: 'plain',
  generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (file.type !== 'chunk') continue
      const code = file.code.replace(/(?<=[;,])require\("\.\/rolldown-runtime\.cjs"\)(?=[;,])/, '0')
      file.code = code
        .replace(GETTER, 'exports.$1=$2')
        .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    }
  },
}
