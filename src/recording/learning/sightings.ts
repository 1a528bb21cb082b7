import { CALLS } from '../../contract/calls/calls.ts'
import { headerIn } from '../../contract/differences/exchange.ts'
import { ENDPOINT_NAMES, type EndpointName, matchEndpoint, type OwnPaths } from '../../contract/endpoints.ts'
import { decodeForm } from '../../contract/form.ts'
import { isRecord } from '../../contract/reading.ts'
import type { Entry, RecordedBody, RecordedDelivery, RecordedExchange, RecordedResponse } from '../entries.ts'
import { kindOfField } from '../field-kinds.ts'
import { MOST_ITEMS, mayHoldProof, sendable, trimmed } from './bounded.ts'

export interface Evidence {
  file: string
  line: number
}

export interface SeenCall {
  /** Undefined if the contract does not know the call. */
  name: EndpointName | undefined
  params: Readonly<Record<string, string>>
  method: string
  path: string
  requestHeaders: RecordedExchange['request']['headers']
  /** The fields of the request in any encoding; empty without a body. */
  asked: Readonly<Record<string, unknown>>
  encoding: 'form' | 'json' | 'other' | undefined
  written: readonly string[]
  status: number
  answer: RecordedResponse
  json: unknown
  at: string
  ms: number
  verdicts: NonNullable<RecordedExchange['verdicts']>
  session: string
  evidence: Evidence
}

export interface SeenDelivery {
  body: unknown
  headers: RecordedDelivery['request']['headers']
  status: number
  signature: RecordedDelivery['signature']
  at: string
  ms: number
  evidence: Evidence
}

export interface SeenAttempt {
  at: number
  ms: number
  /** The ms from the complete request until the service closed the connection without waiting for the answer; undefined if it waited. */
  cutMs: number | undefined
  status: number
  evidence: Evidence
}

/** The facts of recordings. Their size in memory is limited, however long the recordings are. */
export interface Sightings {
  calls: SeenCall[]
  deliveries: SeenDelivery[]
  /** The attempts to deliver each event, by `eventId` and path. */
  attempts: Map<string, SeenAttempt[]>
  /**
   * For each call: the number of successful exchanges that took at most a minute each, and the durations of the first `MOST_DURATIONS` of
   * them, in ms.
   */
  durations: Map<EndpointName, { count: number; ms: number[] }>
  sessions: { baseUrl: string | undefined; environment: string; evidence: Evidence }[]
  from: string
  to: string
  exchanges: number
  delivered: number
}

const MOST_ALIKE = 12
const MOST_SHAPES = 1500
const MOST_EVENTS = 5000
const MOST_DURATIONS = 2000
/** A longer duration, in ms, is ignored, because the computer was probably suspended. */
const LONGEST_MS = 60_000
const MOST_SESSIONS = 500

/** Returns empty sightings, for a recording that was not read yet. */
export const newSightings = (): Sightings => ({
  calls: [],
  deliveries: [],
  attempts: new Map(),
  durations: new Map(),
  sessions: [],
  from: '',
  to: '',
  exchanges: 0,
  delivered: 0,
})

/**
 * Returns a function that adds entries to `seen`.
 * @param paths the paths of the calls for which the specification shows no path
 */
export function gatherer(seen: Sightings, paths: OwnPaths): (entry: Entry, evidence: Evidence) => void {
  const shapes = new Map<string, number>()
  const isKept = (shape: string): boolean => {
    const count = shapes.get(shape) ?? 0
    if (count >= MOST_ALIKE || (count === 0 && shapes.size >= MOST_SHAPES)) return false
    shapes.set(shape, count + 1)
    return true
  }
  return (entry, evidence) => {
    if (entry.kind === 'session') {
      if (seen.sessions.length < MOST_SESSIONS)
        seen.sessions.push({ baseUrl: entry.baseUrl, environment: entry.environment, evidence })
      return
    }
    if (entry.kind === 'left-out') return
    if (seen.from === '' || entry.at < seen.from) seen.from = entry.at
    if (entry.at > seen.to) seen.to = entry.at
    if (entry.kind === 'delivery') {
      seen.delivered++
      const delivery = deliveryOf(entry, evidence)
      addAttempt(seen, delivery, entry)
      if (isKept(`delivery ${shapeOf(delivery.body)} ${JSON.stringify(delivery.signature)}`))
        seen.deliveries.push(delivery)
      return
    }
    seen.exchanges++
    const call = callOf(entry, evidence, paths)
    if (call === undefined) return
    if (call.name !== undefined && call.status < 300 && call.ms <= LONGEST_MS) addDuration(seen, call.name, call.ms)
    const asked = `${call.encoding} ${call.written.join()} ${headerIn(call.requestHeaders, 'authorization') !== undefined}`
    if (isKept(`${call.name ?? call.method} ${call.status} ${asked} ${shapeOf(call.json)}`)) seen.calls.push(call)
  }
}

