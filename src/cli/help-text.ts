import type { Command } from 'commander'
import type { Words } from '../language/patterns.ts'
import { wrap } from '../terminal/wrap.ts'

/** The width of help texts, in columns. */
export const HELP_WIDTH = 80

/** The columns before a term, and between the longest term and its description. */
const GAP = 2

/** A heading, and its items: each a term, and its description in one line. */
interface List {
  heading: string
  items: (readonly [term: string, about: string])[]
}

/**
 * Returns a help text of commander in another language. The text is read, and not the commands, because the launcher has only the English
 * texts that the build prepared.
 * @param english the usage, the description and the lists of a command, without the texts that follow them
 * @param extended the descriptions to which commander has added the choices or the default
 */
export function helpIn(inLanguage: Words, english: string, extended: readonly string[]): string {
  const [usage = '', ...sections] = english.trimEnd().split('\n\n')
  const parts = sections.map((section) => listIn(inLanguage, section, extended) ?? section)
  const terms = parts.flatMap((part) => (typeof part === 'string' ? [] : part.items.map(([term]) => term.length)))
  const width = Math.max(0, ...terms)
  const shown = parts.map((part) =>
    typeof part === 'string' ? wrap(inLanguage(part.replaceAll('\n', ' ')), HELP_WIDTH) : drawn(part, width),
  )
  return `${[inUsage(inLanguage, usage), ...shown].join('\n\n')}\n`
}

/** Translates what commander adds to the names in a usage. The names are the same in every language. */
const inUsage = (inLanguage: Words, usage: string): string =>
  usage.replace(/^Usage:|\[options\]|\[command\]|<command>/g, (word) => inLanguage(word))

/** Returns the list in a section of a help text; undefined if the section is a description. */
function listIn(inLanguage: Words, section: string, extended: readonly string[]): List | undefined {
  const [heading = '', ...items] = section.split(/\n(?= {2}\S)/)
  if (items.length === 0) return undefined
  const item = (text: string) => {
    const [, term = '', about = ''] = /^ {2}(\S.*?)(?: {2,}(\S.*))?$/s.exec(text) ?? []
    return [
      term.startsWith('-') ? term : inUsage(inLanguage, term),
      described(inLanguage, about.replace(/\n\s*/g, ' '), extended),
    ] as const
  }
  return { heading: inLanguage(heading), items: items.map(item) }
}

function described(inLanguage: Words, about: string, extended: readonly string[]): string {
  const own = extended.find((each) => about.startsWith(`${each} (`))
  if (own === undefined) return inLanguage(about)
  const added = about.slice(own.length).replace(/choices:|default:/g, (word) => inLanguage(word))
  return `${inLanguage(own)}${added}`
}

/** Returns the descriptions of a command to which commander adds the choices or the default. */
export function extendedIn(command: Command): string[] {
  const help = Object.assign(command.createHelp(), { showGlobalOptions: true })
  const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)]
  return [
    ...options.filter((each) => help.optionDescription(each) !== each.description),
    ...help.visibleArguments(command).filter((each) => help.argumentDescription(each) !== each.description),
  ].map(({ description }) => description)
}

function drawn({ heading, items }: List, width: number): string {
  const indent = GAP + width + GAP
  const lines = items.map(([term, about]) =>
    about === '' ? `  ${term}` : `  ${term.padEnd(width + GAP)}${wrap(about, HELP_WIDTH - indent, ' '.repeat(indent))}`,
  )
  return [heading, ...lines].join('\n')
}
