import * as z from 'zod/mini'

/**
 * The content of a recording: one entry on each line, as JSON. The sanitiser cleaned every value. It replaces secrets with marks, and the
 * data of people with invented data of the same form (docs/decisions: "A recording forgets people").
 */

/** Names and values of headers or of a form, in the order in which they were sent. Header names are in lower case. */
const pairs = z.array(z.tuple([z.string(), z.string()]))

/**
 * A body: the JSON value, the fields of a form, a text without personal data (such as a code), or only a description. A body that is not
 * kept (a PDF, a web page, a text of unknown content) is `omitted`, with its size in bytes. An empty body is left out.
 */
const body = z.union([
  z.strictObject({ json: z.unknown() }),
  z.strictObject({ form: pairs }),
  z.strictObject({ text: z.string() }),
  z.strictObject({ omitted: z.enum(['pdf', 'text', 'binary', 'broken-json', 'too-large']), bytes: z.int() }),
])

const request = z.looseObject({
  method: z.string(),
  /** Path and query, as they were sent, without the base address. */
  path: z.string(),
  headers: pairs,
  body: z.optional(body),
})

/** A status as it can be on the wire: three digits. */
const status = z.int().check(z.minimum(100), z.maximum(999))

/** No exchange of a program takes longer than a week. */
const duration = z.number().check(z.minimum(0), z.maximum(7 * 86_400_000))

const response = z.looseObject({ status, headers: pairs, body: z.optional(body) })

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/

const common = {
  v: z.literal(1),
  /**
   * The session that wrote the line. The same invented value means the same person or id within one session, but not in different sessions.
   */
  session: z.string(),
  /** When the request was sent or received: ISO 8601, UTC, with milliseconds. */
  at: z.string().check(z.refine((text) => MOMENT.test(text) && !Number.isNaN(Date.parse(text)))),
}

/** One request to the service with its answer. A repeated request is a separate entry. */
const exchange = z.looseObject({
  kind: z.literal('exchange'),
  ...common,
  by: z.enum(['client', 'proxy']),
  /** The name of the call in the contract; left out for a call that the contract does not know. */
  endpoint: z.optional(z.string()),
  request,
  /** Left out when no complete answer arrived. Then `ended` says why. */
  response: z.optional(response),
  /** A kind of fault (`FaultKind`), such as `timeout` or `reset`. */
  ended: z.optional(z.string()),
  /** Milliseconds from the start of the request to the end of the answer. */
  ms: duration,
  /** Facts that could only be found out from the original bytes, by name. */
  verdicts: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
})

/** How the signature or the token of a delivery was verified when it was received, with the secrets of that time. */
const signature = z.looseObject({
  scheme: z.enum(['hmac', 'token']),
  /** The name of the header with the signature or the token; left out when there was no such header. */
  header: z.optional(z.string()),
  /** Whether the signature or the token was valid with the settings at the time of receipt. */
  valid: z.boolean(),
  /**
   * This field and the next four are a combination (of algorithm, encoding and forms) with which the signature is valid, whatever the
   * settings are. Left out when no combination was found. The words are those of `webhooks verify-signature`.
   */
  algorithm: z.optional(z.string()),
  encoding: z.optional(z.string()),
  bodyForm: z.optional(z.string()),
  secretForm: z.optional(z.string()),
  signatureForm: z.optional(z.string()),
})

/** One delivery of the service to a receiver, with the answer of the receiver. */
const delivery = z.looseObject({
  kind: z.literal('delivery'),
  ...common,
  request,
  response: z.looseObject({ status }),
  ms: duration,
  /**
   * When the service closed the connection without waiting for the answer, in milliseconds from the complete request; left out if it waited.
   */
  cutMs: z.optional(duration),
  signature: z.optional(signature),
})

/** The first line of a session: one run of a command. */
const session = z.looseObject({
  kind: z.literal('session'),
  ...common,
  /** The program that recorded, such as `bnpl 1.2.3`. */
  program: z.string(),
  /** The command as the user typed it, without options: `webhooks listen`. */
  command: z.string(),
  environment: z.enum(['production', 'beta', 'sandbox', 'unknown']),
  /** The base address of the service; left out when none is set. */
  baseUrl: z.optional(z.string()),
})

/**
 * The last line of a session in which values were left out because their kind is unknown. It names the fields of these values, and says how
 * often each was left out.
 */
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
