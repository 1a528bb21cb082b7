import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type ChunkingContext, type CodeSplittingGroup, type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { trimmed } from './trimmed.ts'

export const ROOT = dirname(import.meta.dirname)

export const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }

/**
 * Chunks that are made by hand, by their modules. To find and open a file costs a start more than to read a function that is not called,
 * so what most commands need is together.
 */
const TOGETHER: readonly { name: string; modules: RegExp; loads?: RegExp }[] = [
  { name: 'database-file', modules: /^src\/(state\/|disk\/sqlite)/, loads: /^node:sqlite$/ },
  {
    name: 'everyday',
    modules:
      /^src\/(disk\/(?!append)|profiles\/|(migration|postgres\/address|text\/(masking|unreadable)|terminal\/(format|progress|table)|domain\/(identifiers|rut|signature-settings)|commands\/(asking|global-options|option-values|secret-strength))\.ts$)/,
  },
]

/** What no chunk of `TOGETHER` brings unless it says so: packages, and modules of Node that are heavy. */
const HEAVY = /^node:(child_process|crypto|http|https|http2|sqlite|tls|worker_threads)$|\/node_modules\//

/**
 * Bundles `src/main.ts` into CommonJS: a small core, and a chunk for each part that is imported lazily; the thread that reads the inbox; and
 * what the launcher completes words with.
 * CommonJS because Node starts it fastest: no asynchronous loader, and built-in modules load without touching every export.
 * @param dir the folder to write to
 */
export async function bundle(dir: string): Promise<OutputChunk[]> {
  const program = await bundleOne(dir, { main: 'src/main.ts' }, [{ name: togetherWith, debugName: 'together' }])
  // By itself: what it shared with the program would be a chunk that every start loads beside the main one.
  const thread = await bundleOne(dir, { 'inbox-worker': 'src/receiver/file/inbox-worker.ts' })
  const completion = await bundleOne(dir, { 'prepared-completion': 'src/commands/completion/prepared.ts' })
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
    plugins: [trimmed, plain],
    transform: { define: { BNPL_VERSION: JSON.stringify(VERSION) } },
  })
  const { output } = await build.write({
    dir,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    codeSplitting: groups !== undefined && { groups, includeDependenciesRecursively: false },
    // Names stay as they are: a fault's place in the code can then be understood without a source map.
    minify: { compress: true, mangle: false, codegen: true },
    comments: false,
  })
  return output.filter((each) => each.type === 'chunk')
}

/** The chunk that a module has to be in, or null. What is loaded at start is inside the main chunk. */
function togetherWith(id: string, graph: ChunkingContext): string | null {
  const name = relative(ROOT, id).replaceAll('\\', '/')
  if (loadedBy(graph, join(ROOT, 'src', 'main.ts')).has(id)) return 'main'
  const chunk = TOGETHER.find(({ modules }) => modules.test(name))
  if (chunk === undefined) return null
  const heavy = [...loadedBy(graph, id)].filter((each) => HEAVY.test(each) && !chunk.loads?.test(each))
  return heavy.length === 0 ? chunk.name : null
}

/** A module and everything that is loaded before it runs. */
function loadedBy(graph: ChunkingContext, id: string, seen = new Set<string>()): Set<string> {
  if (seen.has(id)) return seen
  seen.add(id)
  for (const each of graph.getModuleInfo(id)?.importedIds ?? []) loadedBy(graph, each, seen)
  return seen
}

/**
 * Writes what is not ASCII as escapes: V8 then keeps a file as one byte a character, and reads it in half the time. And leaves out where a
 * chunk loads the bundler's own functions and takes none of them.
 */
const plain: Plugin = {
  name: 'plain',
  generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (file.type !== 'chunk') continue
      const code = file.code.replace(/(?<=[;,])require\("\.\/rolldown-runtime\.cjs"\)(?=[;,])/, '0')
      file.code = code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    }
  },
}
