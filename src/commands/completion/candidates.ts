import type { CommandUnknownOpts as Command } from '@commander-js/extra-typings'
import { type StoredCatalogue, textsIn } from '../../language/packing.ts'
import { visible } from '../../text/visible.ts'
import { offeredFor, TOPIC_NAMES } from '../command.ts'

/** A word that can be typed. The values `:files` and `:dirs` ask the shell to complete a file or a folder. */
export interface Completion {
  value: string
  about: string
}

export interface CommandShape {
  name: string
  about: string
  options: OptionShape[]
  arguments: { name: string; variadic: boolean; choices?: readonly string[] | undefined }[]
  commands: CommandShape[]
}

interface OptionShape {
  flags: string
  long?: string | undefined
  short?: string | undefined
  about: string
  hidden: boolean
  required: boolean
  choices?: readonly string[] | undefined
}

/** Returns what completion needs to know about a command and its subcommands. */
export function shapeOf(command: Command): CommandShape {
  return {
    name: command.name(),
    about: command.description(),
    options: command.options.map((each) => ({
      flags: each.flags,
      long: each.long,
      short: each.short,
      about: each.description,
      hidden: each.hidden,
      required: each.required,
      choices: each.argChoices ?? offeredFor(each),
    })),
    arguments: command.registeredArguments.map((each) => ({
      name: each.name(),
      variadic: each.variadic,
      choices: each.argChoices ?? offeredFor(each),
    })),
    commands: command.commands.map(shapeOf),
  }
}

export type ValueKind =
  | 'profile'
  | 'transaction'
  | 'pre-approval'
  | 'code'
  | 'method'
  | 'path'
  | 'endpoint'
  | 'snapshot'
  | 'loan-state'

type Candidates =
  | { found: Completion[] }
  | { wanted: ValueKind; typed: string; prefix: string; profile: string | undefined }

/**
 * Finds what can complete the last word. The options of the typed command must already be loaded.
 * @param root the tree of all commands
 */
export function candidates(root: CommandShape, words: readonly string[]): Candidates {
  const typed = words.at(-1) ?? ''
  const place = walk(root, words.slice(0, -1))
  const { command, above, waiting, values, profile } = place
  if (place.lost) return { found: [] }
  const options = [...(command === root ? [] : command.options), ...root.options].filter(({ hidden }) => !hidden)
  const inline = /^(--[\w-]+)=(.*)$/s.exec(typed)
  const option =
    waiting ?? (inline ? options.find(({ long, short }) => long === inline[1] || short === inline[1]) : undefined)
  if (option) {
    const part = waiting ? typed : (inline?.[2] ?? '')
    const prefix = waiting ? '' : `${inline?.[1]}=`
    return valuesOf(option.flags, option.choices, { typed: part, prefix, profile })
  }
  if (inline) return { found: [] }
  if (typed.startsWith('-'))
    return { found: [...optionNames(options, typed), ...[HELP].filter(({ value }) => value.startsWith(typed))] }
  const commands = command === root ? root.commands : command.commands
  if (commands.length > 0) {
    const shown = commands
      .filter(({ name }) => !name.startsWith('__'))
      .map(({ name, about }) => ({ value: name, about }))
    const topics = place.ofHelp ? TOPIC_NAMES.map((value) => ({ value, about: '' })) : []
    return { found: [...shown, ...topics].filter(({ value }) => value.startsWith(typed)) }
  }
  const argument = command.arguments[Math.min(values, command.arguments.length - 1)]
  if (argument === undefined || (values >= command.arguments.length && !argument.variadic)) return { found: [] }
  const { name, choices } = argument
  const isProfile = above?.name === 'profiles' && command.name !== 'add' && values === 0
  if (isProfile && name === 'name') return { wanted: 'profile', typed, prefix: '', profile }
  if (name === 'method' || name === 'path') return { wanted: name, typed, prefix: '', profile }
  return valuesOf(`<${name}>`, choices, { typed, prefix: '', profile })
}

const FILES: Completion = { value: ':files', about: '' }

export const HELP: Completion = { value: '--help', about: 'show help' }

interface Place {
  command: CommandShape
  above: CommandShape | undefined
  waiting: OptionShape | undefined
  values: number
  profile: string | undefined
  lost: boolean
  /** Whether the next word is the first one after `bnpl help`. */
  ofHelp: boolean
}

function walk(root: CommandShape, words: readonly string[]): Place {
  const place: Place = {
    command: root,
    above: undefined,
    waiting: undefined,
    values: 0,
    profile: undefined,
    lost: false,
    ofHelp: false,
  }
  for (const word of words) {
    if (place.waiting) {
      if (place.waiting.long === '--profile') place.profile = word
      place.waiting = undefined
      continue
    }
    if (word.startsWith('-')) {
      const [name, value] = word.split('=', 2)
      const option = [...place.command.options, ...root.options].find(
        ({ long, short }) => long === name || short === name,
      )
      if (option?.long === '--profile' && value !== undefined) place.profile = value
      if (option?.required && value === undefined) place.waiting = option
      continue
    }
    if (word === 'help' && place.command.commands.length > 0) {
      place.ofHelp = place.command === root
      continue
    }
    place.ofHelp = false
    const next = place.command.commands.find(({ name }) => name === word)
    if (next) {
      place.above = place.command
      place.command = next
    } else if (place.command.commands.length > 0) place.lost = true
    else place.values++
  }
  return place
}

