import * as z from 'zod/mini'

/** Names and values in their original order. The names of headers are in lower case. */
const pairs = z.array(z.tuple([z.string(), z.string()]))

/**
 * A body; left out if it was empty. A body that is not kept, such as a PDF or a text of unknown content, is `omitted`. `bytes` is its size.
 */
const body = z.union([
  z.strictObject({ json: z.unknown() }),
  z.strictObject({ form: pairs }),
  z.strictObject({ text: z.string() }),
  z.strictObject({
    omitted: z.enum(['pdf', 'text', 'binary', 'broken-json', 'too-large', 'undecodable']),
    bytes: z.int(),
  }),
])

const request = z.looseObject({
  method: z.string(),
  /** Path and query, without the base address. */
  path: z.string(),
  headers: pairs,
  body: z.optional(body),
})

const status = z.int().check(z.minimum(100), z.maximum(999))

/** The longest duration of an entry, in ms: a week. */
export const LONGEST_MS = 7 * 86_400_000

const duration = z.number().check(z.minimum(0), z.maximum(LONGEST_MS))

const response = z.looseObject({ status, headers: pairs, body: z.optional(body) })

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/

const common = {
  v: z.literal(1),
  /** The session that wrote the line. The same person or id has the same invented value only within one session. */
  session: z.string(),
  /** When the request was sent or received: ISO 8601, UTC, with milliseconds. */
  at: z.string().check(z.refine((text) => MOMENT.test(text) && !Number.isNaN(Date.parse(text)))),
}

/** A request to the service with its answer. A repeated request is a separate entry. */
const exchange = z.looseObject({
  kind: z.literal('exchange'),
  ...common,
  by: z.enum(['client', 'proxy']),
  /** The name of the call in the contract; left out if the contract does not know the call. */
  endpoint: z.optional(z.string()),
  request,
  response: z.optional(response),
  /** Why no complete answer arrived: a `FaultKind` such as `timeout`, or `stopped` if `bnpl` itself ended the exchange. */
  ended: z.optional(z.string()),
  /** Milliseconds from the start of the request to the end of the answer. */
  ms: duration,
  /** Facts that were read from the original bytes, such as the algorithm of a token. The token itself is not recorded. */
  verdicts: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
})

const signature = z.looseObject({
  scheme: z.enum(['hmac', 'token']),
  /** The header with the signature or the token; left out when it was not sent. */
  header: z.optional(z.string()),
  valid: z.boolean(),
  /**
   * This field and the next four describe how the delivery is signed. They are left out if unknown. `webhooks verify-signature` shows the
   * same values.
   */
  algorithm: z.optional(z.string()),
  encoding: z.optional(z.string()),
  bodyForm: z.optional(z.string()),
  secretForm: z.optional(z.string()),
  signatureForm: z.optional(z.string()),
})

const delivery = z.looseObject({
  kind: z.literal('delivery'),
  ...common,
  request,
  response: z.looseObject({ status }),
  ms: duration,
  /**
   * Milliseconds from the complete request until the service closed the connection without waiting for the answer; left out if it waited.
   */
  cutMs: z.optional(duration),
  signature: z.optional(signature),
})

const session = z.looseObject({
  kind: z.literal('session'),
  ...common,
  program: z.string(),
  /** The command without options, such as `webhooks listen`. */
  command: z.string(),
  environment: z.enum(['production', 'beta', 'sandbox', 'unknown']),
  baseUrl: z.optional(z.string()),
})

/** The last line of a session in which values were left out. It names their fields, and says how often that happened (`count`). */
const leftOut = z.looseObject({
  kind: z.literal('left-out'),
  ...common,
  fields: z.array(z.object({ where: z.string(), count: z.int() })),
})

export const ENTRY = z.discriminatedUnion('kind', [exchange, delivery, session, leftOut])

export type RecordedBody = z.infer<typeof body>
export type RecordedRequest = z.infer<typeof request>
export type RecordedResponse = z.infer<typeof response>
export type RecordedExchange = z.infer<typeof exchange>
export type RecordedDelivery = z.infer<typeof delivery>
export type RecordedSignature = z.infer<typeof signature>
export type Entry = z.infer<typeof ENTRY>
