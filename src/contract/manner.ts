import type { EndpointName } from './endpoints.ts'
import type { EventType } from './integrations.ts'

/**
 * The behaviour of one real service, learnt from recordings. It contains only what the specification does not show, and what differs from
 * the specification.
 */
export interface Manner {
  /** The times of the first and the last recorded exchange or delivery (ISO 8601), and how many were recorded. */
  learnt: { from: string; to: string; exchanges: number; deliveries: number }
  calls: Partial<Record<EndpointName, CallManner>>
  deliveries?: DeliveryManner
}

export interface CallManner {
  seen: number
  /** The path of the call, if the specification shows none, with `{leadId}` for the id. */
  path?: string
  success?: AnswerManner
  /** How the service refuses the call. Each key is the sandbox's status and code of the same refusal (`404 ERR_LOAN_NOT_FOUND`). */
  refusals?: Record<string, RefusalManner>
  /** The median and the longest time from the request to the complete answer, in milliseconds. */
  ms?: { middle: number; longest: number }
}

/** A successful answer. A field is named by its path in the sandbox's usual answer, such as `data.installmentOptions.*.amount`. */
export interface AnswerManner {
  status?: number
  contentType?: string
  isEmpty?: boolean
  /** The path, in the service's body, to the content that the sandbox sends as `data`. Empty if the whole body is the data. */
  data?: readonly string[]
  /** For a list: the path from `data` to the list, and the fields beside the list (a page, a total). */
  list?: { at: readonly string[]; beside: Readonly<Record<string, unknown>> }
  /** The service's name of a field, by the field's path in the sandbox's answer. */
  names?: Readonly<Record<string, string>>
  /** The service's JSON type of a field, by the field's path in the sandbox's answer. */
  types?: Readonly<Record<string, 'text' | 'number' | 'boolean' | 'null' | 'list'>>
  /** For each field, by its path in the sandbox's answer: the service's word for each word of the sandbox, such as the name of a state. */
  words?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** An example of each field that only the service has, by the field's path. */
  more?: Readonly<Record<string, unknown>>
  /** The paths of the sandbox's fields that the service does not send. */
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

/** How the service delivers events. `names`, `types`, `more` and `fewer` are about the top-level fields of a delivery. */
export interface DeliveryManner {
  contentType?: string
  signature?: { header: string; algorithm: string; encoding: string; prefix?: string }
  token?: { header: string }
  names?: Readonly<Record<string, string>>
  types?: AnswerManner['types']
  more?: Readonly<Record<string, unknown>>
  fewer?: readonly string[]
  /** The form of `data` for each event. All paths of fields begin with `data`. */
  events?: Partial<Record<EventType, EventManner>>
  /** The waits in ms before each repetition of a delivery that was not acknowledged. */
  retriesMs?: readonly number[]
  timeoutMs?: number
}

export type EventManner = Pick<AnswerManner, 'names' | 'types' | 'words' | 'more' | 'fewer'>
