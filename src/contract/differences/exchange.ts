import type { EndpointName } from '../endpoints.ts'

/** Names and values of headers or of a form, in the order in which they were sent. */
type Pairs = readonly (readonly [name: string, value: string])[]

/** A body as far as it was read. A body that was too large, or is no text, is `omitted`, with its size in bytes. */
export type PlainBody =
  | { json: unknown }
  | { form: Pairs }
  | { text: string }
  | { omitted: 'pdf' | 'text' | 'binary' | 'broken-json' | 'too-large'; bytes: number }

/** The request of an exchange. `path` has the query, and not the base address; a body that is not there was empty. */
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

/** One exchange with a service, by any program. */
export interface PlainExchange {
  request: PlainRequest
  /** Left out when no complete answer came. */
  response?: PlainResponse | undefined
  /** Why no complete answer came: a kind of fault. */
  ended?: string | undefined
}

/** One place where an exchange differs from the contract. No text in it is a value that was sent. */
export interface Difference {
  /** Such as `request form amount` or `answer data.installmentOptions[].total`. */
  where: string
  expected: string
  /** The type or the form of what was sent, its length, or a word of a closed list. */
  seen: string
}

/** An exchange held against the contract. */
export interface HeldExchange {
  /** The call; null when the contract knows none of this method and path. */
  endpoint: EndpointName | null
  problems: Difference[]
  /** Places of fields and codes that the specification does not show. They are no problems: it says that it does not show everything. */
  news: string[]
}

/** The value of a header that was sent once; undefined when it was not sent. @param name in lower case */
export function headerIn(headers: Pairs, name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1]
}

/** How often a header was sent. @param name in lower case */
export function timesIn(headers: Pairs, name: string): number {
  return headers.filter(([each]) => each.toLowerCase() === name).length
}

/** The media type of a `Content-Type`, without its parameters, in lower case; empty when there is none. */
export function mediaType(headers: Pairs): string {
  return headerIn(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
}
