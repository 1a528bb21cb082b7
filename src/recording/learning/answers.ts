import { headerIn } from '../../contract/differences/exchange.ts'
import type { EndpointName } from '../../contract/endpoints.ts'
import type { AnswerManner } from '../../contract/manner.ts'
import { isRecord } from '../../contract/reading.ts'
import { type Clues, type Pairing, pairUp, placeOfData } from './pairing.ts'
import type { SeenCall } from './sightings.ts'
import { SPECIMENS } from './specimens.ts'
import { wordsOf } from './words.ts'

export interface LearntAnswer {
  manner: AnswerManner
  /** Which field of the service corresponds to each field of the sandbox; undefined if no recorded body resembles the sandbox's body. */
  pairing?: Pairing
  calls: readonly SeenCall[]
}

/** Returns the item that occurs most often. If several items occur equally often, returns the first of them. */
export function usual<T>(items: readonly T[]): T | undefined {
  const counts = new Map<string, { item: T; count: number }>()
  for (const item of items) {
    const key = JSON.stringify(item) ?? ''
    const known = counts.get(key)
    if (known) known.count++
    else counts.set(key, { item, count: 1 })
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)[0]?.item
}

/** Returns a copy of an object without the properties whose value is `[]` or `{}`. */
export function filled<T extends object>(object: T): Partial<T> {
  const made: Partial<T> = { ...object }
  for (const key in made) {
    const value = made[key]
    const isEmpty = Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0
    if (isEmpty) delete made[key]
  }
  return made
}

/**
 * Returns how the service answers a call that succeeds.
 * @param calls the recorded calls that succeeded
 */
export function learnAnswer(name: EndpointName, calls: readonly SeenCall[], clues: Clues): LearntAnswer {
  const status = usual(calls.map((call) => call.status))
  const contentType = usual(calls.map(({ answer }) => headerIn(answer.headers, 'content-type')))
  const base: AnswerManner = {
    ...(status === undefined ? {} : { status }),
    ...(contentType === undefined || contentType.startsWith('(') ? {} : { contentType }),
  }
  if (calls.length > 0 && calls.every(({ answer }) => answer.body === undefined))
    return { manner: { ...base, ...(name !== 'openInforme' && { isEmpty: true }) }, calls }
  const specimen = SPECIMENS[name]
  const bodies = calls.filter(({ json }) => json !== undefined)
  // Answers with rows in their list are preferred, because an empty list shows less.
  const place = usual(preferred(bodies.map(({ json }) => ({ json, at: placeOfData(specimen, json) }))))
  if (specimen === undefined || place === undefined) return { manner: base, calls }
  const found = bodies.flatMap(({ json }) => {
    const value = insideOf(json, place)
    return value === undefined ? [] : [value]
  })
  const pairing = pairUp(specimen, found, 'data', clues)
  const isList = Array.isArray(specimen)
  const where = isList ? listShape(place, bodies) : { data: place }
  const outside = isList ? {} : beside(place, bodies)
  return {
    manner: {
      ...base,
      ...where,
      ...filled({ names: pairing.names }),
      ...filled({ types: pairing.types }),
      ...filled({ words: wordsOf(pairing, name) }),
      ...filled({ more: { ...outside, ...pairing.more } }),
      ...(pairing.fewer.length === 0 ? {} : { fewer: pairing.fewer }),
    },
    pairing,
    calls,
  }
}

function preferred(found: readonly { json: unknown; at: readonly string[] | undefined }[]): (readonly string[])[] {
  const places = found.flatMap(({ json, at }) => {
    const value = at === undefined ? undefined : insideOf(json, at)
    return at === undefined ? [] : [{ at, isFull: !Array.isArray(value) || value.length > 0 }]
  })
  const full = places.filter(({ isFull }) => isFull)
  return (full.length > 0 ? full : places).map(({ at }) => at)
}

const insideOf = (value: unknown, keys: readonly string[]): unknown =>
  keys.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return key === '0' ? at[0] : undefined
    return isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }, value)

function beside(place: readonly string[], bodies: readonly SeenCall[]): Record<string, unknown> {
  const last = place.at(-1)
  if (last === undefined) return {}
  const rows = bodies.map(({ json }) => insideOf(json, place.slice(0, -1))).filter(isRecord)
  return Object.assign(
    {},
    ...rows.map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => key !== last))),
  )
}

function listShape(place: readonly string[], bodies: readonly SeenCall[]): Pick<AnswerManner, 'data' | 'list'> {
  const data = place[0] === 'data' ? ['data'] : []
  const at = place.slice(data.length)
  const around = beside(place, bodies)
  return at.length === 0 && Object.keys(around).length === 0 ? { data } : { data, list: { at, beside: around } }
}
