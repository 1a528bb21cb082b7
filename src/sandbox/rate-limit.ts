import { Refusal } from './refusal.ts'

export interface RateLimit {
  /** Calls that may come at once. */
  burst: number
  perSecond: number
}

/** A token bucket for each partner (gap 17). Throws a 429 `Refusal` with `Retry-After` in seconds, before anything was done. */
export function createRateLimiter({ burst, perSecond }: RateLimit): (partnerId: string, now: number) => void {
  const buckets = new Map<string, { left: number; at: number }>()
  return (partnerId, now) => {
    const bucket = buckets.get(partnerId) ?? { left: burst, at: now }
    const left = Math.min(burst, bucket.left + (Math.max(0, now - bucket.at) * perSecond) / 1000)
    if (left < 1) {
      buckets.set(partnerId, { left, at: now })
      const seconds = Math.max(1, Math.ceil((1 - left) / perSecond))
      throw new Refusal(429, 'ERR_RATE_LIMIT_EXCEEDED', `too many calls; wait ${seconds} s`, {
        'retry-after': String(seconds),
      })
    }
    buckets.set(partnerId, { left: left - 1, at: now })
  }
}
