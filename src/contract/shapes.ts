import * as z from 'zod/mini'

/** A whole number that is written as digits in a form and is a number in the program. */
const integerText = z.codec(
  z.string().check(z.regex(/^\d{1,16}$/, 'it must be a whole number, digits only, such as 250000')),
  z.int().check(z.nonnegative()),
  {
    decode: (text) => Number(text),
    encode: (value) => String(value),
  },
)

const wellFormed = z.refine<string>((value) => value.isWellFormed(), 'it is not valid Unicode')

/**
 * The functions with which calls describe their bodies and answers. Calls get these functions as an argument (`schemas: ({ strictObject,
 * text }) => …`), so that a call can be listed and explained without loading the schema library.
 */
export const SHAPES = {
  array: z.array,
  boolean: z.boolean,
  catchall: z.catchall,
  int: z.int,
  /** An object. Fields that the schema does not name are kept as sent. */
  looseObject: z.looseObject,
  nullable: z.nullable,
  number: z.number,
  object: z.object,
  optional: z.optional,
  record: z.record,
  /** An object. Fields that the schema does not name are refused. */
  strictObject: z.strictObject,
  string: z.string,
  unknown: z.unknown,
  /** A body of unknown shape: whatever the service sends is kept. */
  anything: z.looseObject({}),
  /** An id whose type the specification does not show (gap 44): text or a number, kept as sent. */
  id: z.union([z.string(), z.number()]),
  integerText,
  /** A date as the specification writes it: YYYY-MM-DD. */
  isoDate: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'it is not a date such as 2026-03-01')),
  /** Text that is not empty and is valid Unicode. */
  text: z.string().check(z.minLength(1, 'it is empty'), wellFormed),
  /** Text that is valid Unicode. Otherwise half of a surrogate pair would arrive as another character. */
  unicode: z.string().check(wellFormed),
} as const

export type Shapes = typeof SHAPES
