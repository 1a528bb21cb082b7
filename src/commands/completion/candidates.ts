import type { CommandUnknownOpts as Command, Option } from '@commander-js/extra-typings'

/** A word that can be typed. The values `:files` and `:dirs` ask the shell to complete a file or a folder. */
export interface Completion {
  value: string
  about: string
}

/** Kinds of values that this machine knows. */
export type ValueKind = 'profile' | 'transaction' | 'pre-approval' | 'code' | 'method' | 'path'

/** The possible next words, or a kind of value that must be looked up on this machine. */
type Candidates =
  | { found: Completion[] }
  | { wanted: ValueKind; typed: string; prefix: string; profile: string | undefined }

/**
 * Finds what the last word can be completed to.
 * @param root the program; the command that the words name must be loaded
 */
export function candidates(root: Command, words: readonly string[]): Candidates {
  const typed = words.at(-1) ?? ''
  const place = walk(root, words.slice(0, -1))
  const { command, waiting, values, profile } = place
  if (place.lost) return { found: [] }
  const options = [...(command === root ? [] : command.options), ...root.options].filter(({ hidden }) => !hidden)
  const inline = /^(--[\w-]+)=(.*)$/s.exec(typed)
  const option = waiting ?? (inline ? options.find(({ long }) => long === inline[1]) : undefined)
  if (option) {
    const part = waiting ? typed : (inline?.[2] ?? '')
    const prefix = waiting ? '' : `${inline?.[1]}=`
    return valuesOf(option.flags, option.argChoices, { typed: part, prefix, profile })
  }
  if (inline) return { found: [] }
  if (typed.startsWith('-'))
    return { found: [...optionNames(options, typed), ...[HELP].filter(({ value }) => value.startsWith(typed))] }
  const commands = command === root ? root.commands : command.commands
  if (commands.length > 0) {
    // A hidden command's name begins with `__`.
    const shown = commands.filter((each) => !each.name().startsWith('__') && each.name().startsWith(typed))
    return { found: shown.map((each) => ({ value: each.name(), about: each.description() })) }
  }
  const argument = command.registeredArguments[Math.min(values, command.registeredArguments.length - 1)]
  if (argument === undefined || (values >= command.registeredArguments.length && !argument.variadic))
    return { found: [] }
  // The name of a new profile cannot be completed.
  const isProfile = command.parent?.name() === 'profiles' && command.name() !== 'add' && values === 0
  if (isProfile && argument.name() === 'name') return { wanted: 'profile', typed, prefix: '', profile }
  const name = argument.name()
  if (name === 'method' || name === 'path') return { wanted: name, typed, prefix: '', profile }
  return valuesOf(`<${name}>`, argument.argChoices, { typed, prefix: '', profile })
}

const HELP: Completion = { value: '--help', about: 'show help' }

interface Place {
  command: Command
  /** The option whose value comes next. */
  waiting: Option | undefined
  /** Number of arguments typed before. */
  values: number
  profile: string | undefined
  /** Whether a word was typed where a command belongs, but no such command exists. Then no word can follow. */
  lost: boolean
}

function walk(root: Command, words: readonly string[]): Place {
  const place: Place = { command: root, waiting: undefined, values: 0, profile: undefined, lost: false }
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
    // In `help verify`, the command is `verify`.
    if (word === 'help' && place.command === root) continue
    const next = place.command.commands.find((each) => each.name() === word)
    if (next) place.command = next
    else if (place.command.commands.length > 0) place.lost = true
    else place.values++
  }
  return place
}

function optionNames(options: readonly Option[], typed: string): Completion[] {
  return options.flatMap(({ long, description }) =>
    long?.startsWith(typed) ? [{ value: long, about: description }] : [],
  )
}

/** The values of an option or an argument. The kind of value is recognized by its name in the help text. */
function valuesOf(
  flags: string,
  choices: readonly string[] | undefined,
  part: { typed: string; prefix: string; profile: string | undefined },
): Candidates {
  const { typed, prefix } = part
  if (choices)
    return {
      found: choices.filter((each) => each.startsWith(typed)).map((each) => ({ value: prefix + each, about: '' })),
    }
  const name = /[<[]([\w-]+)/.exec(flags)?.[1] ?? ''
  if (/^(file|path)$/.test(name)) return { found: [{ value: ':files', about: '' }] }
  if (/^(dir|folder)$/.test(name)) return { found: [{ value: ':dirs', about: '' }] }
  if (/--profile\b/.test(flags) || name === 'profile') return { wanted: 'profile', ...part }
  if (/--(external-trx-id|trx)\b/.test(flags) || name === 'trx') return { wanted: 'transaction', ...part }
  if (/--pre-approve-id\b/.test(flags) || name === 'preApproveId') return { wanted: 'pre-approval', ...part }
  if (name === 'code') return { wanted: 'code', ...part }
  return { found: [] }
}
