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
    all[`${language}.txt`] = packed(whole, help.texts, besideSimilar)
    all[`${language}-help.ndjson`] = help.help
  }
  return all
}

/** The lines that gzip sees at once, in characters. */
const WINDOW = 32_000
/** The length of the pieces by which lines are compared, and in how many lines a piece may be: then it says little. */
const PIECE = 5
const MOST_LINES = 300

/**
 * Returns lines in an order in which gzip makes them small: after each line comes the one that has most pieces in common with the lines before
 * it, and most of all with the last one.
 */
export function besideSimilar(lines: readonly string[]): readonly string[] {
  const pieces = lines.map((line) => piecesOf(`\n${line}\n`))
  const having = new Map<string, number[]>()
  for (const [i, ofLine] of pieces.entries())
    for (const piece of ofLine) having.set(piece, [...(having.get(piece) ?? []), i])
  for (const [piece, { length }] of having) if (length === 1 || length > MOST_LINES) having.delete(piece)

  const common = lines.map(() => 0)
  const count = (piece: string, change: number) => {
    for (const i of having.get(piece) ?? []) common[i] = (common[i] ?? 0) + change
  }
  const left = new Set(lines.keys())
  const made: number[] = []
  /** The place behind the last line with a piece, for the pieces in the window. */
  const lastOf = new Map<string, number>()
  let gone = 0
  let inWindow = 0
  const append = (line: number) => {
    for (const piece of pieces[made.at(-1) ?? -1] ?? []) count(piece, -1)
    left.delete(line)
    made.push(line)
    for (const piece of pieces[line] ?? []) {
      count(piece, lastOf.has(piece) ? 1 : 2)
      lastOf.set(piece, made.length)
    }
    inWindow += lengthOf(line)
    while (inWindow > WINDOW) {
      const old = made[gone++] ?? -1
      inWindow -= lengthOf(old)
      for (const piece of pieces[old] ?? [])
        if (lastOf.get(piece) === gone) {
          lastOf.delete(piece)
          count(piece, -1)
        }
    }
  }
  const lengthOf = (line: number) => (lines[line]?.length ?? 0) + 1
  const share = (line: number) => (common[line] ?? 0) / (lengthOf(line) + PIECE)
  while (left.size > 0) {
    let [best = 0] = left
    for (const line of left) if (share(line) > share(best)) best = line
    append(best)
  }
  return made.map((line) => lines[line] ?? '')
}

function piecesOf(text: string): ReadonlySet<string> {
  const pieces = new Set<string>()
  for (let i = 0; i + PIECE <= text.length; i++) pieces.add(text.slice(i, i + PIECE))
  return pieces
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
