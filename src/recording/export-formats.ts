import { STATUS_CODES } from 'node:http'
import { eventOf } from '../contract/events.ts'
import { isRecord } from '../text/json-text.ts'
import type {
  Entry,
  RecordedBody,
  RecordedDelivery,
  RecordedExchange,
  RecordedRequest,
  RecordedResponse,
} from './lines.ts'

interface Fixture {
  file: string
  content: {
    method: string
    path: string
    request: unknown
    status: number
    response?: unknown
  }
}

interface FixtureIndex {
  file: string
  endpoint: string
  method: string
  path: string
  status: number
  /** How many recorded entries belong to this file. The file contains only the last of them. */
  count: number
  recordedAt: string
}

/** Collects the fixtures of a recording: one file for each call and status, and one for each event type. */
export function createFixtures() {
  const found = new Map<string, { fixture: Fixture; index: FixtureIndex }>()
  return {
    add(entry: Entry): void {
      const made = fixtureOf(entry)
      if (made === undefined) return
      const { method, path, status } = made.content
      const endpoint = made.file.split('/')[0] ?? ''
      const count = (found.get(made.file)?.index.count ?? 0) + 1
      found.set(made.file, {
        fixture: made,
        index: { file: made.file, endpoint, method, path, status, count, recordedAt: entry.at },
      })
    },
    fixtures: () => sorted(found).map(({ fixture }) => fixture),
    index: () => sorted(found).map(({ index }) => index),
  }
}

const sorted = (found: Map<string, { fixture: Fixture; index: FixtureIndex }>) =>
  [...found.values()].sort(({ fixture: a }, { fixture: b }) => (a.file < b.file ? -1 : 1))

function fixtureOf(entry: Entry): Fixture | undefined {
  if (entry.kind === 'delivery') return ofDelivery(entry)
  return entry.kind === 'exchange' ? ofExchange(entry) : undefined
}

function ofExchange({ endpoint, request, response }: RecordedExchange): Fixture | undefined {
  if (endpoint === undefined || response === undefined || !/^\w+$/.test(endpoint)) return undefined
  const { method, path } = request
  return {
    file: `${endpoint}/${response.status}.json`,
    content: {
      method,
      path,
      request: bodyValue(request.body),
      status: response.status,
      response: bodyValue(response.body),
    },
  }
}

function ofDelivery({ request, response, signature }: RecordedDelivery): Fixture {
  const body = bodyValue(request.body)
  const data = isRecord(body) ? body.data : undefined
  const event = data === undefined ? 'other' : eventOf(signature?.scheme ?? 'hmac', data)
  const { method, path } = request
  return {
    file: `delivery/${event}.json`,
    content: { method, path, request: body, status: response.status },
  }
}

function bodyValue(body: RecordedBody | undefined): unknown {
  if (body === undefined || 'omitted' in body) return null
  if ('json' in body) return body.json
  if ('text' in body) return body.text
  const fields: [string, string | string[]][] = []
  for (const [name, value] of body.form) {
    const before = fields.find(([each]) => each === name)
    if (before === undefined) fields.push([name, value])
    else before[1] = [before[1], value].flat()
  }
  return Object.fromEntries(fields)
}

/** The address of deliveries in the HAR document, because a recording does not contain the receiver's address. */
const RECEIVER = 'http://receiver.example'

const SERVICE = 'http://service.example'

/** Returns a writer of a HAR 1.2 document. It writes entry by entry, so that a long recording needs little memory. */
export function createHarWriter() {
  const bases = new Map<string, string>()
  let count = 0
  return {
    head: (version: string) =>
      `{"log":{"version":"1.2","creator":{"name":"bnpl","version":${JSON.stringify(version)}},"pages":[],"entries":[`,
    entry(entry: Entry): string | undefined {
      if (entry.kind === 'session' && entry.baseUrl !== undefined) bases.set(entry.session, entry.baseUrl)
      const made = harEntry(entry, bases.get(entry.session) ?? SERVICE)
      if (made === undefined) return undefined
      count++
      return `${count === 1 ? '' : ','}\n${JSON.stringify(made)}`
    },
    tail: '\n]}}\n',
  }
}

function harEntry(entry: Entry, baseUrl: string) {
  if (entry.kind !== 'exchange' && entry.kind !== 'delivery') return undefined
  const isDelivery = entry.kind === 'delivery'
  const url = absolute(entry.request.path, isDelivery ? RECEIVER : baseUrl)
  const answer: RecordedResponse | undefined = isDelivery ? { ...entry.response, headers: [] } : entry.response
  const ended = isDelivery ? undefined : entry.ended
  return {
    startedDateTime: entry.at,
    time: entry.ms,
    request: harRequest(entry.request, url),
    response: {
      status: answer?.status ?? 0,
      statusText: STATUS_CODES[answer?.status ?? 0] ?? '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: named(answer?.headers ?? []),
      content: contentOf(answer),
      redirectURL: headerOf(answer?.headers ?? [], 'location'),
      headersSize: -1,
      bodySize: -1,
      ...(ended === undefined ? {} : { _error: ended }),
    },
    cache: {},
    timings: { send: 0, wait: entry.ms, receive: 0 },
    comment: isDelivery ? 'delivery' : (entry.endpoint ?? ''),
  }
}

function harRequest({ method, headers, body }: RecordedRequest, url: string) {
  const type = headerOf(headers, 'content-type')
  return {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: named(headers),
    queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
    ...(body === undefined ? {} : { postData: postData(body, type) }),
    headersSize: -1,
    bodySize: body === undefined ? 0 : -1,
  }
}

function postData(body: RecordedBody, mimeType: string) {
  return { mimeType, text: textOf(body), ...('form' in body ? { params: named(body.form) } : {}) }
}

function contentOf(answer: RecordedResponse | undefined) {
  const mimeType = headerOf(answer?.headers ?? [], 'content-type') || 'x-unknown'
  const body = answer?.body
  if (body === undefined) return { size: 0, mimeType }
  if ('omitted' in body) return { size: body.bytes, mimeType }
  const text = textOf(body)
  return { size: Buffer.byteLength(text), mimeType, text }
}

function textOf(body: RecordedBody): string {
  if ('json' in body) return JSON.stringify(body.json)
  if ('form' in body) return new URLSearchParams(body.form).toString()
  return 'text' in body ? body.text : ''
}

const named = (pairs: readonly (readonly [string, string])[]) => pairs.map(([name, value]) => ({ name, value }))

const headerOf = (headers: readonly (readonly [string, string])[], name: string): string =>
  headers.find(([each]) => each === name)?.[1] ?? ''

function absolute(path: string, base: string): string {
  const text = path.startsWith('/') ? base.replace(/\/+$/, '') + path : path
  return URL.canParse(text) ? text : base
}
