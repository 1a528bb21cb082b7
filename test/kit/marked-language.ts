import { es } from '../../src/language/es/es.ts'
import { type Catalogue, packed } from '../../src/language/packing.ts'
import { inCatalogue, type Words } from '../../src/language/patterns.ts'

/**
 * A language with the texts of the Spanish catalogue, but each comes out with accents and in marks: `⟦thé ámóúnt ⟨12,5⟩ ís nót válíd⟧`. So a
 * text for people that does not come out of the catalogue is recognized: it has no marks. A value in a text has marks of its own, because it
 * may itself be a text that should have been translated.
 */
export function markedLanguage(): Words {
  const marked: Catalogue = Object.fromEntries(
    Object.entries(es).map(([english, spanish]) => [english, inMarks(english, spanish)]),
  )
  return inCatalogue(packed(marked), 'en')
}

const FORMS = /\{([a-z]\w*)(?::([^{}]*))?\}/gi

/** Returns the English text in marks. Its values have the forms that they have in the Spanish text. */
function inMarks(english: string, spanish: string): string {
  const shown = new Map<string, string>()
  let plurals = ''
  for (const [whole, name = '', form] of spanish.matchAll(FORMS)) {
    // The forms for a number are empty here, but they say that the value is a number.
    if (form?.includes('|')) plurals += `{${name}:|}`
    else shown.set(name, form === 'text' ? whole : `⟨${whole}⟩`)
  }
  // A quote, which replaces those around a value.
  if (!/[a-z]/i.test(english)) return english
  const parts = english.split(/\{([a-z]\w*)\}/gi)
  return `⟦${parts.map((part, i) => (i % 2 === 1 ? (shown.get(part) ?? '') : accented(part))).join('')}${plurals}⟧`
}

/** Returns a text with an accent on each vowel, so that it is not found in the catalogue again. */
const accented = (text: string): string => text.replace(/[aeiou]/gi, (vowel) => `${vowel}\u0301`.normalize('NFC'))

/**
 * Returns what is outside the marks of texts: values, and texts that are not in the catalogue. Each part is a line.
 * @param isCut whether `…` at the end of a cell means that the cell was cut, and has lost the mark at its end
 */
export function unmarked(printed: string, isCut = false): string {
  let rest = ''
  const inside: string[] = []
  const characters = [...printed]
  for (const [i, character] of characters.entries()) {
    if (isCut && character === '…' && /^[ \n]?$/.test(characters[i + 1] ?? '') && characters[i - 1] !== ' ')
      inside.length = 0
    if ('⟦⟨'.includes(character)) inside.push(character)
    else if ('⟧⟩'.includes(character)) inside.pop()
    else if (inside.at(-1) !== '⟦') {
      rest += character
      continue
    }
    if (!rest.endsWith('\n')) rest += '\n'
  }
  return rest
}
