import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inLatin1 } from '../src/language/packing.ts'
import { eachUnit, type Words } from '../src/language/patterns.ts'

/**
 * How the launcher makes a block of an English help text one of another language: `0` or nothing keeps the block, `true` translates only the words of
 * commander in it, and a text replaces it. A number is the text to put in: a positive one is a distance in the list of texts from the text
 * before that was found so, and a negative one is the place in this list, because texts of earlier help texts are shared by many. In a list of
 * one number, what commander added to the English text comes after it. In a longer list, each is a paragraph.
 */
type Step = 0 | true | string | number | readonly (string | number)[]

type Translated = (
  english: string,
  steps: readonly Step[],
  column: number,
  textAt: (number: number) => string,
) => string

/** The words of commander in a help text. They are the first texts of a catalogue. */
const OF_COMMANDER = ['Usage:', '[options]', '[command]', '<command>', 'choices:', 'default:']

/**
 * Returns the help texts in another language, as the launcher reads them, and the texts of the catalogue that are in them, by their numbers.
 * Most of a help text is in the catalogue, so a line has little more than the numbers of texts. Only the help of the program is there as it is,
 * because it is shown most often.
 * @param english the help texts, by the words of their commands
 * @param other the help texts in the other language
 * @param words returns a text in the other language
 * @param isText whether a text is in the catalogue
 */
export function translatedHelp(
  english: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
  words: Words,
  isText: (text: string) => boolean,
): { help: string; texts: readonly string[] } {
  const translated = translatedByLauncher()
  const texts = OF_COMMANDER.map((word) => words(word))
  const numbers = new Map(texts.map((text, i) => [text, i]))
  const numberOf = (text: string): number | undefined => {
    if (isText(text) && !numbers.has(text)) numbers.set(text, texts.push(text) - 1)
    return numbers.get(text)
  }
  const textAt = (number: number) => texts[number] ?? ''
  const lines = Object.entries(english).map(([name, page]) => {
    if (name === '') return `${inLatin1([name, other[name]])}\n`
    const blocks = blocksOf(page)
    const others = blocksOf(other[name] ?? '')
    const column = columnOf(blocks, others)
    const earlier = texts.length
    let last = 0
    const far = (text: string): string | number => {
      const number = numberOf(text)
      if (number === undefined || number === 0) return text
      if (number < earlier || number <= last) return -number
      const distance = number - last
      last = number
      return distance
    }
    const stepFor = (block: string, wanted: string): Step => {
      const begun = last
      const about = aboutIn(wanted)
      const own = about.slice(0, about.lastIndexOf(' ('))
      const units: string[] = []
      eachUnit(block, (unit) => {
        units.push(words(unit))
        return unit
      })
      const ways: (() => Step)[] = [() => 0, () => true, () => far(about), () => [far(own)], () => units.map(far)]
      for (const way of ways) {
        last = begun
        const step = way()
        // The launcher counts from the text before, which is in another block.
        const alone = fromZero(step, begun)
        if (typeof step !== 'string' && translated(block, [alone], column, textAt) === wanted) return step
      }
      last = begun
      return wanted
    }
    const steps = blocks.length === others.length ? blocks.map((block, i) => stepFor(block, others[i] ?? '')) : []
    if (translated(page, steps, column, textAt) !== other[name])
      throw new Error(`the launcher cannot show the help of ${name}`)
    return `${inLatin1([name, column, ...steps.slice(0, steps.findLastIndex((step) => step !== 0) + 1)])}\n`
  })
  return { help: lines.join(''), texts }
}

/** Returns a step that counts from the first text of the catalogue. */
function fromZero(step: Step, begun: number): Step {
  if (typeof step === 'number') return step <= 0 ? step : step + begun
  if (typeof step !== 'object') return step
  const first = step.findIndex((each) => typeof each === 'number' && each > 0)
  return step.map((each, i) => (i === first && typeof each === 'number' ? each + begun : each))
}

/** Returns the function of the launcher, which contains no module because it must start fast. */
function translatedByLauncher(): Translated {
  const [code] =
    /^function translated\([\s\S]*?^\}$/m.exec(
      readFileSync(join(import.meta.dirname, '..', 'bin', 'bnpl.js'), 'utf8'),
    ) ?? []
  return new Function(`return ${code}`)() as Translated
}

const blocksOf = (page: string): string[] => page.split('\n\n').flatMap((section) => section.split(/\n(?= {2}\S)/))

const TERM = /^ {2}(?:# |\S.*? {2,}(?=\S))?/

/** Returns the text of a block in one line, without its term. */
const aboutIn = (block: string): string => block.replace(TERM, '').replace(/\n\s*/g, ' ')

/** Returns the column of the descriptions in the other language; 0 if it is the same as in English. */
function columnOf(blocks: readonly string[], others: readonly string[]): number {
  const before = (block: string) => TERM.exec(block)?.[0] ?? ''
  const changed = blocks.findIndex((block, i) => before(block).length > 4 && before(block) !== before(others[i] ?? ''))
  return changed === -1 ? 0 : before(others[changed] ?? '').length
}
