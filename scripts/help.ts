import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Command } from 'commander'
import { createProgram, loadAll, runCli } from '../src/cli.ts'
import { type CommandShape, shapeOf } from '../src/commands/completion/candidates.ts'
import type { World } from '../src/context.ts'
import { inLatin1 } from '../src/language/packing.ts'

/** Returns every help text that the program lists, by the words of its command (`webhooks list`). The key of the top-level help is ''. */
export async function renderHelp(version: string, language = 'en'): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const words of await commandNames(version)) texts[words.join(' ')] = await helpOf(words, version, language)
  return texts
}

/** Returns help texts for the launcher: a line for each, with the words of its command. */
export const toLines = (texts: Readonly<Record<string, string>>): string =>
  Object.entries(texts)
    .map((line) => `${inLatin1(line)}\n`)
    .join('')

/** Returns the whole command tree as data, for completion. */
export async function completionTree(version: string): Promise<CommandShape> {
  // commander has two types for this class. They differ only in the options, which are not read here.
  return shapeOf((await wholeProgram(version)) as unknown as CommandUnknownOpts)
}

async function wholeProgram(version: string): Promise<Command> {
  const world = { version } as World
  const program = createProgram(world, () => {})
  await loadAll(program, world)
  return program
}

async function commandNames(version: string): Promise<string[][]> {
  const program = await wholeProgram(version)
  const under = (command: Command, words: string[]): string[][] => [
    words,
    ...command.commands.flatMap((each) => under(each, [...words, each.name()])),
  ]
  // The scripts of completion call a command that no user types.
  return under(program, []).filter(([name = '']) => !name.startsWith('__'))
}

async function helpOf(words: readonly string[], version: string, language: string): Promise<string> {
  let text = ''
  const io = {
    out: async (data: string) => {
      text += data
    },
    err: () => {},
  }
  const code = await runCli([...words, '--help'], { version, io, env: { BNPL_LANG: language } } as unknown as World)
  if (code !== 0 || text === '') throw new Error(`no help for: ${words.join(' ')}`)
  return text
}
