import { createProgram, loadAll } from '../../src/cli.ts'
import type { World } from '../../src/context.ts'

/** Returns every `bnpl …` in the shell blocks of a Markdown text, as words. Variables and substitutions stay as they are written. */
export function commandLines(markdown: string): string[][] {
  const blocks = [...markdown.matchAll(/^```(?:sh|bash)[^\n]*\n([\s\S]*?)^```$/gm)].map(([, block]) => String(block))
  return blocks.flatMap((block) => {
    const words = block.replace(/\\\n/g, ' ').replace(/(^|\s)#.*$/gm, '')
    return [...words.matchAll(/(?:^|[\s;&|(])bnpl ((?:"[^"]*"|'[^']*'|[^\n"'|&;<>()])*)/g)].map(([, line]) =>
      [...String(line).matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, ...forms]) => String(forms.find(Boolean) ?? '')),
    )
  })
}

/** @returns what is wrong with a command line according to the command tree; empty if it could be run */
export async function complaints(words: readonly string[]): Promise<string[]> {
  const world = { version: '0.0.0' } as World
  const program = createProgram(world, () => {})
  await loadAll(program, world)
  let command = program
  let at = 0
  for (; at < words.length; at++) {
    const next = command.commands.find((each) => [each.name(), ...each.aliases()].includes(String(words[at])))
    if (!next) break
    command = next
  }
  if (command.commands.length > 0 && words[at] !== undefined && !words[at]?.startsWith('-'))
    return [`no such command: ${words[at]}`]
  const { unknown } = command.parseOptions(words.slice(at))
  return program.parseOptions(unknown).unknown.map((word) => `no such option: ${word}`)
}
