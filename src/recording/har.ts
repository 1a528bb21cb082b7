import { STATUS_CODES } from 'node:http'
import type { Entry, RecordedBody, RecordedRequest, RecordedResponse } from './entries.ts'

interface NameValue {
  name: string
  value: string
}

interface HarContent {
  size: number
  mimeType: string
  text?: string
}

interface HarEntry {
  startedDateTime: string
  time: number
  request: {
    method: string
    url: string
    httpVersion: string
    cookies: never[]
    headers: NameValue[]
    queryString: NameValue[]
    postData?: { mimeType: string; text: string; params?: NameValue[] }
    headersSize: -1
    bodySize: number
  }
  response: {
    status: number
    statusText: string
    httpVersion: string
    cookies: never[]
    headers: NameValue[]
    content: HarContent
    redirectURL: string
    headersSize: -1
    bodySize: -1
    _error?: string
  }
  cache: Record<string, never>
  timings: { send: number; wait: number; receive: number }
  comment: string
}

/** The address of deliveries in the HAR document, because a recording does not contain the receiver's address. */
const RECEIVER = 'http://receiver.example'

const SERVICE = 'http://service.example'

interface HarWriter {
  head(version: string): string
  entry(entry: Entry): string | undefined
  tail: string
}

/** Returns a writer of a HAR 1.2 document. It writes entry by entry, so that a long recording needs little memory. */
export function createHarWriter(): HarWriter {
  const bases = new Map<string, string>()
  let count = 0
  return {
    head: (version) =>
      `{"log":{"version":"1.2","creator":{"name":"bnpl","version":${JSON.stringify(version)}},"pages":[],"entries":[`,
    entry(entry) {
      if (entry.kind === 'session' && entry.baseUrl !== undefined) bases.set(entry.session, entry.baseUrl)
      const made = harEntry(entry, bases.get(entry.session) ?? SERVICE)
      if (made === undefined) return undefined
      count++
      return `${count === 1 ? '' : ','}\n${JSON.stringify(made)}`
    },
    tail: '\n]}}\n',
  }
}

function harEntry(entry: Entry, baseUrl: string): HarEntry | undefined {
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

function harRequest({ method, headers, body }: RecordedRequest, url: string): HarEntry['request'] {
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

function postData(body: RecordedBody, mimeType: string): NonNullable<HarEntry['request']['postData']> {
  return { mimeType, text: textOf(body), ...('form' in body ? { params: named(body.form) } : {}) }
}

function contentOf(answer: RecordedResponse | undefined): HarContent {
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

const named = (pairs: readonly (readonly [string, string])[]): NameValue[] =>
  pairs.map(([name, value]) => ({ name, value }))

const headerOf = (headers: readonly (readonly [string, string])[], name: string): string =>
  headers.find(([each]) => each === name)?.[1] ?? ''

function absolute(path: string, base: string): string {
  const text = path.startsWith('/') ? base.replace(/\/+$/, '') + path : path
  return URL.canParse(text) ? text : base
}
