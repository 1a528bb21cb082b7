import { plainForm } from '../text/masking.ts'
import { isServiceWord } from './vocabulary.ts'

/**
 * Remembers the names of people in a session, which named fields contain. A name of a field, a code or a short id that contains one of
 * them is not recorded.
 */
export interface Names {
  learn(text: string): void
  /** Whether a word of the text is a name. `idMaria` has two words. */
  within(text: string): boolean
  /** Whether the text contains a name, even inside a word. */
  inside(text: string): boolean
}

const MOST_NAMES = 256

/** Words of addresses and names that occur in many other texts. */
const NO_NAME =
  /^(?:av|calle|da|das|de|del|den|depto|der|di|do|dos|el|la|las|los|of|pje|san|santa|van|von|total|monto)$/

export function createNames(): Names {
  const known = new Set<string>()
  return {
    learn(text) {
      for (const word of wordsIn(plainForm(text))) {
        if (word.length < 2 || NO_NAME.test(word) || isServiceWord(word)) continue
        if (known.size >= MOST_NAMES) known.delete(known.values().next().value ?? '')
        known.add(word)
      }
    },
    within: (text) => known.size > 0 && wordsIn(text).some((word) => known.has(word)),
    inside(text) {
      const folded = folding(text)
      return [...known].some((name) => name.length > 2 && folded.includes(name))
    },
  }
}

/** Returns a text in lower case without accents. */
const folding = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

const wordsIn = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean)
