import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import * as z from 'zod/mini'
import { BnplError, codeOf, usage } from '../errors.ts'
import { whyUnreadable } from '../text/file-text.ts'
import { parseJsonText } from '../text/json-text.ts'

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
  /** Why no complete answer arrived: a `WireFailureKind` such as `timeout`, or `stopped` if `bnpl` itself ended the exchange. */
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

const ENTRY = z.discriminatedUnion('kind', [exchange, delivery, session, leftOut])

export type RecordedBody = z.infer<typeof body>
export type RecordedRequest = z.infer<typeof request>
export type RecordedResponse = z.infer<typeof response>
export type RecordedExchange = z.infer<typeof exchange>
export type RecordedDelivery = z.infer<typeof delivery>
export type RecordedSignature = z.infer<typeof signature>
export type Entry = z.infer<typeof ENTRY>

/** The maximum length of a line that is read, in bytes. Recorded entries are shorter. */
const MAX_LINE_BYTES = 32 * 1024 * 1024

const LINE_FEED = 0x0a

/** Returns the line for an entry, with its line feed. */
export const lineOf = (entry: Entry): string => `${JSON.stringify(entry)}\n`

/** Whether `readRecording` accepts a line. */
export function isReadable(line: string): boolean {
  const bytes = Buffer.from(line)
  if (bytes.length > MAX_LINE_BYTES) return false
  const json = parseJsonText(bytes)
  return json.ok && ENTRY.safeParse(json.value).success
}

export interface RecordedLine {
  file: string
  line: number
  entry: Entry
}

/** A line of a recording that shows something. */
export type Evidence = Pick<RecordedLine, 'file' | 'line'>

/**
 * Reads a recording entry by entry, in constant memory. A last line without a line feed is left out, because a crash cut it. Throws `usage`
 * for an unreadable file, and for a line that is not an entry.
 */
export async function* readRecording(path: string): AsyncGenerator<Omit<RecordedLine, 'file'>> {
  let line = 0
  for await (const bytes of wholeLines(path)) {
    line++
    yield { line, entry: entryOf(bytes, `line ${line} of ${basename(path)}`) }
  }
}

function entryOf(bytes: Uint8Array, where: string): Entry {
  const json = parseJsonText(bytes)
  if (!json.ok) throw notAnEntry(where, json.reason)
  const read = ENTRY.safeParse(json.value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const field = issue?.path.join('.')
  throw notAnEntry(where, field ? `the field “${field}” is missing or has a wrong value` : 'it is not a JSON object')
}

const HINT = 'Name a file that was written by --record.'

const notAnEntry = (where: string, why: string) =>
  usage(`${where} is not an entry of a recording: ${why}`, HINT, 'NOT_A_RECORDING')

async function* wholeLines(path: string): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
      let start = 0
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
        yield Buffer.concat([...rest, chunk.subarray(start, end)])
        rest = []
        length = 0
        start = end + 1
      }
      rest.push(chunk.subarray(start))
      length += chunk.length - start
      if (length > MAX_LINE_BYTES) throw usage(`${path} has a line of more than 32 MiB`, HINT, 'NOT_A_RECORDING')
    }
  } catch (error) {
    if (error instanceof BnplError) throw error
    throw usage(`${path} cannot be read: ${whyUnreadable(codeOf(error))}`, undefined, 'FILE_UNREADABLE')
  }
}
