import type { EndpointName } from './endpoints.ts'
import type { EventType } from './integrations.ts'

/**
 * How one real service behaves where the specification says nothing, or where the service differs from the specification. The facts come
 * from recordings.
 */
export interface Manner {
  /** The times of the first and the last recorded exchange or delivery (ISO 8601), and how many were recorded. */
  learnt: { from: string; to: string; exchanges: number; deliveries: number }
  calls: Partial<Record<EndpointName, CallManner>>
  deliveries?: DeliveryManner
}

export interface CallManner {
  /** How many recorded exchanges of this call were used. */
  seen: number
  /** The path of the call, if the specification shows none, with `{leadId}` for the id. */
  path?: string
  success?: AnswerManner
  /** How refusals look, by the status and code of the sandbox (`404 ERR_LOAN_NOT_FOUND`). */
  refusals?: Record<string, RefusalManner>
  /** The median and the longest time from the request to the complete answer, in milliseconds. */
  ms?: { middle: number; longest: number }
}

/** A successful answer. Places are paths in the body of the sandbox's usual answer, such as `data.installmentOptions.*.amount`. */
export interface AnswerManner {
  status?: number
  contentType?: string
  isEmpty?: boolean
  /** The keys that lead from the body to the value that the sandbox has in `data`; `[]` if that value is the body itself. */
  data?: readonly string[]
  /** For a list: the keys that lead from `data` to the list, and the fields beside the list (a page, a total). */
  list?: { at: readonly string[]; beside: Readonly<Record<string, unknown>> }
  /** The service's names for fields, by place. */
  names?: Readonly<Record<string, string>>
  /** The service's JSON types of fields, by place. */
  types?: Readonly<Record<string, 'text' | 'number' | 'boolean' | 'null' | 'list'>>
  /** Fixed words, such as states, that the service writes differently: by place, and then by the sandbox's word. */
  words?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Fields that the sandbox does not have: an example of the value, by place. */
  more?: Readonly<Record<string, unknown>>
  /** Places of the sandbox's fields that the service does not send. */
  fewer?: readonly string[]
}

export interface RefusalManner {
  status: number
  contentType?: string
  /** The body, with the placeholders `$code` and `$message`. Left out if there is no body. */
  body?: unknown
  code?: string
  retryAfter?: string
}

/** How the service delivers events. `names`, `types`, `more` and `fewer` are about the fields `eventId` and `data`, and those beside them. */
export interface DeliveryManner {
  contentType?: string
  signature?: { header: string; algorithm: string; encoding: string; prefix?: string }
  token?: { header: string }
  names?: Readonly<Record<string, string>>
  types?: AnswerManner['types']
  more?: Readonly<Record<string, unknown>>
  fewer?: readonly string[]
  /** The form of `data` for each event. The places in it begin with `data`. */
  events?: Partial<Record<EventType, EventManner>>
  /** The waits in ms before each repetition of a delivery that was not acknowledged. */
  retriesMs?: readonly number[]
  /** How long the service waits for the answer to a delivery, in ms. */
  timeoutMs?: number
}

export type EventManner = Pick<AnswerManner, 'names' | 'types' | 'words' | 'more' | 'fewer'>
