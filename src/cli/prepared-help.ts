import type { StoredCatalogue } from '../language/packing.ts'
import { inCatalogue } from '../language/patterns.ts'
import { helpIn } from './help-text.ts'

/** The descriptions to which commander adds something, the text of commander in English, and the texts that the command adds to its end. */
export type PreparedHelp = readonly [extended: readonly string[], english: string, ...after: string[]]

/** Returns the help text of a command in another language, without loading the whole program. */
export function preparedHelp(
  [extended, english, ...after]: PreparedHelp,
  catalogue: StoredCatalogue,
  language: string,
): string {
  const inLanguage = inCatalogue(catalogue, language)
  return [helpIn(inLanguage, english, extended), ...after.map((text) => inLanguage(text))].join('')
}
