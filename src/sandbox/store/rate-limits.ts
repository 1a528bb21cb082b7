import type { Db } from './store.ts'
import type { Tables } from './tables.ts'

export interface RateLimit {
  /** After a pause, this many requests are accepted without waits between them. */
  burst: number
  perSecond: number
}

/** Microseconds in a millisecond. Times are in whole microseconds, so that rounding errors do not add up over many requests. */
const US = 1_000

interface Bucket {
  partnerId: string
  name: string
}

/**
 * Counts a request. Returns 0 when the request is accepted, otherwise the ms until the next request would be accepted. If the clock was set
 * back, the count starts again.
 * @param now the sandbox's time in ms
 */
export function countRequest(
  db: Db,
  { partnerId, name }: Bucket,
  { burst, perSecond }: RateLimit,
  now: number,
): number {
  const id = `${partnerId} ${name}`
  const each = costOf(perSecond)
  const [full, empty] = [now * US, now * US + burst * each]
  const counted = db.run(
    `insert into rateLimits (id, fullAt) values (:id, :full + :each)
      on conflict (id) do update set fullAt =
        case when rateLimits.fullAt < :full or rateLimits.fullAt > :empty then :full else rateLimits.fullAt end + :each
      where rateLimits.fullAt <= :empty - :each or rateLimits.fullAt > :empty`,
    { id, full, empty, each },
  )
  if (counted === 1) return 0
  const kept = db.get<{ fullAt: number }>('select fullAt from rateLimits where id = ?', id)
  return Math.max(1, ((kept?.fullAt ?? full) - (empty - each)) / US)
}

/** Returns the limits that are partly or fully used, and how many more requests each limit allows. `now` is the sandbox's time in ms. */
export function usedBuckets(db: Db, { burst, perSecond }: RateLimit, now: number): (Bucket & { left: number })[] {
  const [full, each] = [now * US, costOf(perSecond)]
  return (
    db
      .all<Tables['rateLimits']>('select * from rateLimits where fullAt > ? order by id', full)
      // Leave out rows of an older bnpl, which name no endpoint, and rows that were written before the clock was set back.
      .filter(({ id, fullAt }) => id.includes(' ') && fullAt <= full + burst * each)
      .map(({ id, fullAt }) => {
        const [partnerId = '', name = ''] = id.split(' ')
        return { partnerId, name, left: Math.max(0, burst - Math.ceil((fullAt - full) / each)) }
      })
  )
}

const costOf = (perSecond: number) => Math.round((1_000 * US) / perSecond)
