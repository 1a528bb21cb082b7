import { countCall } from '../store/rate-limits.ts'
import type { Store } from '../store/store.ts'
import { takesNoWrites } from './outage.ts'
import { Refusal } from './refusal.ts'

export interface RateLimit {
  /** Calls that may come at once. */
  burst: number
  perSecond: number
}

/**
 * A token bucket for each partner (gap 17). Throws a 429 `Refusal` with `Retry-After` in seconds, before anything was done.
 * @param now ms
 */
export async function limitRate(store: Store, partnerId: string, limit: RateLimit, now: number): Promise<void> {
  const waitMs = await countCall(store.db, partnerId, limit, now).catch((error: unknown) => {
    // A call that only reads needs no database that can be written; one that writes is refused when it does.
    if (takesNoWrites(store.failure(error))) return 0
    throw error
  })
  if (waitMs === 0) return
  const seconds = Math.ceil(waitMs / 1_000)
  throw new Refusal(429, 'ERR_RATE_LIMIT_EXCEEDED', `too many calls; wait ${seconds} s`, {
    'retry-after': String(seconds),
  })
}
