import type { Clock } from '../../domain/clock.ts'
import { doubtAbout } from '../../domain/signature-settings.ts'
import { config, tellable } from '../../errors.ts'
import { isBug, type OnError } from '../bug-channel.ts'
import type { SecretsInForce } from './verifier.ts'

export const LOOK_EVERY_MS = 1000
/** An unfinished read is reported after this time, and deliveries do not wait for it any more. */
export const READ_MS = 5000

export interface RotatingSecrets extends SecretsInForce {
  /** Adds a secret, which stays valid while this process runs. */
  learn(secret: string): void
  stop(): void
}

export interface RotationOptions {
  /** Reads the secrets from their source. Undefined for a source that cannot change while the process runs (environment, stdin). */
  read: (() => Promise<readonly string[]>) | undefined
  source: string
  clock: Clock
  onChange(count: number): void
  /** Called with the reason when the secrets cannot be used, and with undefined when they can be used again. */
  onProblem(why: string | undefined): void
  onError: OnError
}

/**
 * Returns the secrets of a receiver, and reads these secrets again every second, so that a rotation needs no restart. If they cannot be
 * read or do not look like secrets, the last valid secrets are used.
 */
export function rotatingSecrets(initial: readonly string[], options: RotationOptions): RotatingSecrets {
  const { read, source, clock, onChange, onProblem, onError } = options
  let kept = initial
  const learned: string[] = []
  let current = [...initial]
  let lookedAt = clock.monotonic()
  let problem: string | undefined
  let isReading = false
  let looking: Promise<boolean> | undefined
  const tell = (why: string | undefined): void => {
    if (why === problem) return
    problem = why
    onProblem(why)
  }
  const readOnce = async (): Promise<readonly string[] | undefined> => {
    isReading = true
    try {
      return await read?.()
    } finally {
      isReading = false
    }
  }
  const found = async (): Promise<readonly string[] | undefined> => {
    try {
      const secrets = await inTime(readOnce(), source)
      const why = secrets && unusable(secrets, kept, current, source)
      tell(why)
      return why === undefined ? secrets : undefined
    } catch (error) {
      if (isBug(error)) onError(error)
      else tell(tellable(error))
      return undefined
    }
  }
  const lookOnce = async (): Promise<boolean> => {
    lookedAt = clock.monotonic()
    const secrets = await found()
    if (secrets === undefined) return false
    if (secrets.length === kept.length && secrets.every((each, i) => each === kept[i])) return false
    kept = secrets
    current = [...new Set([...learned, ...kept])]
    onChange(current.length)
    return true
  }
  /**
   * Reads the secrets, or waits for the read in progress. Returns whether the secrets changed, or false at once if an overdue read has not
   * finished yet.
   */
  const look = async (): Promise<boolean> => {
    // Run only one read at a time, because on a hanging disk each read blocks one of the few threads that also sync deliveries.
    if (looking === undefined && isReading) return false
    looking ??= lookOnce().finally(() => {
      looking = undefined
    })
    return looking
  }
  const timer = read && setInterval(() => void look().catch(onError), LOOK_EVERY_MS)
  timer?.unref()
  return {
    current: () => current,
    refresh: async () => (looking !== undefined || clock.monotonic() - lookedAt >= LOOK_EVERY_MS) && (await look()),
    learn(secret) {
      learned.unshift(secret)
      current = [...new Set([...learned, ...kept])]
    },
    stop: () => clearInterval(timer),
  }
}

/**
 * Returns the result of a read.
 * @throws `config` when the read takes longer than `READ_MS`. Its result is then ignored
 */
async function inTime<T>(read: Promise<T>, source: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const why = `${source} cannot be read: no answer within ${READ_MS / 1000} s`
    timer = setTimeout(() => reject(config(why, undefined, 'SECRET_SLOW')), READ_MS).unref()
  })
  try {
    return await Promise.race([read, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Returns why new secrets are not accepted. A reason that also applies to the present secrets does not count, because a merchant with a
 * short secret may get another short one. A source that had no secret may still have none, because the service sent one at the registration.
 * @param before the secrets that the source had before
 */
function unusable(
  secrets: readonly string[],
  before: readonly string[],
  inForce: readonly string[],
  source: string,
): string | undefined {
  if (secrets.length === 0) return before.length === 0 ? undefined : `${source} contains no secret`
  const known = new Set(inForce.map(doubtAbout))
  const doubts = new Set(secrets.map(doubtAbout).filter((doubt) => !known.has(doubt)))
  if (doubts.has('blank')) return `${source} has a line with a space inside`
  return doubts.has('short') ? `${source} has a line that is too short for a secret` : undefined
}
