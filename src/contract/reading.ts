import * as z from 'zod/mini'
import { isRawNumber } from '../text/json-text.ts'
import { isRecord } from '../text/record.ts'
import { firstOf } from '../text/visible.ts'
import type { Endpoint } from './calls/call.ts'

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
  const value = path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    data,
  )
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
