import { headerIn } from '../../contract/differences/exchange.ts'
import { type EventType, INTEGRATIONS } from '../../contract/integrations.ts'
import type { DeliveryManner, EventManner } from '../../contract/manner.ts'
import { isRecord } from '../../contract/reading.ts'
import { filled, usual } from './answers.ts'
import { likeness } from './forms.ts'
import { type Clues, type Pairing, pairUp } from './pairing.ts'
import { type LearntRetries, learnRetries } from './retries.ts'
import type { SeenDelivery, Sightings } from './sightings.ts'
import { DELIVERED } from './specimens.ts'
import { wordsOf } from './words.ts'

/** What deliveries show. */
export interface LearntDeliveries {
  /** Absent without a delivery. */
  manner?: DeliveryManner
  /** By event: its deliveries, and how their fields correspond to the sandbox's. */
  events: ReadonlyMap<EventType, { pairing: Pairing; deliveries: readonly SeenDelivery[] }>
  retries: LearntRetries
}

const EVENTS: readonly EventType[] = Object.values(INTEGRATIONS).flatMap(({ events }) => events)

/** How a service delivers events, from the recorded deliveries. */
export function learnDeliveries(seen: Sightings, clues: Clues): LearntDeliveries {
  const { deliveries } = seen
  const retries = learnRetries(seen.attempts)
  const events: Map<EventType, { pairing: Pairing; deliveries: SeenDelivery[] }> = new Map()
  for (const event of EVENTS) {
    const own = deliveries.filter((each) => eventSeen(each) === event)
    if (own.length === 0) continue
    const pairing = pairUp(
      DELIVERED[event],
      own.map(({ body }) => body),
      '',
      clues,
    )
    events.set(event, { pairing: rooted(pairing), deliveries: own })
  }
  if (deliveries.length === 0) return { events, retries }
  const pairings = [...events.values()].map(({ pairing }) => pairing)
  const contentType = usual(deliveries.map(({ headers }) => headerIn(headers, 'content-type')))
  const manner: DeliveryManner = {
    ...(contentType === undefined || contentType.startsWith('(') ? {} : { contentType }),
    ...proofs(deliveries),
    ...envelopeOf(pairings),
    ...filled({ events: Object.fromEntries([...events].map(([event, { pairing }]) => [event, eventManner(pairing)])) }),
    ...(retries.waitsMs.length > 0 && { retriesMs: retries.waitsMs }),
  }
  return { manner, events, retries }
}

/** What the deliveries of all events have in common: the fields of the envelope. */
function envelopeOf(pairings: readonly Pairing[]): Pick<DeliveryManner, 'names' | 'types' | 'more' | 'fewer'> {
  const isOutside = (place: string) => !place.includes('.')
  const outside = <T>(records: readonly Record<string, T>[]): Record<string, T> =>
    Object.fromEntries(records.flatMap((record) => Object.entries(record).filter(([place]) => isOutside(place))))
  const fewer = [...new Set(pairings.flatMap((each) => each.fewer.filter(isOutside)))]
  return {
    ...filled({ names: outside(pairings.map(({ names }) => names)) }),
    ...filled({ types: outside(pairings.map(({ types }) => types)) }),
    ...filled({ more: outside(pairings.map(({ more }) => more)) }),
    ...(fewer.length > 0 && { fewer }),
  }
}

/** What is in `data` of one event. */
function eventManner(pairing: Pairing): EventManner {
  const inside = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).filter(([place]) => place.includes('.')))
  const fewer = pairing.fewer.filter((place) => place.includes('.'))
  return {
    ...filled({ names: inside(pairing.names) }),
    ...filled({ types: inside(pairing.types) }),
    ...filled({ words: inside(wordsOf(pairing)) }),
    ...filled({ more: inside(pairing.more) }),
    ...(fewer.length > 0 && { fewer }),
  }
}

/** Places without the dot with which those of an envelope begin. */
function rooted({ names, types, more, fewer, values }: Pairing): Pairing {
  const key = (place: string) => place.replace(/^\./, '')
  const record = <T>(given: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(given).map(([place, value]) => [key(place), value]))
  return {
    names: record(names),
    types: record(types),
    more: record(more),
    fewer: fewer.map(key),
    values: new Map([...values].map(([place, value]) => [key(place), value])),
  }
}

/** The event of a delivery: no field names it, so its scheme and its fields tell. */
export function eventSeen({ body, headers, signature }: SeenDelivery): EventType | undefined {
  const data = dataOf(body)
  if (data === undefined) return undefined
  const scheme = signature?.header === undefined ? schemeOf(headers) : signature.scheme
  const names = Object.keys(data)
  const count = (event: EventType) => {
    const own = Object.keys(DELIVERED[event].data)
    const both = own.filter((name) => names.includes(name) || names.some((each) => likeness(each, name) >= 0.75)).length
    return (2 * both) / (own.length + names.length)
  }
  const best = EVENTS.map((event) => ({ event, like: count(event) + (isOf(event, scheme) ? 0.3 : 0) })).sort(
    (a, b) => b.like - a.like,
  )[0]
  if (best === undefined || best.like < 0.3) return scheme === 'hmac' ? 'loan_approved' : undefined
  return best.event
}

const isOf = (event: EventType, scheme: string | undefined): boolean =>
  scheme !== undefined && (scheme === 'hmac') === (event === 'loan_approved')

const schemeOf = (headers: SeenDelivery['headers']): 'hmac' | 'token' | undefined => {
  if (headerIn(headers, INTEGRATIONS.bnpl.header) !== undefined) return 'hmac'
  return headerIn(headers, INTEGRATIONS['real-estate'].header) === undefined ? undefined : 'token'
}

/** What the envelope has in the place of `data`. */
function dataOf(body: unknown): Record<string, unknown> | undefined {
  if (!isRecord(body)) return undefined
  if (isRecord(body.data)) return body.data
  return Object.values(body).find(isRecord)
}

/** How deliveries are proven: from the verdicts, which were found with the original bytes. */
function proofs(deliveries: readonly SeenDelivery[]): Pick<DeliveryManner, 'signature' | 'token'> {
  const signed = deliveries.filter(({ signature }) => signature?.scheme === 'hmac' && signature.algorithm !== undefined)
  const [example] = signed
  const header = usual(signed.flatMap(({ signature }) => signature?.header ?? []))
  const algorithm = usual(signed.flatMap(({ signature }) => signature?.algorithm ?? []))
  const encoding = usual(signed.flatMap(({ signature }) => signature?.encoding ?? []))
  const token = usual(
    deliveries.flatMap(({ signature, headers }) =>
      signature?.scheme === 'token' &&
      signature.header !== undefined &&
      headerIn(headers, signature.header) !== undefined
        ? signature.header
        : [],
    ),
  )
  const prefix = header === undefined || example === undefined ? '' : prefixOf(headerIn(example.headers, header))
  return {
    ...(header !== undefined &&
      algorithm !== undefined &&
      encoding !== undefined && { signature: { header, algorithm, encoding, ...(prefix !== '' && { prefix }) } }),
    ...(token !== undefined && { token: { header: token } }),
  }
}

/** What stands before a signature, such as `sha256=`. */
export const prefixOf = (value: string | undefined): string => /^(.*?)\(secret\)$/.exec(value ?? '')?.[1] ?? ''
