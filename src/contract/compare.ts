import * as z from 'zod/mini'
import type { Endpoint } from './calls/call.ts'
import { mismatch, mismatchClause } from './mismatch.ts'
import { type Reading, readingOf } from './reading.ts'

/** One place where `data` differs from the contract. A new field is a difference too, but it is not an error. */
interface DataDifference {
  kind: 'missing' | 'type' | 'new'
  path: readonly PropertyKey[]
  /** Undefined for a new field. */
  issue?: z.core.$ZodIssue
}

/** The data as it is to be read, and where it differs from the contract. */
interface Compared extends Reading {
  differences: readonly DataDifference[]
}

/**
 * Compares the `data` of an answer with the contract. Everything that judges an answer uses this function.
 * @param how `strict`: all differences of the data as it was sent, and its new fields. `lenient`: the data may have any shape that `readingOf`
 * reads. If it has none, there is one difference: the first one, because a list that is wrong throughout would give one for each element
 */
export function compareData(
  endpoint: Pick<Endpoint, 'data' | 'bodyShown' | 'dataShapeShown'>,
  data: unknown,
  how: 'strict' | 'lenient',
): Compared {
  if (how === 'strict') {
    const issues = endpoint.bodyShown ? (z.safeParse(endpoint.data, data).error?.issues ?? []) : []
    const differences = issues.map((issue) => differenceOf(issue, data, []))
    return { data, notes: [], differences: [...differences, ...newFields(endpoint.data, data, [])] }
  }
  if (!endpoint.bodyShown) return { data, notes: [], differences: [] }
  const first = firstDifference(endpoint.data, data, [])
  const isAsShown = first === undefined && (endpoint.dataShapeShown || (Array.isArray(data) && data.length !== 1))
  const reading = isAsShown ? { data, notes: [] } : readingOf(endpoint, data)
  if (reading) return { ...reading, differences: [] }
  return { data, notes: [], differences: first === undefined ? [] : [first] }
}

/** Returns a place in `data`, such as `data.installments.0.state`. */
export const placeOf = ({ path }: Pick<DataDifference, 'path'>): string => ['data', ...path].join('.')

/** Returns what is wrong at the place of a difference, in words without the value. */
export const detailOf = ({ issue, path }: DataDifference, data: unknown): string =>
  issue === undefined ? 'not in the specification' : mismatch({ ...issue, path: [...path] }, data)

/** Returns a difference as a sentence, such as `data.total is not as specified (it is text, not a number)`. */
export const differenceInWords = (difference: DataDifference, data: unknown): string => {
  const { issue, path } = difference
  const why = issue === undefined ? detailOf(difference, data) : mismatchClause({ ...issue, path: [...path] }, data)
  return `${placeOf(difference)} is not as specified (${why})`
}

function differenceOf(issue: z.core.$ZodIssue, data: unknown, at: readonly PropertyKey[]): DataDifference {
  const kind = mismatch(issue, data) === 'missing' ? 'missing' : 'type'
  return { kind, path: [...at, ...issue.path], issue }
}

function firstDifference(schema: z.ZodMiniType, data: unknown, at: readonly PropertyKey[]): DataDifference | undefined {
  if (schema instanceof z.ZodMiniArray && Array.isArray(data)) {
    for (const [i, each] of data.entries()) {
      const wrong = firstDifference(schema.def.element as z.ZodMiniType, each, [...at, i])
      if (wrong !== undefined) return wrong
    }
    return undefined
  }
  const [issue] = z.safeParse(schema, data).error?.issues ?? []
  return issue && differenceOf(issue, data, at)
}

function newFields(schema: z.core.$ZodType, value: unknown, path: readonly PropertyKey[]): DataDifference[] {
  const { def } = schema._zod
  // Look at the first row only, because the other rows normally have the same fields.
  if (Array.isArray(value) && def.type === 'array')
    return value.slice(0, 1).flatMap((row) => newFields((def as z.core.$ZodArrayDef).element, row, [...path, 0]))
  if (typeof value !== 'object' || value === null || def.type !== 'object') return []
  const { shape } = def as z.core.$ZodObjectDef
  return Object.entries(value).flatMap(([name, field]): DataDifference[] => {
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined
    return known ? newFields(known, field, [...path, name]) : [{ kind: 'new', path: [...path, name] }]
  })
}
