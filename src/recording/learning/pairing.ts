import { isRecord } from '../../contract/reading.ts'
import { type Form, formOf, likeness, typeOf } from './forms.ts'

/** Returns the fields of the contract to which a value can belong, because requests sent the same value in these fields. */
export type Clues = (value: unknown) => ReadonlySet<string> | undefined

/**
 * How recorded fields correspond to the fields of the sandbox's answer. The keys are places in the sandbox's answer. `more` has the fields
 * that only the service has, so its keys end with the service's names. `fewer` has the fields that only the sandbox has.
 */
export interface Pairing {
  names: Record<string, string>
  types: Record<string, 'text' | 'number' | 'boolean' | 'list'>
  more: Record<string, unknown>
  fewer: string[]
  values: Map<string, unknown[]>
}

/** The maximum number of fields in `more`. A recording that somebody wrote by hand could contain any number of such fields. */
const MOST_MORE = 200

/**
 * Finds the fields of a specimen (an answer of the sandbox) in recorded answers, whose fields may have other names and types.
 * @param place the place of the specimen, such as `data`
 */
export function pairUp(specimen: unknown, seen: readonly unknown[], place: string, clues: Clues): Pairing {
  const pairing: Pairing = { names: {}, types: {}, more: {}, fewer: [], values: new Map() }
  pairValue(specimen, seen, place, clues, pairing)
  return pairing
}

function pairValue(specimen: unknown, seen: readonly unknown[], place: string, clues: Clues, into: Pairing): void {
  into.values.set(place, [...seen])
  if (Array.isArray(specimen)) {
    const items = seen.flatMap((value) => (Array.isArray(value) ? value : []))
    if (items.length > 0) pairValue(specimen[0], items, `${place}.*`, clues, into)
  } else if (isRecord(specimen)) {
    const records = seen.filter(isRecord)
    if (records.length > 0) pairFields(specimen, records, place, clues, into)
  }
  const types = new Set(seen.map(typeOf))
  types.delete('null')
  const [type, another] = types
  const own = typeOf(specimen)
  if (another !== undefined || type === undefined || type === 'object' || type === 'null') return
  if (own !== type && own !== 'null' && own !== 'object' && own !== 'list') into.types[place] = type
}

interface Field {
  name: string
  values: unknown[]
}

function pairFields(
  specimen: Record<string, unknown>,
  records: readonly Record<string, unknown>[],
  place: string,
  clues: Clues,
  into: Pairing,
): void {
  const fields = fieldsOf(records)
  const pairs = pairedNames(specimen, fields, clues)
  for (const [name, value] of Object.entries(specimen)) {
    const own = `${place}.${name}`
    const found = pairs.get(name)
    if (found === undefined) {
      into.fewer.push(own)
      continue
    }
    if (found.name !== name) into.names[own] = found.name
    pairValue(value, found.values, own, clues, into)
  }
  const taken = new Set([...pairs.values()].map(({ name }) => name))
  for (const { name, values } of fields)
    if (!taken.has(name) && Object.keys(into.more).length < MOST_MORE)
      into.more[`${place}.${name}`] = values.find((value) => value !== null) ?? null
}

function fieldsOf(records: readonly Record<string, unknown>[]): Field[] {
  const fields = new Map<string, unknown[]>()
  for (const record of records)
    for (const [name, value] of Object.entries(record)) {
      const values = fields.get(name)
      if (values === undefined) fields.set(name, [value])
      else values.push(value)
    }
  return [...fields].map(([name, values]) => ({ name, values }))
}

/** Pairs fields with equal names first, then fields with known values or similar names, and finally fields with values of the same form. */
function pairedNames(
  specimen: Readonly<Record<string, unknown>>,
  fields: readonly Field[],
  clues: Clues,
): Map<string, Field> {
  const pairs = new Map<string, Field>()
  const names = () => Object.keys(specimen).filter((name) => !pairs.has(name))
  const free = () => fields.filter((field) => ![...pairs.values()].includes(field))
  for (const field of fields) if (Object.hasOwn(specimen, field.name)) pairs.set(field.name, field)
  const candidates = names()
    .flatMap((name) => free().map((field) => ({ name, field, score: scoreOf(name, specimen[name], field, clues) })))
    .filter(({ score }) => score >= LIKELY)
    .sort((a, b) => b.score - a.score)
  for (const { name, field, score } of candidates) {
    if (pairs.has(name) || [...pairs.values()].includes(field)) continue
    const rival = candidates.some(
      (other) =>
        other.score === score &&
        (other.name === name) !== (other.field === field) &&
        !pairs.has(other.name) &&
        ![...pairs.values()].includes(other.field),
    )
    if (!rival) pairs.set(name, field)
  }
  for (const [name, field] of alone(specimen, names(), free(), clues)) pairs.set(name, field)
  return pairs
}

