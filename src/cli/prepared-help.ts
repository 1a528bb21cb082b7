import { ENGLISH } from '../language/language.ts'
import type { PackedCatalogue } from '../language/packing.ts'
import { inCatalogue } from '../language/patterns.ts'
import { type HelpContent, helpText } from './help-text.ts'

/** The content of a help text, and the texts that the command adds to its end. */
export type PreparedHelp = readonly [content: HelpContent, ...after: string[]]

/**
 * Returns the help text of a command without loading the whole program.
 * @param help what the build prepared
 * @param language the language of the user
 * @param catalogue the texts in this language; not given for English
 */
export function preparedHelp([content, ...after]: PreparedHelp, language: string, catalogue?: PackedCatalogue): string {
  const inLanguage = catalogue === undefined ? ENGLISH : inCatalogue(catalogue, language)
  return [helpText(content, inLanguage), ...after.map((text) => inLanguage(text))].join('')
}
