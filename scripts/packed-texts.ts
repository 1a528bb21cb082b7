import type { Plugin } from 'rolldown'
import { type CommandShape, HELP } from '../src/commands/completion/candidates.ts'
import { everything } from '../src/commands/explanations.ts'
import { LANGUAGES } from '../src/language/language.ts'
import { type Catalogue, packed } from '../src/language/packing.ts'
import { inCatalogue } from '../src/language/patterns.ts'
import { translatedHelp } from './translated-help.ts'

/**
 * Returns the files in `dist/texts` with the texts of each language but English, and its help texts. The launcher shows descriptions of
 * commands without the code for texts with values, so each description has a text of its own. So have the texts that a command prints at
 * once, because finding a text with values takes 1 ms at a start.
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
    const whole = [HELP.about, ...descriptionsIn(tree), ...(await printedAtOnce())]
      .map((about) => [about, words(about)] as const)
      .filter(([about, text]) => text !== about)
    const withWhole: Catalogue = { ...texts, ...Object.fromEntries(whole) }
    const found = new Set(Object.values(withWhole))
    const help = translatedHelp(english, await helpIn(language), words, (text) => found.has(text))
    all[`${language}.txt`] = packed(withWhole, help.texts, { inOrder: besideSimilar, codesFor: phrasesOf })
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

/** The lengths of phrases, and the number of a phrase from which a code saves something. */
const SHORTEST = 3
const LONGEST = 8
const LEAST = 40

/**
 * Returns the phrases whose codes save most, each with a character that is not in the lines. gzip sees only a part of the lines at once, and
 * needs more for a phrase than for a code.
 */
export function phrasesOf(lines: readonly string[]): readonly (readonly [code: string, phrase: string])[] {
  let text = lines.join('\n')
  const used = new Set(`${text}\t\n\r`)
  const codes = Array.from({ length: 255 }, (_, i) => String.fromCharCode(i + 1)).filter((code) => !used.has(code))
  const counts = new Map<string, number>()
  for (const line of lines)
    for (let length = SHORTEST; length <= LONGEST; length++)
      for (let at = 0; at + length <= line.length; at++) {
        const phrase = line.slice(at, at + length)
        counts.set(phrase, (counts.get(phrase) ?? 0) + 1)
      }
  const possible = [...counts]
    .filter(([, count]) => count >= LEAST)
    .map(([phrase, count]) => ({ phrase, saved: count * (phrase.length - 1) }))
    .sort((a, b) => b.saved - a.saved)
  const chosen: [string, string][] = []
  for (const code of codes) {
    let best = possible.shift()
    // What a phrase saves only becomes less, so most phrases need not be counted again.
    for (let [next] = possible; best !== undefined; [next] = possible) {
      best.saved = (text.split(best.phrase).length - 1) * (best.phrase.length - 1)
      if (next === undefined || best.saved >= next.saved) break
      const { saved } = best
      const after = possible.findIndex((each) => each.saved <= saved)
      possible.splice(after === -1 ? possible.length : after, 0, best)
      best = possible.shift()
    }
    if (best === undefined) break
    chosen.push([code, best.phrase])
    text = text.replaceAll(best.phrase, code)
  }
  return chosen
}

function piecesOf(text: string): ReadonlySet<string> {
  const pieces = new Set<string>()
  for (let i = 0; i + PIECE <= text.length; i++) pieces.add(text.slice(i, i + PIECE))
  return pieces
}

/** Returns texts with values that a command prints without a call: what `bnpl explain` says about a code, and that there is no history. */
async function printedAtOnce(): Promise<readonly string[]> {
  const notes = (await everything()).flatMap(({ note }) => note ?? [])
  return [
    ...new Set(notes),
    'The history is empty. Begin a payment with bnpl evaluate, or try one: bnpl walkthrough -p sandbox',
  ]
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
