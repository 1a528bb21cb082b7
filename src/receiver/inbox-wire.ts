import { BnplError, type ErrorKind } from '../errors.ts'
import type { Arrival, Batch, Fate, Inbox, Recorded } from './inbox.ts'

/** What goes between the receiver and the thread that has its inbox. */

export type Method = Exclude<keyof Inbox, 'shared' | 'watch' | 'take' | 'release' | 'holds'>

export interface Call {
  id: number
  method: Method
  args: unknown[]
}

export type Answer =
  | { id: number; result: unknown }
  | { id: number; failure: { kind?: ErrorKind; message: string; code?: string; hint?: string } }
  | { notice: string }

/**
 * A batch as one text and one piece of memory: records go over a thread's border far cheaper as JSON than as objects (measured: a tenth),
 * and the bodies are handed over, not copied.
 */
export interface PackedBatch extends Omit<Batch, 'arrivals'> {
  rows: string
  bodies: ArrayBuffer
}

/** An arrival without its body, in the order of its fields below, and the size of the body. */
type Row = [
  Arrival['destination'],
  Arrival['scheme'],
  Arrival['eventId'],
  Arrival['event'],
  Arrival['odd'],
  Arrival['contentType'],
  Arrival['signature'],
  Arrival['receivedAt'],
  Arrival['forward'],
  size: number,
]

export function pack({ arrivals, forwards, emittedUpTo }: Batch): PackedBatch {
  const bodies = new Uint8Array(arrivals.reduce((sum, { body }) => sum + body.length, 0))
  let at = 0
  const rows = arrivals.map((each): Row => {
    const { destination, scheme, eventId, event, odd, contentType, signature, receivedAt, forward, body } = each
    bodies.set(body, at)
    at += body.length
    return [destination, scheme, eventId, event, odd, contentType, signature, receivedAt, forward, body.length]
  })
  return { forwards, emittedUpTo, rows: JSON.stringify(rows), bodies: bodies.buffer }
}

export function unpack({ rows, bodies, forwards, emittedUpTo }: PackedBatch): Batch {
  let at = 0
  const arrivals = (JSON.parse(rows) as Row[]).map((row): Arrival => {
    const [destination, scheme, eventId, event, odd, contentType, signature, receivedAt, forward, size] = row
    const body = new Uint8Array(bodies, at, size)
    at += size
    return { destination, scheme, eventId, event, odd, contentType, signature, receivedAt, forward, body }
  })
  return { arrivals, forwards, emittedUpTo }
}

/** What became of a batch, as one text. */
export const packRecords = (records: readonly Recorded[]): string =>
  JSON.stringify(records.map(({ fate, seq }) => [fate, seq]))

export const unpackRecords = (text: string): Recorded[] =>
  (JSON.parse(text) as [Fate, number][]).map(([fate, seq]) => ({ fate, seq }))

/** An error as it can be handed over, and back. */
export function failureOf(error: unknown): Extract<Answer, { failure: unknown }>['failure'] {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof BnplError)) return { message }
  const { kind, code, hint } = error
  return { kind, message, ...(code === undefined ? {} : { code }), ...(hint === undefined ? {} : { hint }) }
}

export function errorOf({ kind, message, code, hint }: ReturnType<typeof failureOf>): Error {
  if (kind === undefined) return new Error(message)
  return new BnplError(kind, message, {
    ...(code === undefined ? {} : { code }),
    ...(hint === undefined ? {} : { hint }),
  })
}