function optionNames(options: readonly OptionShape[], typed: string): Completion[] {
  return options.flatMap(({ long, short, about }) =>
    // `--trx, --external-trx-id` are two long names of one option.
    [short, long].flatMap((value) => (value?.startsWith('--') && value.startsWith(typed) ? [{ value, about }] : [])),
  )
}

function valuesOf(
  flags: string,
  choices: readonly string[] | undefined,
  part: { typed: string; prefix: string; profile: string | undefined },
): Candidates {
  const { typed, prefix } = part
  const name = /[<[]([\w-]+)/.exec(flags)?.[1] ?? ''
  if (choices) {
    const found = choices.filter((each) => each.startsWith(typed)).map((each) => ({ value: prefix + each, about: '' }))
    return { found: name === 'service' ? [...found, FILES] : found }
  }
  if (/^(file|path)$/.test(name) || (name === 'snapshot' && /[/\\]/.test(typed))) return { found: [FILES] }
  if (/^(dir|folder)$/.test(name)) return { found: [{ value: ':dirs', about: '' }] }
  if (/--profile\b/.test(flags) || name === 'profile') return { wanted: 'profile', ...part }
  if (/--(external-trx-id|trx)\b/.test(flags) || name === 'trx') return { wanted: 'transaction', ...part }
  if (/--pre-approve-id\b/.test(flags) || name === 'preApproveId') return { wanted: 'pre-approval', ...part }
  if (/--expect-state\b/.test(flags)) return { wanted: 'loan-state', ...part }
  if (name === 'snapshot') return { wanted: 'snapshot', ...part }
  if (name === 'endpoint') return { wanted: 'endpoint', ...part }
  if (name === 'code') return { wanted: 'code', ...part }
  return { found: [] }
}

/**
 * Returns the words of a command line in the form that `candidates` needs.
 * @param shell the shell that split the line: bash, zsh, fish or powershell
 * @param given the words after `bnpl`, as the shell passes them; for PowerShell one word, which contains the lines of all words in base64
 * @returns `hidden`: the shell keeps this many characters at the beginning of the last word, so they must not be
 * printed again
 */
export function typedWords(shell: string, given: readonly string[]): { words: readonly string[]; hidden: number } {
  if (shell === 'bash') return joinWords(given)
  const words =
    shell === 'powershell'
      ? Buffer.from(given[0] ?? '', 'base64')
          .toString()
          .split('\n')
      : given
  return { words, hidden: 0 }
}

/**
 * Returns the lines that the completion scripts read.
 * @param hidden how many characters to leave out at the beginning of each value, because the shell keeps them
 * @param inLanguage returns a description in the language of the user
 */
export function linesOf(
  found: readonly Completion[],
  hidden: number,
  inLanguage: (about: string) => string = (about) => about,
): string {
  return found
    .map(({ value, about }) => visible(value.slice(hidden)) + (about === '' ? '' : `\t${visible(inLanguage(about))}`))
    .map((line) => `${line}\n`)
    .join('')
}

/** Returns the words of a line. Joins words that bash split at `=` and `:` (its COMP_WORDBREAKS), for example `--profile = ac`. */
function joinWords(given: readonly string[]): { words: string[]; hidden: number } {
  const words: string[] = []
  let kept = 0
  let glue = false
  for (const word of given) {
    const isBreak = word === '=' || word === ':'
    const last = words.at(-1)
    if ((isBreak || glue) && last !== undefined) {
      words[words.length - 1] = last + word
      kept = isBreak ? last.length + 1 : kept
    } else {
      words.push(word)
      kept = 0
    }
    glue = isBreak
  }
  return { words, hidden: kept }
}

/**
 * Returns the output of `bnpl __complete` without loading the whole program, because a shell waits for it at every
 * press of Tab.
 * @param given the words after `bnpl`, as the shell passes them
 * @param catalogue the descriptions in the language of the user; not given for English
 * @returns the lines to print; undefined if they contain values of this machine, which only the whole program can read
 */
export function preparedLines(
  tree: CommandShape,
  shell: string,
  given: readonly string[],
  catalogue?: StoredCatalogue,
): string | undefined {
  const { words, hidden } = typedWords(shell, given)
  const chosen = candidates(tree, words)
  if (!('found' in chosen)) return undefined
  const texts = catalogue === undefined ? undefined : textsIn(catalogue)
  return linesOf(chosen.found, hidden, (about) => texts?.textFor(about) ?? about)
}
