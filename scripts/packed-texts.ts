import type { Plugin } from 'rolldown'
import { type CommandShape, HELP } from '../src/commands/completion/candidates.ts'
import { LANGUAGES } from '../src/language/language.ts'
import { type Catalogue, type PackedCatalogue, packed } from '../src/language/packing.ts'
import { inCatalogue } from '../src/language/patterns.ts'

/**
 * Returns the texts of each language but English in two parts that have no text in common, by the names of their files: the descriptions
 * that completion shows, which the launcher reads without starting the program, and all others. Throws if two English texts have the same
 * digest.
 * @param tree all commands
 */
export async function packedTexts(tree: CommandShape): Promise<Readonly<Record<string, PackedCatalogue>>> {
  const parts: Record<string, PackedCatalogue> = {}
  for (const language of LANGUAGES.filter((each) => each !== 'en')) {
    const { [language]: all } = (await import(`../src/language/${language}/${language}.ts`)) as Record<
      string,
      Catalogue
    >
    if (all === undefined) throw new Error(`src/language/${language}/${language}.ts does not export ${language}`)
    const words = inCatalogue(packed(all), language)
    const described = Object.fromEntries([HELP.about, ...descriptionsIn(tree)].map((about) => [about, words(about)]))
    const others = Object.fromEntries(Object.entries(all).filter(([english]) => !Object.hasOwn(described, english)))
    packed({ ...others, ...described })
    parts[`${language}-commands`] = packed(described)
    if (parts[`${language}-commands`]?.patterns.length !== 0) throw new Error('a description of a command has a value')
    parts[language] = packed(others)
  }
  return parts
}

function descriptionsIn({ about, options, commands }: CommandShape): string[] {
  return [about, ...options.map((each) => each.about), ...commands.flatMap(descriptionsIn)].filter(Boolean)
}

/** Makes the built program read the texts that are packed already. They are data, because a chunk of code would take longer to load. */
export const readsPackedTexts: Plugin = {
  name: 'reads-packed-texts',
  load(id) {
    const [, language] = /[/\\]src[/\\]language[/\\](\w+)[/\\]packed\.ts$/.exec(id) ?? []
    if (language === undefined) return undefined
    return `import { readFileSync } from 'node:fs'
const read = (name) => JSON.parse(readFileSync(import.meta.dirname + '/texts/' + name + '.json', 'utf8'))
export function catalogue() {
  const [commands, others] = [read('${language}-commands'), read('${language}')]
  return { digests: commands.digests + others.digests, texts: [...commands.texts, ...others.texts], patterns: others.patterns }
}`
  },
}
