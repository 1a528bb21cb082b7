import type { AnswerManner } from '../../contract/manner.ts'
import { isRecord } from '../../contract/reading.ts'
import { typeOf } from './forms.ts'
import { FIXED_WORDS } from './specimens.ts'

/** What answers show. `facts` are texts such as `.data.id: text`, and `words` are texts such as `.data.state = ACTIVE`. */
export interface Shown {
  facts: Set<string>
  /** Places at which the value is null, so the type of the field is unknown. */
  open: Set<string>
  words: Set<string>
}

const nothing = (): Shown => ({ facts: new Set(), open: new Set(), words: new Set() })

/** Returns the facts that recorded values show. */
export function shownBy(values: readonly unknown[]): Shown {
  const shown = nothing()
  const add = (value: unknown, place: string, depth: number): void => {
    if (value === undefined || depth > 12) return
    if (value === null) {
      shown.open.add(place)
      return
    }
    shown.facts.add(`${place}: ${typeOf(value)}`)
    if (Array.isArray(value)) for (const item of value) add(item, `${place}[]`, depth + 1)
    else if (isRecord(value)) for (const [name, item] of Object.entries(value)) add(item, `${place}.${name}`, depth + 1)
    else if (typeof value === 'string') shown.words.add(`${place} = ${value}`)
  }
  for (const value of values) add(value, '', 0)
  return shown
}

const dotted = (keys: readonly string[]) => keys.map((key) => (key === '0' ? '[]' : `.${key}`)).join('')

/**
 * Returns the facts that an answer of the sandbox shows when the sandbox imitates a service.
 * @param specimen an example of the sandbox's answer, or of the part at `root`
 * @param root the place of the specimen in the answer; empty if the specimen is the whole body
 */
export function shownLike(specimen: unknown, manner: AnswerManner = {}, root = 'data'): Shown {
  const shown = nothing()
  const { data = root === '' ? [] : [root], list, names = {}, types = {}, words = {}, more = {}, fewer = [] } = manner
  const inside = [...data, ...(list?.at ?? [])]
  for (let i = 0; i < inside.length; i++)
    shown.facts.add(`${dotted(inside.slice(0, i))}: ${inside[i] === '0' ? 'list' : 'object'}`)
  const around = dotted(inside.slice(0, -1))
  const addExample = (value: unknown, place: string): void => {
    const { facts, open } = shownBy([value])
    for (const fact of facts) shown.facts.add(place + fact)
    for (const each of open) shown.open.add(place + each)
  }
  const addMore = (own: string, place: string): void => {
    for (const [key, value] of Object.entries(more)) {
      const at = key.lastIndexOf('.')
      if ((at < 0 ? '' : key.slice(0, at)) === own) addExample(value, `${place}.${key.slice(at + 1)}`)
    }
  }
  const add = (value: unknown, own: string, place: string): void => {
    if (value === null || value === undefined) {
      shown.open.add(place)
      return
    }
    const isListed = types[own] === 'list' && !Array.isArray(value)
    shown.facts.add(`${place}: ${types[own] ?? typeOf(value)}`)
    if (isListed) shown.facts.add(`${place}[]: ${typeOf(value)}`)
    if (Array.isArray(value)) add(value[0], `${own}.*`, `${place}[]`)
    else if (isRecord(value)) {
      for (const [name, item] of Object.entries(value)) {
        const inner = own === '' ? name : `${own}.${name}`
        if (!fewer.includes(inner)) add(item, inner, `${place}.${names[inner] ?? name}`)
      }
      addMore(own, place)
    } else if (typeof value === 'string' && FIXED_WORDS[own.split('.').at(-1) ?? ''] !== undefined)
      shown.words.add(`${isListed ? `${place}[]` : place} = ${words[own]?.[value] ?? value}`)
  }
  for (const [name, value] of Object.entries(list?.beside ?? {})) addExample(value, `${around}.${name}`)
  add(specimen, root, dotted(inside))
  if (root !== '') addMore('', around)
  return shown
}

/**
 * Returns the facts of the service and of the sandbox that can be compared. A fact is left out if the other side has null or an empty list
 * at its place, because these do not show a type.
 */
export function comparable(service: Shown, sandbox: Shown): { service: string[]; sandbox: string[] } {
  const placeOf = (fact: string) => fact.replace(/(: | = )[\s\S]*$/, '')
  const fixed = new Set([...sandbox.words].map(placeOf))
  const spoken = new Set([...service.words].map(placeOf))
  const rows = (place: string) => place.endsWith('[]')
  const isBelow = (fact: string, places: ReadonlySet<string>) => {
    const place = placeOf(fact)
    return [...places].some((each) => place === each || place.startsWith(`${each}.`) || place.startsWith(`${each}[]`))
  }
  const empty = new Set(
    [...sandbox.facts]
      .map(placeOf)
      .filter((place) => rows(place) && ![...service.facts].some((fact) => fact.startsWith(place))),
  )
  return {
    service: [
      ...[...service.facts].filter((fact) => !isBelow(fact, sandbox.open)),
      ...[...service.words].filter((word) => fixed.has(placeOf(word))),
    ],
    sandbox: [
      ...[...sandbox.facts].filter(
        (fact) => !isBelow(fact, empty) && (service.facts.has(fact) || !isBelow(fact, service.open)),
      ),
      ...[...sandbox.words].filter((word) => spoken.has(placeOf(word)) || !isBelow(word, empty)),
    ],
  }
}
