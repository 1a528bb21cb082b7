import { isRecord } from '../text/json-text.ts'
import { percentDecoded } from '../text/secrets.ts'
import { callOfPath, callPaths, type KnownAddresses, queryPairs, sanitisePath, sanitiseUrl } from './addresses.ts'
import { type LargeBody, type ReadBody, readMessageBody, sanitiseBody } from './bodies.ts'
import { isServiceWord, kindOfField } from './field-kinds.ts'
import { type Headers, proofsIn, sanitiseHeaders } from './headers.ts'
import type { RecordedRequest, RecordedResponse } from './lines.ts'
import { createSecretFinder } from './secrets.ts'
import { createNames, createStandIns } from './stand-ins.ts'
import type { Sanitising } from './values.ts'

export interface RawMessage {
  method: string
  /** Path and query; the whole address if the host is not the service's. */
  path: string
  headers: Headers
  body?: Uint8Array | LargeBody | undefined
}

export interface RawReply {
  status: number
  headers: Headers
  body?: Uint8Array | LargeBody | undefined
}

export interface SanitiserOptions extends KnownAddresses {
  /** At least 32 random bytes for this session. They must not be stored, because the original values could be found with them. */
  key: Uint8Array
  secrets: readonly string[]
  /** Names or places of fields that the user wants to keep, although their kind is unknown. */
  keep: readonly string[]
  /** The states and steps of the service, which are kept in fields for codes. */
  codes?: readonly string[]
  /** Milliseconds since 1970. */
  now(): number
}

const MOST_PLACES = 300

/** Creates the sanitiser of one session. In a session, the same person always becomes the same invented person. */
export function createSanitiser(options: SanitiserOptions) {
  const standIns = createStandIns(options.key)
  const secrets = createSecretFinder(options.secrets)
  const names = createNames()
  const codes = new Set(options.codes)
  const calls = callPaths(options.paths)
  const places = new Map<string, number>()
  const keep = new Set(options.keep)
  const s: Sanitising = {
    secrets,
    names,
    standIns,
    isCode: (text) => codes.has(text),
    get now() {
      return options.now()
    },
    keeps: (place) => keep.has(place) || keep.has(placeOf(place)) || keep.has(place.split(/[.\s?]/).at(-1) ?? ''),
    leftOut(place) {
      if (place !== '' && (places.has(place) || places.size < MOST_PLACES))
        places.set(place, (places.get(place) ?? 0) + 1)
    },
    url: (text) => sanitiseUrl(text, calls, options, s),
  }
  const learnField = (value: string, name: string): void => {
    const kind = kindOfField(name)
    if (kind === 'secret' && !isServiceWord(value)) secrets.learn(value)
    else if (kind === 'words' || kind === 'person') names.learn(value)
    else if (kind === 'email') names.learn(value.split('@', 1)[0] ?? '')
  }
  const pathOf = (path: string, place: string) =>
    /^https?:\/\//i.test(path) ? (s.url(path) ?? '/') : sanitisePath(path, place, calls, options, s)
  const learnMessage = ({ path, headers }: RawMessage, body: ReadBody | undefined) => {
    for (const proof of proofsIn(headers)) secrets.learn(proof)
    const call = callOfPath(calls, undefined, path)
    const segments = (path.split('?')[0] ?? '').split('/').filter(Boolean)
    for (const [i, part] of (call?.parts ?? []).entries())
      if (part.startsWith('{'))
        learnField(percentDecoded(segments[segments.length - (call?.parts.length ?? 0) + i] ?? ''), part.slice(1, -1))
    for (const { name, value } of path.includes('?') ? queryPairs(path.slice(path.indexOf('?') + 1)) : [])
      if (value !== undefined) learnField(value, name)
    learnBody(body, learnField)
  }
  const requestOf = (raw: RawMessage, body: ReadBody | undefined, place: string): RecordedRequest => ({
    method: /^[A-Z]{1,16}$/.test(raw.method) ? raw.method : 'OTHER',
    path: pathOf(raw.path, place),
    headers: sanitiseHeaders(raw.headers, s),
    ...given(sanitiseBody(body, `${place}: `, s)),
  })
  return {
    exchange(request: RawMessage, response: RawReply | undefined) {
      const asked = readMessageBody(request.body, typeOf(request.headers))
      const answered = readMessageBody(response?.body, typeOf(response?.headers ?? []))
      learnMessage(request, asked)
      for (const proof of proofsIn(response?.headers ?? [])) secrets.learn(proof)
      learnBody(answered, learnField)
      const endpoint = callOfPath(calls, request.method, request.path)?.endpoint
      const place = endpoint ?? 'another call'
      const answer: RecordedResponse | undefined = response && {
        status: response.status,
        headers: sanitiseHeaders(response.headers, s),
        ...given(sanitiseBody(answered, `${place}: `, s)),
      }
      return {
        ...(endpoint === undefined ? {} : { endpoint }),
        request: requestOf(request, asked, place),
        ...(answer === undefined ? {} : { response: answer }),
      }
    },
    delivery(request: RawMessage) {
      const body = readMessageBody(request.body, typeOf(request.headers))
      learnMessage(request, body)
      return { request: requestOf(request, body, 'delivery') }
    },
    address: (url: string) => s.url(url),
    learnSecret: secrets.learn,
    leftOut: () => [...places].map(([where, count]) => ({ where, count })),
  }
}

const given = (body: RecordedRequest['body']) => (body === undefined ? {} : { body })

const typeOf = (headers: Headers) => headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''

const placeOf = (place: string) => place.replace(/^.*?: /, '')

/** Passes each field of a body to `learn`. This is done before any value is recorded, because a later field may show what an earlier one is. */
function learnBody(body: ReadBody | undefined, learn: (value: string, name: string) => void): void {
  const json = (value: unknown, name: string): void => {
    if (typeof value === 'string' || typeof value === 'number') learn(String(value), name)
    else if (Array.isArray(value)) for (const item of value) json(item, name)
    else if (isRecord(value)) for (const [key, item] of Object.entries(value)) json(item, key)
  }
  if (body !== undefined && 'json' in body) json(body.json, '')
  else if (body !== undefined && 'form' in body) for (const { name, value } of body.form) learn(value, name)
}
