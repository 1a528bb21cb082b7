import * as z from 'zod/mini'
import { DATE } from '../domain/dates.ts'

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
 * Schemas, and functions that make schemas, for the bodies of calls. The definition of a call (`contract/calls`) gets them as the argument
 * of its function `schemas`, so that a list of all calls can be loaded without the schema library.
 */
export const SHAPES = {
  array: z.array,
  boolean: z.boolean,
  catchall: z.catchall,
  int: z.int,
  looseObject: z.looseObject,
  nullable: z.nullable,
  number: z.number,
  object: z.object,
  optional: z.optional,
  record: z.record,
  strictObject: z.strictObject,
  string: z.string,
  unknown: z.unknown,
  anything: z.looseObject({}),
  /** An id whose type the specification does not show (gap 44). */
  id: z.union([z.string(), z.number()]),
  integerText,
  isoDate: z.string().check(z.regex(DATE, 'it is not a date such as 2026-03-01')),
  text: z.string().check(z.minLength(1, 'it is empty'), wellFormed),
  /** A text must be valid Unicode, because half of a surrogate pair would arrive as another character. */
  unicode: z.string().check(wellFormed),
} as const

export type Shapes = typeof SHAPES