const LIKELY = 3

function scoreOf(name: string, value: unknown, field: Field, clues: Clues): number {
  const clue = clueOf(name, field, clues)
  if (clue === 'other') return 0
  const like = likeness(name, field.name)
  const fits = compatibility(formOf(value), formsOf(field))
  if (clue === 'own') return fits >= 0 ? 10 + like : 0
  return like < 0.5 ? 0 : like * 4 + fits
}

function clueOf(name: string, { values }: Field, clues: Clues): 'own' | 'other' | undefined {
  const known = values.map(clues).filter((each) => each !== undefined)
  if (known.length === 0) return undefined
  return known.some((each) => each.has(name)) ? 'own' : 'other'
}

const formsOf = ({ values }: Field): Form[] => [...new Set(values.map(formOf).filter((form) => form !== 'nothing'))]

/** Returns 1 if all forms are `own`, 0 if nothing is known or if all are related to `own` (see `RELATED`), and -2 otherwise. */
function compatibility(own: Form, forms: readonly Form[]): number {
  if (own === 'nothing' || forms.length === 0) return 0
  if (forms.every((form) => form === own)) return 1
  return forms.every((form) => RELATED.some((group) => group.includes(own) && group.includes(form))) ? 0 : -2
}

/** Forms in which different services may write the same fact. */
const RELATED: readonly (readonly Form[])[] = [
  ['count', 'amount', 'fraction', 'digits', 'text'],
  ['flag', 'count', 'digits', 'word', 'text'],
  ['uuid', 'count', 'amount', 'digits', 'text', 'word'],
  ['date', 'moment', 'amount', 'digits', 'text'],
  ['address', 'text', 'secret'],
  ['word', 'text', 'count', 'rut', 'email'],
]

/**
 * Pairs the remaining fields whose values have the same form, such as dates. They are paired in their order, if the specimen and the
 * answers have the same number of them. Texts and nulls are not paired, because many fields have these forms.
 */
function alone(
  specimen: Readonly<Record<string, unknown>>,
  names: readonly string[],
  fields: readonly Field[],
  clues: Clues,
): [string, Field][] {
  const own = names
    .map((name) => ({ name, form: formOf(specimen[name]) }))
    .filter(({ form }) => form !== 'nothing' && form !== 'text')
  const seen = fields.flatMap((field) => {
    const [form, another] = formsOf(field)
    return form === undefined || another !== undefined ? [] : [{ field, form }]
  })
  return [...new Set(own.map(({ form }) => form))].flatMap((form) => {
    const left = own.filter((each) => each.form === form)
    const right = seen.filter((each) => each.form === form)
    if (left.length !== right.length) return []
    const pairs = left.map(({ name }, i) => [name, right[i]?.field] as const)
    return pairs.flatMap(([name, field]): [string, Field][] =>
      field === undefined || clueOf(name, field, clues) === 'other' ? [] : [[name, field]],
    )
  })
}

/** Searches a body for the value that is most similar to a specimen. Returns the keys that lead to it; undefined if there is none. */
export function placeOfData(specimen: unknown, body: unknown): readonly string[] | undefined {
  const isList = Array.isArray(specimen)
  const row: unknown = isList ? specimen[0] : specimen
  const names = isRecord(row) ? Object.keys(row) : []
  let best: { keys: readonly string[]; score: number } | undefined
  const look = (value: unknown, keys: readonly string[]): void => {
    const usual = keys.length === 1 && keys[0] === 'data' ? 0.3 : 0
    const score = (likeRow(value, names, isList) ?? Number.NaN) - keys.length * 0.2 + usual
    if (!Number.isNaN(score) && (best === undefined || score > best.score)) best = { keys, score }
    if (!isList && keys.length > 0 && keys.length < 4 && Array.isArray(value) && value.length === 1)
      look(value[0], [...keys, '0'])
    if (keys.length < 4 && isRecord(value))
      for (const [key, inner] of Object.entries(value).slice(0, 100)) look(inner, [...keys, key])
  }
  look(body, [])
  return best?.keys
}

/**
 * Counts the items of `names` that are equal or similar to the name of a field in the object `value`. With `isList`, `value` must be a
 * list, and its first row is examined. Returns undefined if `value` has another type.
 */
function likeRow(value: unknown, names: readonly string[], isList: boolean): number | undefined {
  if (isList) {
    if (!Array.isArray(value)) return undefined
    const [first] = value
    return first === undefined ? 0.5 : isRecord(first) ? likeRow(first, names, false) : undefined
  }
  if (!isRecord(value)) return undefined
  const own = Object.keys(value)
  return names.filter((name) => own.includes(name) || own.some((each) => likeness(name, each) >= 0.75)).length
}
