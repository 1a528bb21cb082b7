import type { Evidence, SeenAttempt } from './sightings.ts'

/** What the times of repeated deliveries show. A series is all attempts to deliver an event. */
export interface LearntRetries {
  /** The waits between the attempts of the longest series, in ms. */
  waitsMs: readonly number[]
  /** The number of attempts in the longest series. */
  most: number
  isReceived: boolean
  evidence: readonly Evidence[]
  /** How long the service waits for an answer; undefined if no answer was too late. */
  timeout: LearntTimeout | undefined
  /** The statuses of the receiver after which an event was sent again. */
  repeated: readonly number[]
  final: readonly number[]
}

/** In ms. Deliveries of an event with a shorter wait than this between them are for two destinations with the same path. */
const TOO_SOON_MS = 5

/** In ms. Deliveries of an event with a longer wait than this between them are probably from different recordings. */
const LONGEST_WAIT_MS = 30 * 86_400_000

/** Returns what the attempts of each event show. A wait is from the end of an attempt to the start of the next. */
export function learnRetries(attempts: ReadonlyMap<string, readonly SeenAttempt[]>): LearntRetries {
  const series = [...attempts.values()].map((each) => [...each].sort((a, b) => a.at - b.at))
  const longest = series.reduce<SeenAttempt[]>((a, b) => (b.length > a.length ? b : a), [])
  const timeout = learnTimeout(series)
  const isLate = ({ ms, cutMs }: SeenAttempt) => cutMs !== undefined || (timeout !== undefined && ms > timeout.ms)
  const endOf = ({ at, ms, cutMs = ms }: SeenAttempt) => at + Math.min(ms, cutMs, timeout?.ms ?? ms)
  const waitsMs = longest
    .slice(1)
    .map((attempt, i) => Math.max(0, Math.round(attempt.at - endOf(longest[i] ?? attempt))))
  const answered = (each: readonly SeenAttempt[]) => each.filter((attempt) => !isLate(attempt))
  const repeated = new Set(series.flatMap((each) => answered(each.slice(0, -1)).map(({ status }) => status)))
  const final = new Set(series.flatMap((each) => answered(each.slice(-1)).map(({ status }) => status)))
  return {
    waitsMs: waitsMs.some((wait) => wait < TOO_SOON_MS || wait > LONGEST_WAIT_MS) ? [] : waitsMs,
    most: longest.length,
    isReceived: answered(longest.slice(-1)).every(({ status }) => status < 300),
    timeout,
    evidence: longest.map(({ evidence }) => evidence).slice(0, 5),
    repeated: [...repeated].sort((a, b) => a - b),
    final: [...final].sort((a, b) => a - b),
  }
}

interface LearntTimeout {
  ms: number
  /**
   * Whether `ms` was measured. If not, an answer after `longestMs` was in time, an answer after `tooLateMs` was late, and `ms` is in
   * between.
   */
  isMeasured: boolean
  longestMs: number
  tooLateMs: number
  evidence: readonly Evidence[]
}

/** The shortest time limit that is plausible, in ms. A connection that closed earlier was closed for another reason. */
const SHORTEST_TIMEOUT_MS = 500
const LONGEST_TIMEOUT_MS = 300_000

/**
 * Finds the time limit for answers. If the service repeats a delivery that the receiver accepted, the receiver's answer was too late. A
 * new_lead is never repeated, so it does not show the time limit.
 */
function learnTimeout(series: readonly (readonly SeenAttempt[])[]): LearntTimeout | undefined {
  const inTime = series
    .flatMap((each) => each.slice(-1))
    .filter(({ status, cutMs }) => status < 300 && cutMs === undefined)
  const longestMs = Math.max(0, ...inTime.map(({ ms }) => ms))
  const again = series.flatMap((each) => each.slice(0, -1))
  const isLimit = (ms: number) => ms >= SHORTEST_TIMEOUT_MS && ms <= LONGEST_TIMEOUT_MS && ms > longestMs
  const cut = again.filter(({ cutMs }) => cutMs !== undefined && isLimit(cutMs))
  const evidenceOf = (attempts: readonly SeenAttempt[]) => attempts.map(({ evidence }) => evidence).slice(0, 5)
  if (cut.length > 0) {
    const times = cut.map(({ cutMs = 0 }) => cutMs).sort((a, b) => a - b)
    const middle = times[Math.floor(times.length / 2)] ?? 0
    const ms = Math.max(100 * Math.round(middle / 100), Math.ceil(longestMs))
    return { ms, isMeasured: true, longestMs, tooLateMs: ms, evidence: evidenceOf(cut) }
  }
  const late = again.filter(({ ms, status, cutMs }) => cutMs === undefined && status < 300 && isLimit(ms))
  if (late.length === 0) return undefined
  const tooLateMs = Math.min(...late.map(({ ms }) => ms))
  const seconds = 1000 * (Math.ceil(tooLateMs / 1000) - 1)
  const ms = seconds >= SHORTEST_TIMEOUT_MS && seconds > longestMs ? seconds : Math.floor((longestMs + tooLateMs) / 2)
  return { ms, isMeasured: false, longestMs, tooLateMs, evidence: evidenceOf(late) }
}
