import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** A node of a parsed script, as far as it is used here. */
interface Node {
  type: string
  text: string
  hasError: boolean
  children: Node[]
  descendantsOfType(type: string): Node[]
}

interface TreeSitter {
  Parser: {
    init(): Promise<void>
    new (): { setLanguage(language: unknown): void; parse(text: string): { rootNode: Node } }
  }
  Language: { load(wasm: Uint8Array): Promise<unknown> }
}

const require = createRequire(import.meta.url)

async function parser() {
  const { Parser, Language } = require('@vscode/tree-sitter-wasm') as TreeSitter
  await Parser.init()
  const made = new Parser()
  const grammar = require.resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-powershell.wasm')
  made.setLanguage(await Language.load(readFileSync(grammar)))
  return made
}

let made: ReturnType<typeof parser> | undefined

/**
 * Parses a script as PowerShell 7 does.
 * @throws if the script is not PowerShell
 */
export async function powerShell(script: string): Promise<Node> {
  made ??= parser()
  // The grammar does not know `--` and a comma inside of a word. PowerShell reads both as parts of words.
  const words = script.replaceAll(/"[^"\n]*"|'[^'\n]*'|(?<= )--(?= )|(?<=\w),(?=\w)/g, (found) =>
    found === '--' ? '"--"' : found === ',' ? '.' : found,
  )
  const { rootNode } = (await made).parse(words)
  if (rootNode.hasError) throw new Error(`not PowerShell: ${script}`)
  return rootNode
}

/** Returns the arguments of the commands of a script, as PowerShell passes them on. A list passes each of its words. */
export async function argumentsOf(script: string): Promise<string[]> {
  const root = await powerShell(script)
  const leaves = ['generic_token', 'command_parameter', 'string_literal', 'integer_literal', 'real_literal']
  const found = root.descendantsOfType('command_elements').flatMap((elements) => leavesOf(elements, leaves))
  return found.map(({ text }) => {
    if (text.startsWith("'")) return text.slice(1, -1).replaceAll(/(['\u2018-\u201b])\1/g, '$1')
    if (!text.startsWith('"')) return text
    const value = (_: string, escaped = '', unit = '') => escaped || String.fromCharCode(Number(unit))
    return text.slice(1, -1).replaceAll(/`(.)|\$\(\[char\](\d+)\)/gs, value)
  })
}

const leavesOf = (node: Node, types: readonly string[]): Node[] =>
  types.includes(node.type) ? [node] : node.children.flatMap((child) => leavesOf(child, types))

/** The words of a script without those in quotes. */
const plain = (script: string) => script.replaceAll(/"[^"\n]*"|'[^'\n]*'/g, '""')

/**
 * Returns why a script does not do the same in PowerShell 5.1, PowerShell 7, cmd.exe and bash; an empty list if it does. Only lines of a program
 * with plain or quoted words do.
 * @param programs the programs that the script may call
 */
export async function differences(script: string, programs: readonly string[]): Promise<string[]> {
  const found = new Set<string>()
  if (/[\\`^]$/m.test(script)) found.add('each shell continues a line in its own way')
  if (/ -- (.* )?-/.test(plain(script))) found.add('the script of npm for PowerShell removes the first --')
  if (/[^\s,],[^\s,]/.test(plain(script))) found.add('PowerShell makes a list of words with a comma')
  let root: Node
  try {
    root = await powerShell(script)
  } catch {
    return [...found, 'a syntax error in PowerShell']
  }
  const has = (type: string, why: string, isSo: (node: Node) => boolean = () => true) => {
    if (root.descendantsOfType(type).some(isSo)) found.add(why)
  }
  has('pipeline_chain_tail', 'PowerShell 5.1 has no && and no ||')
  for (const type of ['file_redirection_operator', 'generic_token'])
    has(type, 'PowerShell has no <', ({ text }) => text.startsWith('<'))
  has('redirection', 'PowerShell 5.1 writes UTF-16 with >', ({ text }) => !text.startsWith('<'))
  has('variable', 'each shell has its own variables')
  for (const type of ['sub_expression', 'parenthesized_expression']) has(type, 'cmd.exe replaces no $(…)')
  for (const type of ['script_block_expression', 'hash_literal_expression', 'array_expression'])
    has(type, 'braces are code in PowerShell')
  has('command_name', 'another program is needed', ({ text }) => !programs.includes(text))
  has('generic_token', 'no shell of Windows replaces * and ?', ({ text }) => /[*?]/.test(text))
  has('verbatim_string_characters', 'cmd.exe has no single quotes')
  has('pipeline', 'not every shell has the other program of a pipe', (pipeline) =>
    pipeline.children.some((part) => part.children.filter((each) => each.type === 'command').length > 1),
  )
  if (root.descendantsOfType('command').length < script.trim().split('\n').length) found.add('a line is not a command')
  return [...found]
}
