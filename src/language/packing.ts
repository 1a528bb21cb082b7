/**
 * The texts of a language: for each English text, the text in this language. A `{name}` in the English text is any value. In the other
 * text:
 * - `{name}` is the value as it is
 * - `{name:text}` is the value in this language, because the value is itself one of our texts
 * - `{name:list}` is a list such as `a, “b” and c`, of which each item may be one of our texts
 * - `{name:fila|filas}` is the form for the number in the value: for one, and for the others
 */
export type Catalogue = Readonly<Record<string, string>>

/**
 * A catalogue as the program ships and reads it. The English texts are in the code already, so the catalogue has only a digest of each. An
 * English text with values is kept, because values are found with it. Its values have numbers in place of names: `{}` in the English text,
 * `{0}`, `{0:text}` and `{0:fila|filas}` in the other.
 */
export interface PackedCatalogue {
  /** The digests of the English texts without values, one after another. */
  digests: string
  /** The other text of each digest. */
  texts: readonly string[]
  patterns: readonly (readonly [english: string, text: string])[]
}

const NAMED = /\{([a-z]\w*)\}/gi
const INSERTED = /\{([a-z]\w*)((?::[^{}]*)?)\}/gi

/** Packs a catalogue. Throws if two English texts have the same digest: then one of them must be worded differently. */
export function packed(catalogue: Catalogue): PackedCatalogue {
  const texts = new Map<string, { english: string; text: string }>()
  const patterns: [string, string][] = []
  for (const [english, text] of Object.entries(catalogue)) {
    const names = [...english.matchAll(NAMED)].map(([, name = '']) => name)
    if (names.length === 0) {
      const digest = digestOf(english)
      const other = texts.get(digest)
      if (other !== undefined) throw new Error(`two texts have the same digest: “${english}” and “${other.english}”`)
      texts.set(digest, { english, text })
    } else {
      if (english.includes('{}')) throw new Error(`a text with values may not contain {}: ${english}`)
      const numbered = text.replace(INSERTED, (whole, name: string, form: string) =>
        names.includes(name) ? `{${names.indexOf(name)}${form}}` : whole,
      )
      patterns.push([english.replace(NAMED, '{}'), numbered])
    }
  }
  return { digests: [...texts.keys()].join(''), texts: [...texts.values()].map(({ text }) => text), patterns }
}

/** Returns the function that finds the other text of an English text without values. */
export function textsIn({ digests, texts }: PackedCatalogue): (english: string) => string | undefined {
  const found = new Map(texts.map((text, i) => [digests.slice(i * LENGTH, (i + 1) * LENGTH), text]))
  return (english) => found.get(digestOf(english))
}

const LENGTH = 8

/**
 * Returns 41 bits of a text as eight characters. By chance, a text that is not in a catalogue of 4000 texts has the digest of one that is
 * once in 500 million texts. Who chooses a text for its digest gets one of our texts printed, which can be had by sending that text.
 */
function digestOf(text: string): string {
  let one = 0x811c9dc5
  let other = 0x2c1b3c6d
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    one = Math.imul(one ^ unit, 0x01000193)
    other = Math.imul(other ^ unit, 0x5bd1e995)
    other ^= other >>> 15
  }
  return ((one >>> 0) * 512 + (other >>> 23)).toString(36).padStart(LENGTH, '0')
}
