import fc, { type StringConstraints } from 'fast-check'

const SURROGATES = 0x800
const FIRST_SURROGATE = 0xd800

/**
 * Any character but half of a pair. These are the characters of fast-check's `binary` in the same order, without its table of all of
 * them: each thread would take two seconds to make it, and keep it.
 */
const ANY_CHARACTER = fc.nat(0x10ffff - SURROGATES).map(
  (index) => String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES),
  (character) => {
    const isOne = typeof character === 'string' && /^\P{Surrogate}$/su.test(character)
    const code = isOne ? character.codePointAt(0) : undefined
    if (code === undefined) throw new Error('this is no single character')
    return code < FIRST_SURROGATE ? code : code - SURROGATES
  },
)

/** Draws texts of any characters, and sometimes a name that JavaScript gives a meaning, such as `__proto__`. */
export const unicodeText = (constraints: Omit<StringConstraints, 'unit'> = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: ANY_CHARACTER })
