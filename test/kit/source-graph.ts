import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { parseSync } from 'rolldown/utils'

/** One import of a source file: the imported module, and whether it is loaded when the program runs. */
export interface Import {
  /** The imported module: a path from the repository's root (`src/errors.ts`), a package (`zod`), or a module of Node (`node:fs`). */
  target: string
  /** Whether only types are imported, which do not exist when the program runs. */
  typeOnly: boolean
  /** Whether this is an `import()`, which is loaded when the line runs. */
  lazy: boolean
  /** The imported names, as the module exports them; empty for `import()` and for the import of a whole module. */
  names: readonly string[]
}

export interface SourceFile {
  path: string
  text: string
  imports: readonly Import[]
  /** The syntax tree, in ESTree's shape. It is made when it is first asked for. */
  readonly program: unknown
  exports: readonly { name: string | null; from: string | undefined }[]
}

export const ROOT = dirname(dirname(import.meta.dirname))

/**
 * Reads and parses the files of a pattern. Tests are left out unless the pattern names them. Paths are from the repository's root, with
 * `/`.
 */
export function readSources(pattern: string): SourceFile[] {
  const paths = globSync(pattern, { cwd: ROOT }).map((path) => path.replaceAll('\\', '/'))
  return paths
    .filter((path) => pattern.endsWith('.test.ts') || !path.endsWith('.test.ts'))
    .sort()
    .map((path) => {
      const file = parsed.get(path) ?? readSource(path)
      parsed.set(path, file)
      return file
    })
}

/** The parsed files by their paths, because several tests read the same files. */
const parsed = new Map<string, SourceFile>()

function readSource(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const read = parseSync(path, text)
  const { module, errors } = read
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const imports: Import[] = []
  for (const { moduleRequest, entries } of module.staticImports) {
    const typeOnly = entries.length > 0 && entries.every(({ isType }) => isType)
    const names = entries.flatMap(({ importName }) => importName.name ?? [])
    imports.push({ target: resolve(path, moduleRequest.value), typeOnly, lazy: false, names })
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const name = text.slice(moduleRequest.start, moduleRequest.end).replace(/^['"]|['"]$/g, '')
    imports.push({ target: resolve(path, name), typeOnly: false, lazy: true, names: [] })
  }
  const exported = module.staticExports.flatMap(({ entries }) => entries)
  for (const { moduleRequest, isType } of exported) {
    if (moduleRequest)
      imports.push({ target: resolve(path, moduleRequest.value), typeOnly: isType, lazy: false, names: [] })
  }
  const exports = exported.map(({ exportName, moduleRequest }) => ({
    name: exportName.kind === 'Default' ? 'default' : exportName.name,
    from: moduleRequest?.value,
  }))
  return {
    path,
    text,
    imports,
    exports,
    get program() {
      return read.program
    },
  }
}

function resolve(from: string, name: string): string {
  return name.startsWith('.') ? posix.join(posix.dirname(from), name) : name
}

/** Returns everything that is loaded with a file before it runs: our files, packages and modules of Node. */
export function loadedWith(files: readonly SourceFile[], start: string): Set<string> {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const seen = new Set<string>()
  const visit = (path: string) => {
    if (seen.has(path)) return
    seen.add(path)
    for (const { target, typeOnly, lazy } of byPath.get(path)?.imports ?? []) if (!typeOnly && !lazy) visit(target)
  }
  visit(start)
  return seen
}

/** Returns the names that a program uses or declares: every identifier except the keys of objects and members. */
export function identifiersOf(node: unknown, found: Set<string> = new Set(), asKey = false): Set<string> {
  if (Array.isArray(node)) {
    for (const each of node) identifiersOf(each, found)
    return found
  }
  if (typeof node !== 'object' || node === null) return found
  const { type, name, computed, shorthand } = node as Record<string, unknown>
  if (type === 'Identifier' && !asKey) found.add(String(name))
  for (const [key, child] of Object.entries(node)) {
    identifiersOf(child, found, !computed && !shorthand && (key === 'property' || key === 'key'))
  }
  return found
}

/** A node of a syntax tree, in ESTree's shape. Positions are offsets in the text. */
interface TreeNode {
  type: string
  start: number
  end: number
  typeAnnotation?: { typeName?: { name?: string } }
  body?: unknown
}

/** Returns every node of a tree for which `wanted` is true. */
export function nodesOf(tree: unknown, wanted: (node: TreeNode) => boolean, found: TreeNode[] = []): TreeNode[] {
  if (Array.isArray(tree)) for (const each of tree) nodesOf(each, wanted, found)
  else if (typeof tree === 'object' && tree !== null) {
    if (isTreeNode(tree) && wanted(tree)) found.push(tree)
    for (const child of Object.values(tree)) nodesOf(child, wanted, found)
  }
  return found
}

const isTreeNode = (value: object): value is TreeNode => 'type' in value && 'start' in value && 'end' in value
