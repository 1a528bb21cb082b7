import * as z from 'zod/mini'

/** A whole number that travels as digits in a form and is a number in the program. */
export const integerText = z.codec(z.string().check(z.regex(/^\d{1,16}$/)), z.int().check(z.nonnegative()), {
  decode: (text) => Number(text),
  encode: (value) => String(value),
})

const wellFormed = z.refine<string>((value) => value.isWellFormed(), 'it is not valid Unicode')

/** Text that UTF-8 can carry (a lone surrogate would arrive as another character). */
export const unicode = z.string().check(wellFormed)

/** Text that must not be empty, and that UTF-8 can carry. */
export const text = z.string().check(z.minLength(1, 'it is empty'), wellFormed)

/** A date as the specification writes it: YYYY-MM-DD. */
export const isoDate = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'it is no date such as 2026-03-01'))

/** A body that is a record of nothing in particular: what the specification does not show is kept as sent. */
export const anything = z.looseObject({})
