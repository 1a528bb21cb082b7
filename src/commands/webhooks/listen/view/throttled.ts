import type { Clock } from '../../../../domain/clock.ts'

const QUIET_MS = 1000

/**
 * Returns a function that writes each kind of remark at most once a second, so that an attack or a full disk does
 * not hide all other messages. The next remark of a kind says how many were left out.
 */
export function throttled(
  clock: Pick<Clock, 'monotonic'>,
  say: (text: string) => void,
): (kind: string, text: string) => void {
  const kinds = new Map<string, { saidAt: number; left: number }>()
  return (kind, text) => {
    const now = clock.monotonic()
    const known = kinds.get(kind)
    if (known && now - known.saidAt < QUIET_MS) {
      known.left++
      return
    }
    const left = known?.left ?? 0
    kinds.set(kind, { saidAt: now, left: 0 })
    say(left > 0 ? `${text} (and ${left} more like it)` : text)
  }
}
