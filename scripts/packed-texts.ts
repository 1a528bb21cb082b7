import type { Plugin } from 'rolldown'
import { type CommandShape, HELP } from '../src/commands/completion/candidates.ts'
import { LANGUAGES } from '../src/language/language.ts'
import { type Catalogue, packed } from '../src/language/packing.ts'
import { inCatalogue } from '../src/language/patterns.ts'
import { translatedHelp } from './translated-help.ts'

/**
 * Returns the files in `dist/texts` with the texts of each language but English, and its help texts. The launcher shows descriptions of
 * commands without the code for texts with values, so each description has a text of its own.
 * @param tree all commands
 * @param helpIn returns the help texts in a language, by the words of their commands
 */
export async function packedTexts(
  tree: CommandShape,
  helpIn: (language: string) => Promise<Readonly<Record<string, string>>>,
): Promise<Readonly<Record<string, string>>> {
  const all: Record<string, string> = {}
  const english = await helpIn('en')
  for (const language of LANGUAGES.filter((each) => each !== 'en')) {
    const { [language]: texts } = (await import(`../src/language/${language}/${language}.ts`)) as Record<
      string,
      Catalogue
    >
    if (texts === undefined) throw new Error(`src/language/${language}/${language}.ts does not export ${language}`)
    const words = inCatalogue(packed(texts), language)
    const described = [HELP.about, ...descriptionsIn(tree)]
      .map((about) => [about, words(about)] as const)
      .filter(([about, text]) => text !== about)
    const whole: Catalogue = { ...texts, ...Object.fromEntries(described) }
    const found = new Set(Object.values(whole))
    const help = translatedHelp(english, await helpIn(language), words, (text) => found.has(text))
    all[`${language}.txt`] = packed(whole, help.texts)
    all[`${language}-help.ndjson`] = help.help
  }
  return all
}

function descriptionsIn({ about, options, commands }: CommandShape): string[] {
  return [about, ...options.map((each) => each.about), ...commands.flatMap(descriptionsIn)].filter(Boolean)
}

/** How `src/language/language.ts` loads the texts of a language. */
const LOADED = /async \(\) => \(await import\('\.\/(\w+)\/words\.ts'\)\)\.words\(\)/g

/**
 * Makes the built program read the texts that are packed already. They are data, because a chunk of code would take longer to load. The code
 * that reads them is in the main chunk, because opening another one would take longer than reading it with the main chunk.
 */
export const readsPackedTexts: Plugin = {
  name: 'reads-packed-texts',
  transform(code, id) {
    if (!/[/\\]src[/\\]language[/\\]language\.ts$/.test(id)) return undefined
    const made = code.replace(
      LOADED,
      "async () => inCatalogue(catalogueFile(import.meta.dirname + '/texts/$1.txt'), '$1')",
    )
    if (made.split('catalogueFile(').length !== LANGUAGES.length)
      throw new Error(`${id} does not load the texts of each language in the way that is expected`)
    return `import { catalogueFile } from './packing.ts'
import { inCatalogue } from './patterns.ts'
${made}`
  },
}
