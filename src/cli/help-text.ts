import type { Argument, Command, Option } from 'commander'
import type { Words } from '../language/patterns.ts'
import { LEAST_ROOM, wrap } from '../terminal/wrap.ts'

/** What a help text says, in English, before it is broken into lines. */
export interface HelpContent {
  usage: string
  about: string
  lists: HelpList[]
}

interface HelpList {
  heading: string
  /** Each item is a term, its description, and what is added in brackets: the choices and the default. */
  items: (readonly [term: string, about: string, added?: string])[]
  /** Whether the terms are commands. Their placeholders are translated, and those of options are names. */
  areCommands?: true
}

const WIDTH = 80
/** The columns before a term, and between the term and its description. */
const GAP = 2

/** Returns what the help text of a command says. The options of the command must be loaded. */
export function contentOf(command: Command): HelpContent {
  const help = Object.assign(command.createHelp(), { showGlobalOptions: true })
  const item = (term: string, about: string, whole: string) => {
    const added = whole.slice(about.length).trim()
    return added === '' ? ([term, about] as const) : ([term, about, added] as const)
  }
  const ofArgument = (each: Argument) => item(help.argumentTerm(each), each.description, help.argumentDescription(each))
  const ofOption = (each: Option) =>
    item(
      help.optionTerm(each),
      each.description,
      help.optionDescription(each).replace(/default: "([^"]*)"/, 'default: $1'),
    )
  const optionGroups = help.groupItems(
    [...command.options],
    help.visibleOptions(command),
    ({ helpGroupHeading = 'Options:' }) => helpGroupHeading,
  )
  const commandGroups = help.groupItems(
    [...command.commands],
    help.visibleCommands(command),
    (each) => each.helpGroup() || 'Commands:',
  )
  const lists: HelpList[] = [
    { heading: 'Arguments:', items: help.visibleArguments(command).map(ofArgument) },
    ...[...optionGroups].map(([heading, options]) => ({ heading, items: options.map(ofOption) })),
    { heading: 'Global Options:', items: help.visibleGlobalOptions(command).map(ofOption) },
    ...[...commandGroups].map(([heading, commands]) => ({
      heading,
      items: commands.map((each) => [help.subcommandTerm(each), help.subcommandDescription(each)] as const),
      areCommands: true as const,
    })),
  ]
  return {
    usage: help.commandUsage(command),
    about: help.commandDescription(command),
    lists: lists.filter(({ items }) => items.length > 0),
  }
}

/** Returns a help text in a language. Each text is translated before its lines are broken. */
export function helpText({ usage, about, lists }: HelpContent, inLanguage: Words): string {
  const inUsage = (text: string) => text.replace(/\[options\]|\[command\]|<command>/g, (word) => inLanguage(word))
  const described = (text: string, added = '') =>
    `${inLanguage(text)} ${added.replace(/choices:|default:/g, (word) => inLanguage(word))}`.trim()
  const sections = lists.map(({ heading, items, areCommands }) => ({
    heading: inLanguage(heading),
    items: items.map(([term, text, added]) => [areCommands ? inUsage(term) : term, described(text, added)] as const),
  }))
  const width = Math.max(0, ...sections.flatMap(({ items }) => items.map(([term]) => term.length)))
  const indent = GAP + width + GAP
  return [
    `${inLanguage('Usage:')} ${inUsage(usage)}`,
    ...(about === '' ? [] : [brokenAt(inLanguage(about), 0)]),
    ...sections.map(({ heading, items }) =>
      [
        heading,
        ...items.map(([term, text]) => `  ${text && term.padEnd(width + GAP)}${text ? brokenAt(text, indent) : term}`),
      ].join('\n'),
    ),
  ]
    .map((section) => `${section}\n`)
    .join('\n')
}

function brokenAt(text: string, indent: number): string {
  if (WIDTH - indent < LEAST_ROOM) return text
  const margin = ' '.repeat(indent)
  return text
    .split('\n')
    .map((line) => wrap(line, WIDTH - indent, margin))
    .join(`\n${margin}`)
}
