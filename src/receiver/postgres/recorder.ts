import {
  type Arrival,
  type ArrivalFate,
  type Batch,
  eventKey,
  type ForwardResult,
  type Recorded,
  shortHash,
} from '../inbox.ts'
import { keepableId } from './reader.ts'
import type { Session } from './session.ts'

interface Candidate {
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
function storeStatement({ receiver, candidates, forwards, emittedUpTo }: Writing) {
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

interface Known {
  seq: number
  bodyHash: string
  fresh: boolean
}

type StoringSession = Pick<Session, 'id' | 'query'>

/**
 * Stores a batch, and returns a record for each arrival.
 * @param numbers the numbers of the known destinations. The numbers of new destinations are added to this map
 */
export async function record(session: StoringSession, batch: Batch, numbers: Map<string, number>): Promise<Recorded[]> {
  const { arrivals, forwards, emittedUpTo } = batch
  await introduce(session, arrivals, numbers)
  const candidates = arrivals.map((arrival) => candidateFor(arrival, numbers.get(arrival.destination) ?? 0))
  const known = await store(session, candidates, { forwards, emittedUpTo })
  const variants = candidates.map((candidate) => variantOf(candidate, known))
  const others = variants.filter((each) => each !== undefined)
  const knownVariants =
    others.length === 0 ? known : await store(session, others, { forwards: [], emittedUpTo: undefined })
  const told = new Set<string>()
  return candidates.map((candidate, i) => {
    const { key, fate } = variants[i] ?? candidate
    const found = (variants[i] ? knownVariants : known).get(key)
    if (found === undefined) throw new Error('an arrival is neither stored nor known')
    const { seq, fresh } = found
    if (!fresh || told.has(key)) return { fate: 'duplicate', seq }
    told.add(key)
    return { fate, seq }
  })
}

async function introduce(
  { query }: StoringSession,
  arrivals: readonly Arrival[],
  numbers: Map<string, number>,
): Promise<void> {
  const names = [...new Set(arrivals.map(({ destination }) => destination))].filter((name) => !numbers.has(name))
  for (const name of names) {
    await query('INSERT INTO bnpl_inbox.destinations (name) VALUES ($1) ON CONFLICT DO NOTHING', [name])
    const { rows } = await query('SELECT id FROM bnpl_inbox.destinations WHERE name = $1', [name])
    numbers.set(name, rows[0].id)
  }
}

function candidateFor(arrival: Arrival, destination: number): Candidate {
  const { eventId, body, odd } = arrival
  const bodyHash = shortHash(body)
  const common = { arrival, destination, bodyHash, variantOf: null }
  if (eventId === null || odd !== null)
    return { ...common, fate: 'quarantined', key: shortHash(`odd ${destination} ${bodyHash}`) }
  return { ...common, fate: 'new', key: eventKey(destination, eventId) }
}

function variantOf(candidate: Candidate, known: ReadonlyMap<string, Known>): Candidate | undefined {
  const { arrival, destination, bodyHash, key, fate } = candidate
  const first = known.get(key)
  if (fate !== 'new' || first === undefined || first.bodyHash === bodyHash) return undefined
  const variantKey = shortHash(`variant ${destination} ${bodyHash} ${arrival.eventId}`)
  return { ...candidate, fate: 'variant', key: variantKey, variantOf: first.seq }
}

/** Stores the first candidate of each new key. Returns, for each key, the event that has the key now. */
async function store(
  { query, id }: StoringSession,
  candidates: readonly Candidate[],
  rest: Pick<Batch, 'forwards' | 'emittedUpTo'>,
): Promise<Map<string, Known>> {
  const firsts = new Map<string, Candidate>()
  for (const each of candidates) if (!firsts.has(each.key)) firsts.set(each.key, each)
  const tried = [...firsts.values()]
  const { rows } = await query(storeStatement({ receiver: id, candidates: tried, ...rest }))
  const known = new Map<string, Known>()
  for (const { ord, seq } of rows) {
    const stored = tried[ord - 1]
    if (stored) known.set(stored.key, { seq: Number(seq), bodyHash: stored.bodyHash, fresh: true })
  }
  const seen = tried.map(({ key }) => key).filter((key) => !known.has(key))
  if (seen.length === 0) return known
  const found = await query({ name: 'bnpl-seen', text: SEEN, values: [seen] })
  for (const { key, seq, body_hash } of found.rows)
    known.set(key, { seq: Number(seq), bodyHash: body_hash, fresh: false })
  return known
}

const SEEN = 'SELECT key, seq, body_hash FROM bnpl_inbox.seen WHERE key = ANY ($1::text[])'
