import type { AnswerManner } from '../../../contract/manner.ts'
import { numberOfId } from './numbered-ids.ts'

/**
 * How the fields of the imitated service differ from the sandbox's own. `fewer` is a list of field paths. The keys of the other
 * parts are field paths.
 */
type FieldsManner = { [Part in 'names' | 'types' | 'words' | 'more' | 'fewer']?: AnswerManner[Part] | undefined }

type FieldType = NonNullable<AnswerManner['types']>[string]

/** Returns whether the fields of the imitated service are the same as the sandbox's own. */
export function isPlain({ names = {}, types = {}, words = {}, more = {}, fewer = [] }: FieldsManner): boolean {
  return [names, types, words, more].every((each) => Object.keys(each).length === 0) && fewer.length === 0
}

/**
 * Returns a copy of a value with the field names, types and words of the imitated service. Fields that only that service has are added.
 * Fields that it lacks are left out.
 * @param manner its paths refer to the unchanged value; `*` in a path means every item of a list
 */
export function inFieldsOf(manner: FieldsManner, value: unknown): unknown {
  return isPlain(manner) ? value : changed(manner, value, [])
}

function changed(manner: FieldsManner, value: unknown, at: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => changed(manner, item, [...at, '*']))
  if (!isObject(value)) return value
  const { names = {}, types = {}, words = {}, fewer = [] } = manner
  const fields = Object.entries(value).flatMap(([name, own]): [string, unknown][] => {
    const inside = [...at, name]
    const place = inside.join('.')
    if (fewer.includes(place)) return []
    const inner = changed(manner, own, inside)
    const word = typeof inner === 'object' ? undefined : words[place]?.[String(inner)]
    return [[names[place] ?? name, ofType(word ?? inner, types[place])]]
  })
  return { ...Object.fromEntries(fields), ...added(manner.more ?? {}, value, at) }
}

function added(more: Readonly<Record<string, unknown>>, value: object, at: readonly string[]): Record<string, unknown> {
  const all: Record<string, unknown> = {}
  for (const [place, example] of Object.entries(more)) {
    const path = place.split('.')
    const [name, ...rest] = path.slice(at.length)
    const isHere = at.every((part, i) => part === path[i]) && name !== undefined && !Object.hasOwn(value, name)
    if (isHere) all[name] = nested(all[name], rest, example)
  }
  return all
}

function nested(before: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  const own = isObject(before) ? before : {}
  return { ...own, [name]: nested(Reflect.get(own, name), rest, value) }
}

function ofType(value: unknown, type: FieldType | undefined): unknown {
  if (type === undefined) return value
  if (type === 'null') return null
  if (type === 'list') return Array.isArray(value) ? value : [value]
  if (value === null || typeof value === 'object') return value
  if (type === 'text') return String(value)
  if (type === 'boolean') return !['false', '0', ''].includes(String(value).toLowerCase())
  return asNumber(value)
}

const IS_DATE = /^\d{4}-\d{2}-\d{2}(T.*)?$/

function asNumber(value: unknown): unknown {
  if (typeof value !== 'string') return Number(value)
  const ms = IS_DATE.test(value) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(ms)) return ms
  return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : numberOfId(value)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
