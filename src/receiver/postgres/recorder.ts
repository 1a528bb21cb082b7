import { eventKey, shortHash } from '../event-key.ts'
import type { Arrival, Batch, Recorded } from '../inbox.ts'
import type { Session } from './session.ts'
import { type Candidate, storeStatement } from './store-statement.ts'

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
