import type { EndpointName } from './endpoints.ts'
import type { EventType } from './integrations.ts'

/**
 * How one real service behaves where the specification says nothing, or where the service differs from the specification. The facts come
 * from recordings. A sandbox that gets this data behaves in the same way. A fact that no recording showed is left out, and the sandbox then
 * does what it usually does.
 */
export interface Manner {
  /** When the first and the last recorded exchange or delivery happened (ISO 8601), and how many were recorded. */
  learnt: { from: string; to: string; exchanges: number; deliveries: number }
  calls: Partial<Record<EndpointName, CallManner>>
  deliveries?: DeliveryManner
}

/** How the service answers one call. */
export interface CallManner {
  /** How many recorded exchanges of this call were used. */
  seen: number
  /** The path of the call, if the specification shows none, with `{leadId}` for the id. */
  path?: string
  success?: AnswerManner
  /** How refusals look, by the status and code with which the sandbox refuses (`404 ERR_LOAN_NOT_FOUND`). */
  refusals?: Record<string, RefusalManner>
  /** The median and the longest time from the request to the complete answer, in milliseconds. */
  ms?: { middle: number; longest: number }
}

/**
 * What a successful answer looks like. Places are paths in the body of the sandbox's usual answer, such as
 * `data.installmentOptions.*.amount`.
 */
export interface AnswerManner {
  status?: number
  contentType?: string
  /** Whether the answer has no body. */
  isEmpty?: boolean
  /** The keys that lead from the body to the value that the sandbox has in `data`; `[]` if that value is the body itself. */
  data?: readonly string[]
  /** For a list: the keys that lead from `data` to the list, and the fields beside the list (a page, a total). */
  list?: { at: readonly string[]; beside: Readonly<Record<string, unknown>> }
  /** Fields that have another name in this service: for each place, the name that the service uses. */
  names?: Readonly<Record<string, string>>
  /** Fields that have another JSON type in this service: for each place, the type that the service uses. */
  types?: Readonly<Record<string, 'text' | 'number' | 'boolean' | 'null' | 'list'>>
  /** Fixed words, such as states, that this service writes differently: for each place, the sandbox's words with the service's words. */
  words?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Fields that only this service has, not the sandbox: for each place, an example of the value. */
  more?: Readonly<Record<string, unknown>>
  /** Places of the sandbox's fields that this service does not send. */
  fewer?: readonly string[]
}

/** What a refusal looks like. */
export interface RefusalManner {
  status: number
  contentType?: string
  /** The body. In it, `$code` and `$message` are placeholders for the code and the message. Left out if there is no body. */
  body?: unknown
  code?: string
  /** The value of `Retry-After`. */
  retryAfter?: string
}

/** How the service delivers events. */
export interface DeliveryManner {
  contentType?: string
  signature?: { header: string; algorithm: string; encoding: string; prefix?: string }
  token?: { header: string }
  /** The names that this service uses instead of `eventId` and `data`. */
  names?: Readonly<Record<string, string>>
  /** The JSON type of `eventId`, if it is not a text. */
  types?: AnswerManner['types']
  /** Keys that the service sends beside `eventId` and `data`, each with an example of its value. */
  more?: Readonly<Record<string, unknown>>
  /** Which of `eventId` and `data` the service does not send. */
  fewer?: readonly string[]
  /** The form of `data` for each event. The places in it begin with `data`, as those of an answer do. */
  events?: Partial<Record<EventType, EventManner>>
  /** The waits in ms before each repetition of a delivery that was not acknowledged. */
  retriesMs?: readonly number[]
  /** How long the service waits for the answer to a delivery, in ms. */
  timeoutMs?: number
}

/** The fields in `data` of one event, compared with those of the sandbox. */
export type EventManner = Pick<AnswerManner, 'names' | 'types' | 'words' | 'more' | 'fewer'>
