import type { FieldName } from '../contract/description.ts'
import { isRecord } from '../text/record.ts'
import type { RecordedDelivery } from './entries.ts'
import type { Evidence } from './lines.ts'

interface Attempt {
  /** When the delivery arrived, in ms since 1970. */
  at: number
  ms: number
  cutMs: number | undefined
  status: number
  evidence: Evidence
}

/** Deliveries of an event with a shorter wait between them are for two destinations, and a longer wait is between two recordings. */
const SHORTEST_WAIT_MS = 5
const LONGEST_WAIT_MS = 7 * 86_400_000

/** A connection that the service closed earlier was closed for another reason. */
const SHORTEST_TIMEOUT_MS = 500

const MOST_EVENTS = 200
const MOST_ATTEMPTS = 21

interface Retries {
  add(delivery: RecordedDelivery, evidence: Evidence): void
  answers(): { field: FieldName; answer: string; evidence: readonly Evidence[] }[]
}

/** Learns from the times of repeated deliveries how often and after which waits the service repeats a delivery. */
export function learnRetries(): Retries {
  const events = new Map<string, Attempt[]>()
  return {
    add({ request, response, at, ms, cutMs, session }, evidence) {
      const json = request.body !== undefined && 'json' in request.body ? request.body.json : undefined
      const id = isRecord(json) ? json.eventId : undefined
      if (typeof id !== 'string' && typeof id !== 'number') return
      const key = `${session} ${request.path} ${id}`
      const attempts = events.get(key) ?? []
      if (!events.has(key) && events.size >= MOST_EVENTS) dropSingle(events)
      events.set(key, attempts)
      if (attempts.length < MOST_ATTEMPTS)
        attempts.push({ at: Date.parse(at), ms, cutMs, status: response.status, evidence })
    },
    answers() {
      const longest = [...events.values()].reduce<Attempt[]>((a, b) => (b.length > a.length ? b : a), [])
      const waits = waitsBetween(longest)
      const cut = [...events.values()]
        .flat()
        .filter(({ cutMs }) => cutMs !== undefined && cutMs >= SHORTEST_TIMEOUT_MS)
        .sort((a, b) => (a.cutMs ?? 0) - (b.cutMs ?? 0))
      const middle = cut[Math.floor(cut.length / 2)]
      const seconds = (ms: number) => `${Math.round(ms) / 1000}s`
      return [
        ...(waits.length === 0
          ? []
          : [
              {
                field: 'deliveryRetries' as const,
                answer: waits.map(seconds).join(','),
                evidence: longest.map(({ evidence }) => evidence),
              },
            ]),
        ...(middle?.cutMs === undefined
          ? []
          : [
              {
                field: 'deliveryTimeout' as const,
                answer: seconds(100 * Math.round(middle.cutMs / 100)),
                evidence: cut.map(({ evidence }) => evidence),
              },
            ]),
      ]
    },
  }
}

/** Returns the waits between the end of each attempt and the beginning of the next; none if the attempts are not one series. */
function waitsBetween(attempts: readonly Attempt[]): number[] {
  const waits = attempts.slice(1).map(({ at }, i) => {
    const before = attempts[i]
    return at - (before?.at ?? at) - Math.min(before?.ms ?? 0, before?.cutMs ?? Number.POSITIVE_INFINITY)
  })
  const isSeries = waits.every((wait) => wait >= SHORTEST_WAIT_MS && wait <= LONGEST_WAIT_MS)
  // A delivery that was repeated although the receiver accepted it was sent by somebody else, or again by hand.
  const isRefused = attempts.slice(0, -1).every(({ status, cutMs }) => status >= 300 || cutMs !== undefined)
  return isSeries && isRefused ? waits.slice(0, 20) : []
}

/** Forgets an event that was delivered once. If there is none, forgets the oldest. */
function dropSingle(events: Map<string, Attempt[]>): void {
  const single = [...events].find(([, attempts]) => attempts.length === 1)?.[0]
  events.delete(single ?? events.keys().next().value ?? '')
}
