import type { EndpointName } from '../endpoints.ts'

/** Names and values of headers or of a form, in the order in which they were sent. */
type Pairs = readonly (readonly [name: string, value: string])[]

/** A body, as far as it was read. A body that is too large or not text is `omitted`, with its size in bytes. */
export type PlainBody =
  | { json: unknown }
  | { form: Pairs }
  | { text: string }
  | { omitted: 'pdf' | 'text' | 'binary' | 'broken-json' | 'too-large'; bytes: number }

/** The request of an exchange. `path` includes the query, but not the base address. An empty body is left out. */
export interface PlainRequest {
  method: string
  path: string
  headers: Pairs
  body?: PlainBody | undefined
}

/** The answer of an exchange. */
export interface PlainResponse {
  status: number
  headers: Pairs
  body?: PlainBody | undefined
}

/** One exchange between any program and a service. */
export interface PlainExchange {
  request: PlainRequest
  /** Left out when no complete answer arrived. */
  response?: PlainResponse | undefined
  /** The kind of fault because of which no complete answer arrived. */
  ended?: string | undefined
}

/** One place where an exchange differs from the contract. None of its texts contains a value that was sent. */
export interface Difference {
  /** The place, such as `request form amount` or `answer data.installmentOptions[].total`. */
  where: string
  expected: string
  /** What was sent instead: its type, its form, its length, or a word from a fixed list. Never the value. */
  seen: string
}

/** The result of comparing an exchange with the contract. */
export interface HeldExchange {
  /** The call; null when the contract has no call with this method and path. */
  endpoint: EndpointName | null
  problems: Difference[]
  /**
   * Fields and codes that the specification does not show. They are not differences, because the specification says that it does not show
   * everything.
   */
  news: string[]
}

/** Returns the first value of a header, or undefined when the header was not sent. @param name in lower case */
export function headerIn(headers: Pairs, name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1]
}

/** How often a header was sent. @param name in lower case */
export function timesIn(headers: Pairs, name: string): number {
  return headers.filter(([each]) => each.toLowerCase() === name).length
}

/** The media type of a `Content-Type`, without its parameters, in lower case. Empty when the header is missing. */
export function mediaType(headers: Pairs): string {
  return headerIn(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
}
