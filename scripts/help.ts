import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Command } from 'commander'
import { extendedIn } from '../src/cli/help-text.ts'
import { createProgram, loadAll, runCli } from '../src/cli.ts'
import { type CommandShape, shapeOf } from '../src/commands/completion/candidates.ts'
import type { World } from '../src/context.ts'

/** Returns every help text of the program, by the words of its command (`webhooks list`). The key of the top-level help is ''. */
export async function renderHelp(version: string, language = 'en'): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const words of await commandNames(version)) texts[words.join(' ')] = await helpOf(words, version, language)
  return texts
}

/**
 * Returns the help texts of all commands for the launcher: a line for each, with the words of the command and a `PreparedHelp`.
 */
export async function preparedHelpTexts(version: string): Promise<string> {
  const lines: string[] = []
  const written: string[] = []
  const world = { version } as World
  const program = createProgram(world, (text) => written.push(text))
  const add = (command: Command, words: string): void => {
    command.outputHelp()
    lines.push(`${inAscii([words, extendedIn(command), ...written.splice(0)])}\n`)
  }
  const addAll = (command: Command, words: string): void => {
    add(command, words)
    for (const each of command.commands) addAll(each, `${words} ${each.name()}`)
  }
  // The help text of the program does not show which commands have options, because they are not loaded then.
  add(program, '')
  await loadAll(program, world)
  for (const each of program.commands) addAll(each, each.name())
  return lines.join('')
}

/** Returns a value as JSON in ASCII, which is read fastest. */
const inAscii = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

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
  return under(program, [])
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