function callOf(entry: RecordedExchange, evidence: Evidence, paths: OwnPaths): SeenCall | undefined {
  const { request } = entry
  const response = entry.response && { ...entry.response, headers: sendable(entry.response.headers) }
  // A sandbox can answer only with a status from 200 to 599.
  if (response === undefined || response.status < 200 || response.status > 599) return undefined
  const found = matchEndpoint(request.method, request.path.split('?')[0] ?? '', paths)
  const json = response.body !== undefined && 'json' in response.body ? trimmed(response.body.json) : undefined
  return {
    name: ENDPOINT_NAMES.find((each) => each === entry.endpoint) ?? found?.name ?? openedLink(entry),
    params: found?.params ?? {},
    method: request.method,
    path: request.path,
    requestHeaders: request.headers,
    ...askedIn(request.body),
    status: response.status,
    answer: response,
    json,
    at: entry.at,
    ms: entry.ms,
    verdicts: entry.verdicts ?? {},
    session: entry.session,
    evidence,
  }
}

/**
 * Recognises the call that opens a report link. The specification does not show its path, so every GET without a key counts if it is
 * answered with the redirect status of `openInforme`.
 */
function openedLink({ request, response }: RecordedExchange): EndpointName | undefined {
  const isLink = request.method === 'GET' && headerIn(request.headers, 'authorization') === undefined
  return isLink && response?.status === CALLS.openInforme.success.status ? 'openInforme' : undefined
}

function askedIn(body: RecordedBody | undefined): Pick<SeenCall, 'asked' | 'encoding' | 'written'> {
  if (body === undefined) return { asked: {}, encoding: undefined, written: [] }
  if ('form' in body) {
    const asked = decodeForm(
      new URLSearchParams(body.form.map(([name, value]): [string, string] => [name, value])).toString(),
    )
    return { asked, encoding: 'form', written: body.form.map(([name]) => name).slice(0, MOST_ITEMS) }
  }
  if (!('json' in body)) return { asked: {}, encoding: 'other', written: [] }
  return { asked: isRecord(body.json) ? body.json : {}, encoding: 'json', written: [] }
}

const deliveryOf = ({ request, response, signature, at, ms }: RecordedDelivery, evidence: Evidence): SeenDelivery => ({
  body: request.body !== undefined && 'json' in request.body ? trimmed(request.body.json) : undefined,
  headers: sendable(request.headers),
  status: response.status,
  signature: mayHoldProof(signature?.header) ? signature : undefined,
  at,
  ms,
  evidence,
})

function addAttempt(
  { attempts }: Sightings,
  { body, at, ms, status, evidence }: SeenDelivery,
  { request: { path }, cutMs }: RecordedDelivery,
): void {
  const id = isRecord(body) ? body.eventId : undefined
  if (typeof id !== 'string' && typeof id !== 'number') return
  const time = Date.parse(at)
  if (Number.isNaN(time)) return
  const key = JSON.stringify([id, path])
  const known = attempts.get(key)
  if (known === undefined && attempts.size >= MOST_EVENTS) return
  const made = [...(known ?? []), { at: time, ms, cutMs, status, evidence }].slice(0, 100)
  attempts.set(key, made)
}

function addDuration({ durations }: Sightings, name: EndpointName, ms: number): void {
  const known = durations.get(name) ?? { count: 0, ms: [] }
  known.count++
  if (known.ms.length < MOST_DURATIONS) known.ms.push(ms)
  durations.set(name, known)
}

/** Returns the names, types and words in a value as one text. Two answers with the same shape show the same facts. */
function shapeOf(value: unknown, name = ''): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map((item) => shapeOf(item, name)))].sort().join()}]`
  if (isRecord(value))
    return `{${Object.entries(value)
      .map(([key, item]) => `${key}:${shapeOf(item, key)}`)
      .join()}}`
  if (typeof value === 'string' && kindOfField(name) === 'code') return JSON.stringify(value.slice(0, 64))
  return value === null ? 'null' : typeof value
}
