import type { EndpointName } from '../endpoints.ts'

type Pairs = readonly (readonly [name: string, value: string])[]

/**
 * Why the content of a body is unknown: the body is larger than bnpl reads, or it could not be decoded as its `Content-Encoding` says.
 */
export type Unread = 'too-large' | 'undecodable'

/** A body. If its content was left out, only the reason and the size in bytes are known. */
export type PlainBody =
  | { json: unknown }
  | { form: Pairs }
  | { text: string }
  | { omitted: 'pdf' | 'text' | 'binary' | 'broken-json' | Unread; bytes: number }

/** `path` includes the query, but not the base address. An empty body is left out. */
export interface PlainRequest {
  method: string
  path: string
  headers: Pairs
  body?: PlainBody | undefined
}

export interface PlainResponse {
  status: number
  headers: Pairs
  body?: PlainBody | undefined
}

export interface PlainExchange {
  request: PlainRequest
  response?: PlainResponse | undefined
  /** The kind of failure that prevented a complete answer. */
  ended?: string | undefined
}

/** One place where an exchange differs from the contract. No text in it contains a value that was sent. */
export interface Difference {
  /** The place, such as `request form amount` or `answer data.installmentOptions[].total`. */
  where: string
  expected: string
  /** The type, form or length of what was sent, or a word from a fixed list. Never the value. */
  seen: string
}

export interface ComparedExchange {
  /** Null when the contract has no call with this method and path. */
  endpoint: EndpointName | null
  problems: Difference[]
  /** Fields and codes that the specification does not show. They are not differences. */
  news: string[]
}

/** Returns the first value of a header, or undefined. The name must be in lower case. */
export function headerIn(headers: Pairs, name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1]
}

/** Returns how often a header was sent. The name must be in lower case. */
export function timesIn(headers: Pairs, name: string): number {
  return headers.filter(([each]) => each.toLowerCase() === name).length
}

/** Returns the media type of `Content-Type`, without its parameters, in lower case. Empty when the header is missing. */
export function mediaType(headers: Pairs): string {
  return headerIn(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
}

/** Returns why the content of a body is unknown; undefined if it is known. */
export function whyUnread(body: PlainBody | undefined): Unread | undefined {
  if (body === undefined || !('omitted' in body)) return undefined
  return body.omitted === 'too-large' || body.omitted === 'undecodable' ? body.omitted : undefined
}
