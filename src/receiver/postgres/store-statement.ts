import type { Arrival, ArrivalFate, ForwardResult } from '../inbox.ts'
import { keepableId } from './rows.ts'

export interface Candidate {
  arrival: Arrival
  destination: number
  fate: Exclude<ArrivalFate, 'duplicate'>
  /** No two candidates of one statement may have the same key. */
  key: string
  bodyHash: string
  variantOf: number | null
}

/** One statement writes all these values, so that there is only one wait for the disk. */
interface Writing {
  receiver: number
  candidates: readonly Candidate[]
  forwards: readonly ForwardResult[]
  emittedUpTo: number | undefined
}

/**
 * Stores the candidates that were not seen before, the results of forward attempts, and how far events were printed. Returns, for each
 * stored candidate, its position in the batch (from 1) and its event number. Keys are inserted in sorted order, so that two receivers with
 * the same events cannot deadlock. The second receiver waits for the first, so no duplicate is acknowledged before its original is on the
 * disk. After a lost connection, two receivers can both forward the same event. If one attempt succeeded, the event stays "delivered".
 */
const STORE = `WITH input AS (
    SELECT * FROM unnest($2::text[], $3::text[], $4::integer[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::bigint[],
      $11::text[], $12::text[], $13::bigint[], $14::boolean[], $15::integer[], $16::integer[]) WITH ORDINALITY
      AS t (key, body_hash, destination, scheme, fate, event_id, event, odd, variant_of, content_type, signature, received_at, forward, at, size, ord)
  ), numbered AS MATERIALIZED (
    SELECT nextval('bnpl_inbox.event_numbers') AS seq, i.* FROM (SELECT * FROM input ORDER BY ord) i
  ), fresh AS (
    INSERT INTO bnpl_inbox.seen (key, seq, body_hash) SELECT key, seq, body_hash FROM numbered ORDER BY key
    ON CONFLICT (key) DO NOTHING RETURNING seq
  ), stored AS (
    INSERT INTO bnpl_inbox.events (seq, destination, scheme, fate, event_id, event, odd, variant_of, body, content_type, signature,
      received_at, receiver, place)
    SELECT seq, destination, scheme, fate, event_id, event, odd, variant_of, substring($1::bytea FROM at FOR size), content_type, signature,
      received_at, $17::integer, seq FROM numbered JOIN fresh USING (seq)
  ), queued AS (
    INSERT INTO bnpl_inbox.forwards (seq, destination, state)
    SELECT seq, destination, 'waiting' FROM numbered JOIN fresh USING (seq) WHERE forward
  ), forwarded AS (
    INSERT INTO bnpl_inbox.forwards AS f (seq, destination, state, attempts, status, error, ms, at, answer)
    SELECT r.seq, e.destination, r.state, r.attempts, r.status, r.error, r.ms, r.at, r.answer
    FROM unnest($18::bigint[], $19::text[], $20::integer[], $21::integer[], $22::text[], $23::integer[], $24::bigint[], $26::text[],
      $27::bigint[]) AS r (seq, state, attempts, status, error, ms, at, answer, received_at)
      JOIN bnpl_inbox.events e ON e.seq = r.seq AND e.received_at = r.received_at
    ORDER BY r.seq
    ON CONFLICT (seq) DO UPDATE SET state = excluded.state, attempts = excluded.attempts, status = excluded.status,
      error = excluded.error, ms = excluded.ms, at = excluded.at, answer = excluded.answer
      WHERE f.state IN ('waiting', 'retrying') OR excluded.state = 'delivered'
  ), emitted AS (
    UPDATE bnpl_inbox.receivers SET emitted_up_to = $25::bigint WHERE id = $17 AND emitted_up_to < $25
  )
  SELECT ord::integer, seq FROM numbered JOIN fresh USING (seq)`

/** Returns the statement that stores a batch. The server prepares it one time for each connection. */
export function storeStatement({ receiver, candidates, forwards, emittedUpTo }: Writing) {
  const { bodies, at } = packed(candidates)
  const of = <T>(pick: (candidate: Candidate) => T) => candidates.map(pick)
  const results = [...new Map(forwards.map((each) => [each.seq, each])).values()]
  const values = [
    bodies,
    of(({ key }) => key),
    of(({ bodyHash }) => bodyHash),
    of(({ destination }) => destination),
    of(({ arrival }) => arrival.scheme),
    of(({ fate }) => fate),
    of(({ arrival }) => keepableId(arrival.eventId)),
    of(({ arrival }) => arrival.event),
    of(({ arrival }) => arrival.odd),
    of(({ variantOf }) => variantOf),
    of(({ arrival }) => arrival.contentType),
    of(({ arrival }) => arrival.signature),
    of(({ arrival }) => arrival.receivedAt),
    of(({ arrival, fate }) => arrival.forward && fate === 'new'),
    at,
    of(({ arrival }) => arrival.body.length),
    receiver,
    results.map(({ seq }) => seq),
    results.map(({ state }) => state),
    results.map(({ attempts }) => attempts),
    results.map(({ status }) => status),
    results.map(({ error }) => error),
    results.map(({ ms }) => Math.round(ms)),
    results.map(({ at: when }) => when),
    emittedUpTo ?? 0,
    // PostgreSQL cannot store a NUL character in text.
    results.map(({ answer }) => answer?.replaceAll('\0', '\ufffd') ?? null),
    results.map(({ receivedAt }) => receivedAt),
  ]
  return { name: 'bnpl-store', text: STORE, values }
}

/**
 * Joins all bodies into one binary value, because in an array each body would be converted to hex. `at` contains the position of the first
 * byte of each body, counted from 1.
 */
function packed(candidates: readonly Candidate[]): { bodies: Buffer; at: number[] } {
  let size = 0
  const at = candidates.map(({ arrival }) => {
    const start = size + 1
    size += arrival.body.length
    return start
  })
  return { bodies: Buffer.concat(candidates.map(({ arrival }) => arrival.body)), at }
}
