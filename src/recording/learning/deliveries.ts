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

export interface LearntDeliveries {
  manner?: DeliveryManner
  /** By event: the deliveries, and how their fields correspond to those of the sandbox. */
  events: ReadonlyMap<EventType, { pairing: Pairing; deliveries: readonly SeenDelivery[] }>
  retries: LearntRetries
}

const EVENTS: readonly EventType[] = Object.values(INTEGRATIONS).flatMap(({ events }) => events)

/** Learns from the recorded deliveries how a service delivers events. */
export function learnDeliveries(seen: Sightings, clues: Clues): LearntDeliveries {
  const { deliveries } = seen
  const retries = learnRetries(seen.attempts)
  const events: Map<EventType, { pairing: Pairing; deliveries: SeenDelivery[] }> = new Map()
  const kinds = deliveries.map(eventSeen)
  for (const event of EVENTS) {
    const own = deliveries.filter((_, i) => kinds[i] === event)
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
    ...(retries.timeout && { timeoutMs: retries.timeout.ms }),
  }
  return { manner, events, retries }
}

/** All events have the same envelope, so what one event shows about the envelope is used for all. */
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

/** Returns the event type of a delivery. No field contains the type, so it is derived from the field names and the way of signing. */
export function eventSeen({ body, headers, signature }: SeenDelivery): EventType | undefined {
  const data = dataOf(body)
  if (data === undefined) return undefined
  const scheme = signature?.header === undefined ? schemeOf(headers) : signature.scheme
  const names = Object.keys(data)
  const best = bestEvent(names, scheme, false)
  // Look for similar names only if equal names do not suffice: a search for similar names takes a hundred times as long.
  const found = best.like >= 0.6 ? best : bestEvent(names, scheme, true)
  if (found.like < 0.3) return scheme === 'hmac' ? 'loan_approved' : undefined
  return found.event
}

function bestEvent(names: readonly string[], scheme: string | undefined, loosely: boolean) {
  const likes = EVENTS.map((event) => {
    const own = Object.keys(DELIVERED[event].data)
    const both = own.filter(
      (name) => names.includes(name) || (loosely && names.some((each) => likeness(each, name) >= 0.75)),
    ).length
    return { event, like: (2 * both) / (own.length + names.length) + (isOf(event, scheme) ? 0.3 : 0) }
  })
  return likes.reduce((a, b) => (b.like > a.like ? b : a))
}

const isOf = (event: EventType, scheme: string | undefined): boolean =>
  scheme !== undefined && (scheme === 'hmac') === (event === 'loan_approved')

const schemeOf = (headers: SeenDelivery['headers']): 'hmac' | 'token' | undefined => {
  if (headerIn(headers, INTEGRATIONS.bnpl.header) !== undefined) return 'hmac'
  return headerIn(headers, INTEGRATIONS['real-estate'].header) === undefined ? undefined : 'token'
}

/** Returns the data of an event: the field `data`, or the first field that is an object, because a service may use another name. */
function dataOf(body: unknown): Record<string, unknown> | undefined {
  if (!isRecord(body)) return undefined
  if (isRecord(body.data)) return body.data
  return Object.values(body).find(isRecord)
}

/** Returns how deliveries are signed, as the recorder noted it from the original bytes. */
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

/** Returns the text before a signature, such as `sha256=`. */
export const prefixOf = (value: string | undefined): string => /^(.*?)\(secret\)$/.exec(value ?? '')?.[1] ?? ''
