import type { Clock } from '../domain/clock.ts'
import type { Secrets } from './verifier.ts'

/** Milliseconds between two looks at where the secrets are kept. */
export const LOOK_EVERY_MS = 1000

export interface RotatingSecrets extends Secrets {
  /** Adds one that was learned by other means (the 201 of a registration); it stays for as long as this process runs. */
  learn(secret: string): void
  stop(): void
}

/**
 * The secrets of a receiver that runs for months: read again every second, so that a rotation needs no restart. Where they cannot be
 * read for the moment, or there are none (a file that is just being written), the ones that are known stay in force.
 * @param read reads them where they are kept; undefined where they cannot change (environment, stdin)
 * @param onChange told how many there are now
 */
export function rotatingSecrets(
  initial: readonly string[],
  read: (() => Promise<readonly string[]>) | undefined,
  clock: Clock,
  onChange: (count: number) => void,
): RotatingSecrets {
  let kept = initial
  const learned: string[] = []
  let current = [...initial]
  let lookedAt = clock.monotonic()
  const look = async (): Promise<boolean> => {
    lookedAt = clock.monotonic()
    const found = await read?.().catch(() => undefined)
    if (found === undefined || found.length === 0) return false
    if (found.length === kept.length && found.every((each, i) => each === kept[i])) return false
    kept = found
    current = [...new Set([...learned, ...kept])]
    onChange(current.length)
    return true
  }
  const timer = read && setInterval(() => void look(), LOOK_EVERY_MS)
  timer?.unref()
  return {
    current: () => current,
    refresh: async () => clock.monotonic() - lookedAt >= LOOK_EVERY_MS && (await look()),
    learn(secret) {
      learned.unshift(secret)
      current = [...new Set([...learned, ...kept])]
    },
    stop: () => clearInterval(timer),
  }
}
