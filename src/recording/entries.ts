import * as z from 'zod/mini'

/**
 * What a recording holds: one entry a line, as JSON. Every value in it went through the sanitiser: secrets are marks, people are invented
 * ones of the same form (docs/decisions: "A recording forgets people").
 */

/** Names and values of headers or of a form, in the order in which they were sent. Header names are in lower case. */
const pairs = z.array(z.tuple([z.string(), z.string()]))

/**
 * A body: the JSON value, the fields of a form, a text without people (such as a code), or only what it was. A body that is not shown here
 * (a PDF, a page, a text of unknown content) is `omitted`, with its size in bytes. An empty body is left out.
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

const response = z.looseObject({ status: z.int(), headers: pairs, body: z.optional(body) })

const common = {
  v: z.literal(1),
  /** The session that wrote the line. A stand-in means the same person or id within one session, not across sessions. */
  session: z.string(),
  /** When the request was sent or received: ISO 8601, UTC, with milliseconds. */
  at: z.string(),
}

/** One request to the service with its answer. A repetition is an entry of its own. */
const exchange = z.looseObject({
  kind: z.literal('exchange'),
  ...common,
  by: z.enum(['client', 'proxy']),
  /** The name of the call in the contract; absent for a call that the contract does not know. */
  endpoint: z.optional(z.string()),
  request,
  /** Absent when no complete answer came: `ended` says why. */
  response: z.optional(response),
  /** A kind of fault (`FaultKind`), such as `timeout` or `reset`. */
  ended: z.optional(z.string()),
  /** Milliseconds from the start of the request to the end of the answer. */
  ms: z.number(),
  /** What could be found out only from the original bytes, by name. */
  verdicts: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
})

/** How the signature or the token of a delivery was verified, with the secrets in force, while it was received. */
const signature = z.looseObject({
  scheme: z.enum(['hmac', 'token']),
  /** The header that had it; absent when there was none. */
  header: z.optional(z.string()),
  /** Whether it is valid with the settings in force. */
  valid: z.boolean(),
  /** The combination with which it is valid, whatever the settings; absent when none fits. Words of `webhooks verify-signature`. */
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
  response: z.looseObject({ status: z.int() }),
  ms: z.number(),
  signature: z.optional(signature),
})

/** The first line of a session: one run of a command. */
const session = z.looseObject({
  kind: z.literal('session'),
  ...common,
  /** Such as `bnpl 1.2.3`. */
  program: z.string(),
  /** The command as typed, without options: `webhooks listen`. */
  command: z.string(),
  environment: z.enum(['production', 'beta', 'sandbox', 'unknown']),
  /** The base address of the service; absent when none is set. */
  baseUrl: z.optional(z.string()),
})

/** The last line of a session that left out values because nobody classified them: which fields, and how often. */
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
