import type { Evidence, SeenAttempt } from './sightings.ts'

/** What the times of repeated deliveries show. */
export interface LearntRetries {
  /** The waits before each repetition in the longest series, in ms. */
  waitsMs: readonly number[]
  /** How often the event of the longest series was sent, and whether the last attempt was answered with a 2xx. */
  most: number
  isReceived: boolean
  evidence: readonly Evidence[]
  /** The receiver's statuses after which an event was sent again. Those after which it was not are below. */
  repeated: readonly number[]
  final: readonly number[]
}

/** If a delivery follows so soon after the answer, it is for another destination with the same path, not a repetition. */
const TOO_SOON_MS = 5

/** Reads the waits, counts and statuses from the attempts of each event. A wait is from the end of an attempt to the start of the next one. */
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
