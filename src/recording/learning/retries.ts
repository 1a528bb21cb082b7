import type { Evidence, SeenAttempt } from './sightings.ts'

/** What the times of repeated deliveries show. */
export interface LearntRetries {
  /** The waits before each repetition, in ms, in the longest series of attempts for one event. */
  waitsMs: readonly number[]
  /** The number of attempts in that series. */
  most: number
  /** Whether the last attempt of that series was answered with a 2xx. */
  isReceived: boolean
  evidence: readonly Evidence[]
  /** The statuses of the receiver after which an event was sent again. */
  repeated: readonly number[]
  /** The statuses of the receiver after which an event was not sent again. */
  final: readonly number[]
}

/**
 * A delivery that follows an answer after less than this time, in ms, is not a repetition. It is for another destination with the same
 * path.
 */
const TOO_SOON_MS = 5

/**
 * Reads the waits, counts and statuses from the attempts of each event. A wait begins at the end of one attempt and ends at the start of
 * the next attempt.
 */
export function learnRetries(attempts: ReadonlyMap<string, readonly SeenAttempt[]>): LearntRetries {
  const series = [...attempts.values()].map((each) => [...each].sort((a, b) => a.at - b.at))
  const longest = series.reduce<SeenAttempt[]>((a, b) => (b.length > a.length ? b : a), [])
  const waitsMs = longest.slice(1).map((attempt, i) => {
    const before = longest[i]
    return Math.max(0, Math.round(attempt.at - (before === undefined ? 0 : before.at + before.ms)))
  })
  const repeated = new Set(series.flatMap((each) => each.slice(0, -1).map(({ status }) => status)))
  const final = new Set(series.flatMap((each) => each.at(-1)?.status ?? []))
  return {
    waitsMs: waitsMs.some((wait) => wait < TOO_SOON_MS) ? [] : waitsMs,
    most: longest.length,
    isReceived: (longest.at(-1)?.status ?? 0) < 300,
    evidence: longest.map(({ evidence }) => evidence).slice(0, 5),
    repeated: [...repeated].sort((a, b) => a - b),
    final: [...final].sort((a, b) => a - b),
  }
}
