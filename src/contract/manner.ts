import type { EndpointName } from './endpoints.ts'
import type { EventType } from './integrations.ts'

/**
 * How one service answers where the specification is silent or where the service differs from it: what recordings showed, as data. A sandbox
 * that is given it answers in the same way. A fact that no recording showed is absent, and the sandbox keeps its convention.
 */
export interface Manner {
  /** When the first and the last exchange or delivery was recorded (ISO 8601), and how many there were. */
  learnt: { from: string; to: string; exchanges: number; deliveries: number }
  calls: Partial<Record<EndpointName, CallManner>>
  deliveries?: DeliveryManner
}

/** How the service takes one call and answers it. */
export interface CallManner {
  /** The exchanges that this was learnt from. */
  seen: number
  /** The path, if the specification shows none, with `{leadId}` where the id stands. */
  path?: string
  success?: AnswerManner
  /** Refusals by the sandbox's own status and code (`404 ERR_LOAN_NOT_FOUND`). */
  refusals?: Record<string, RefusalManner>
  /** Milliseconds from the request to the whole answer: the middle one, and the longest. */
  ms?: { middle: number; longest: number }
}

/** The form of a success. A place is written as a path in the body of the sandbox's own answer: `data.installmentOptions.*.amount`. */
export interface AnswerManner {
  status?: number
  contentType?: string
  /** Whether the answer has no body. */
  isEmpty?: boolean
  /** The keys that lead from the body to what the sandbox has in `data`; `[]` if it is the body itself. */
  data?: readonly string[]
  /** For a list, the keys that lead from `data` to the list, and what stands beside it (a page, a total). */
  list?: { at: readonly string[]; beside: Readonly<Record<string, unknown>> }
  /** Fields that have another name here, by place. */
  names?: Readonly<Record<string, string>>
  /** Fields that are written as another JSON type here, by place. */
  types?: Readonly<Record<string, 'text' | 'number' | 'boolean' | 'null' | 'list'>>
  /** Fixed words that are written differently here, such as states: by place, the sandbox's word and the word here. */
  words?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Fields that the sandbox does not have, by place, with an example. */
  more?: Readonly<Record<string, unknown>>
  /** Fields of the sandbox that are absent here. */
  fewer?: readonly string[]
}

/** The form of a refusal. */
export interface RefusalManner {
  status: number
  contentType?: string
  /** The body, in which `$code` and `$message` stand for the code and the message; absent if there is none. */
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
  /** Fields of the envelope that have another name here: by `eventId` or `data`, the name here. */
  names?: Readonly<Record<string, string>>
  /** `eventId` as another JSON type. */
  types?: AnswerManner['types']
  /** Keys beside `eventId` and `data`, with an example. */
  more?: Readonly<Record<string, unknown>>
  /** Of `eventId` and `data`, those that are absent. */
  fewer?: readonly string[]
  /** What is in `data`, by event. A place begins with `data`, as in an answer. */
  events?: Partial<Record<EventType, EventManner>>
  /** Waits in ms before each repetition of a delivery that was not acknowledged, and the time in ms after which an answer was no longer waited for. */
  retriesMs?: readonly number[]
  timeoutMs?: number
}

/** The fields in `data` of one event, compared with those of the sandbox. */
export type EventManner = Pick<AnswerManner, 'names' | 'types' | 'words' | 'more' | 'fewer'>
