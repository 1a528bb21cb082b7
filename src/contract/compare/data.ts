import * as z from 'zod/mini'
import { isRawNumber, isRecord } from '../../text/json-text.ts'
import { firstOf } from '../../text/visible.ts'
import type { Endpoint } from '../calls/call.ts'

/** One place where `data` differs from the contract. A new field is a difference too, but it is not an error. */
interface DataDifference {
  kind: 'missing' | 'type' | 'new'
  path: readonly PropertyKey[]
  /** Undefined for a new field. */
  issue?: z.core.$ZodIssue
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
) {
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

/** Checks a list element by element, because the issues of hundreds of thousands of wrong elements would use hundreds of megabytes. */
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

export interface Reading {
  data: unknown
  /** How the reading differs from what was sent: where the data was found, or which number was read as text. */
  notes: readonly string[]
}

const MOST_WRAPPERS = 3

/** Usual names of a field that contains a list. If a field with such a name contains a list, lists under other names are not read. */
const LIST_NAMES =
  /^(data|items|results?|rows|list|content|records|elements|webhooks|destinations|subscriptions|leads)$/i

/**
 * Reads an answer's `data` in the shape of the contract, or in a similar one such as a list inside an object (gap 44). Returns undefined if
 * no shape fits. An inner object is used only if it is the only field. If there are other fields, the object may be something else.
 */
export function readingOf({ data: schema }: Pick<Endpoint, 'data'>, data: unknown): Reading | undefined {
  if (schema instanceof z.ZodMiniArray) return listIn(schema, data)
  // A schema without required fields fits every object. With such a schema, an object whose only field is an object or list is a wrapper.
  const takesAll = fitted(schema, {}) !== undefined
  return unwrapped(data, (value) => (takesAll && isWrapper(value) ? undefined : fitted(schema, value)))
}

/** Returns `data` with the fields that another field of it implies (`implied` of a call), and the names of these fields. */
export function withImplied(
  { implied = {} }: Pick<Endpoint, 'implied'>,
  data: unknown,
): { data: unknown; implied: readonly string[] } {
  if (!isRecord(data)) return { data, implied: [] }
  const missing = Object.entries(implied).filter(
    ([name, { by }]) => data[name] === undefined && data[by] !== undefined && data[by] !== null && data[by] !== '',
  )
  if (missing.length === 0) return { data, implied: [] }
  const added = Object.fromEntries(missing.map(([name, { value }]) => [name, value]))
  return { data: { ...added, ...data }, implied: missing.map(([name]) => name) }
}

/** Finds the record inside an answer of any shape, and returns it without the objects and lists around it. */
export function recordIn(data: unknown): Record<string, unknown> | undefined {
  const found = unwrapped(data, (value) =>
    isRecord(value) && !isWrapper(value) ? { data: value, notes: [] } : undefined,
  )
  return found && isRecord(found.data) ? found.data : undefined
}

function unwrapped(data: unknown, read: (value: unknown) => Reading | undefined): Reading | undefined {
  let value = data
  let place = 'data'
  for (let wrappers = 0; wrappers <= MOST_WRAPPERS; wrappers++) {
    const found = read(value)
    if (found)
      return place === 'data' ? found : { ...found, notes: [`the data was read from ${place}`, ...found.notes] }
    if (!isRecord(value) && !(Array.isArray(value) && value.length === 1)) return undefined
    const [only, another] = Object.entries(value)
    if (only === undefined || another !== undefined) return undefined
    place = `${place}.${only[0]}`
    value = only[1]
  }
  return undefined
}

function isWrapper(value: unknown): boolean {
  if (!isRecord(value)) return false
  const inside = Object.values(value)
  return inside.length === 1 && (isRecord(inside[0]) || Array.isArray(inside[0]))
}

function listIn(schema: z.ZodMiniArray, data: unknown): Reading | undefined {
  const rows = schema.def.element
  if (Array.isArray(data)) {
    const inner = unwrapped(data, (value) =>
      value !== data && Array.isArray(value) ? fitted(schema, value) : undefined,
    )
    return inner ?? fitted(schema, data) ?? (data.length === 1 ? inLists(schema, data[0], 'data.0') : undefined)
  }
  if (data === null || (isRecord(data) && Object.keys(data).length === 0))
    return { data: [], notes: ['data is empty, and was read as an empty list'] }
  if (isRow(rows, data)) {
    const found = fitted(schema, [data])
    return found && { ...found, notes: ['data is one object, and was read as a list of one', ...found.notes] }
  }
  return inLists(schema, data, 'data')
}

function isRow(row: z.core.$ZodType, value: unknown): boolean {
  if (!(row instanceof z.ZodMiniObject) || !isRecord(value)) return false
  return Object.keys(row.shape).some((name) => Object.hasOwn(value, name)) && fitted(row, value) !== undefined
}

/** Searches an object for lists that fit, level by level. Returns the joined lists of the first level that has any; otherwise undefined. */
function inLists(schema: z.ZodMiniArray, data: unknown, place: string): Reading | undefined {
  let level: [place: string, value: unknown][] = [[place, data]]
  for (let wrappers = 0; wrappers <= MOST_WRAPPERS; wrappers++) {
    const inside = level.flatMap(([at, value]) => fieldsOf(at, value))
    const lists = inside.flatMap(([at, name, value]) => {
      const found = Array.isArray(value) ? fitted(schema, value) : undefined
      return found && Array.isArray(found.data) ? [{ at, name, rows: found.data, notes: found.notes }] : []
    })
    if (lists.length > 0) {
      const named = lists.filter(({ name }) => LIST_NAMES.test(name))
      const full = (named.length > 0 ? named : lists).filter(({ rows }) => rows.length > 0)
      const taken = full.length > 0 ? full : lists.slice(0, 1)
      const places = new Set(taken.map(({ at }) => at))
      const beside = inside.map(([at]) => at).filter((at) => !places.has(at))
      const from = `the list was read from ${firstOf([...places], 5, ' and ')}`
      return {
        data: taken.flatMap(({ rows }) => rows),
        notes: [
          beside.length === 0 ? from : `${from}; these fields next to the list were not read: ${firstOf(beside, 5)}`,
          ...taken.flatMap(({ notes }) => notes),
        ],
      }
    }
    level = inside.map(([at, , value]) => [at, value])
  }
  return undefined
}

function fieldsOf(at: string, value: unknown): [at: string, name: string, value: unknown][] {
  if (!isRecord(value)) return []
  return Object.entries(value).map(([name, inner]) => [`${at}.${name}`, name, inner])
}

/**
 * Returns the value if it fits the schema, if necessary after numeric ids are changed to text; otherwise undefined. In a list, every row
 * must fit.
 */
function fitted(schema: z.core.$ZodType, value: unknown): Reading | undefined {
  if (!(schema instanceof z.ZodMiniArray) || !Array.isArray(value)) return fittedOne(schema, value, 'data')
  const data: unknown[] = []
  let notes: readonly string[] = []
  for (const [i, row] of value.entries()) {
    const found = fittedOne(schema.def.element, row, `data.${i}`)
    if (!found) return undefined
    data.push(found.data)
    if (notes.length === 0) notes = found.notes
  }
  return { data, notes }
}

function fittedOne(schema: z.core.$ZodType, value: unknown, place: string): Reading | undefined {
  const checked = z.safeParse(schema, value)
  if (checked.success) return { data: value, notes: [] }
  const { issues } = checked.error
  const [first] = issues
  if (first === undefined || !issues.every((issue) => isNumericId(issue.path, value))) return undefined
  const data = issues.reduce((changed, { path }) => withText(changed, path), value)
  if (!z.safeParse(schema, data).success) return undefined
  return { data, notes: [`${[place, ...first.path].join('.')} is a number, and was read as text`] }
}

/** Whether the value at a path is a numeric id. The id may have more digits than a JavaScript number can hold. */
function isNumericId(path: readonly PropertyKey[], data: unknown): boolean {
  const value = valueAt(data, path)
  return (Number.isSafeInteger(value) || isRawNumber(value)) && /^id$|^id[A-Z]|Id$/.test(String(path.at(-1)))
}

function withText(data: unknown, [key, ...rest]: readonly PropertyKey[]): unknown {
  if (key === undefined) return JSON.stringify(data)
  if (Array.isArray(data)) return data.with(Number(key), withText(data[Number(key)], rest))
  return isRecord(data) ? { ...data, [key]: withText(data[String(key)], rest) } : data
}

/** Whether a value contains no data, such as `null`, `{}`, `[]` or `{"loan":null}`. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true
  if (typeof value !== 'object' || isRawNumber(value)) return false
  const inside = Object.values(value)
  return inside.length === 0 || (inside.length === 1 && typeof inside[0] !== 'string' && isEmpty(inside[0]))
}

export const EXPECTED: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** Returns what is wrong with a field, in words that never contain its value, because the value may be personal data. */
function mismatch(issue: z.core.$ZodIssue, data: unknown): string {
  const value = valueAt(data, issue.path)
  if (issue.code === 'invalid_type')
    return value === undefined ? 'missing' : `${kindOf(value)}, not ${wanted(issue.expected, value)}`
  if (issue.code === 'unrecognized_keys')
    return `${kindOf(value)} with fields that bnpl does not know at this place: ${issue.keys.join(', ')}`
  if (issue.message !== 'Invalid input') return issue.message
  return value === undefined ? 'missing' : `${kindOf(value)}, which is not the expected form`
}

/** Returns `mismatch` as a clause whose subject is “it”, which stands for the field. */
export function mismatchClause(issue: z.core.$ZodIssue, data: unknown): string {
  const problem = mismatch(issue, data)
  return problem.startsWith('it ') ? problem : `it is ${problem}`
}

/** Returns what a schema expects, in words. If the value is infinite, returns “a finite number”, because Infinity is a number too. */
function wanted(expected: string, value: unknown): string {
  if (expected === 'number' && (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY))
    return 'a finite number'
  return EXPECTED[expected] ?? expected
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (isRawNumber(value)) return 'a number with more digits than a program can count with'
  if (typeof value === 'number') return numberKindOf(value)
  return EXPECTED[typeof value] ?? OF_PROGRAMS[typeof value] ?? 'nothing'
}

function numberKindOf(value: number): string {
  if (Number.isInteger(value)) return 'a number'
  return Number.isFinite(value) ? 'a fraction' : String(value)
}

/** Words for types of values that a program can pass to the library, but that JSON cannot contain. */
const OF_PROGRAMS: Readonly<Record<string, string>> = { bigint: 'a BigInt', symbol: 'a symbol', function: 'a function' }

/** Returns the value at a path inside another value; undefined when there is none. */
export function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = data
  for (const key of path)
    value = typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined
  return value
}
