import type { Db } from './tables.ts'

export interface RateLimit {
  /** How many requests can be sent immediately after a pause. */
  burst: number
  perSecond: number
}

/** Buckets are counted in whole microseconds, so that the sum of many requests has no rounding error. */
const US = 1_000

interface Bucket {
  partnerId: string
  name: string
}

/**
 * Counts a request in its token bucket. Returns 0 when the request is accepted, otherwise the ms until the next request would be accepted.
 * One statement does this, so that simultaneous requests are counted separately. The table stores when the bucket will be full again. If
 * this time is further away than an empty bucket needs to fill, the clock was set back, and the count starts again.
 * @param now the sandbox's time in ms
 */
export async function countRequest(
  db: Db,
  { partnerId, name }: Bucket,
  { burst, perSecond }: RateLimit,
  now: number,
): Promise<number> {
  const id = `${partnerId} ${name}`
  const each = costOf(perSecond)
  const [full, empty] = [now * US, now * US + burst * each]
  const counted = await db
    .insertInto('rateLimits')
    .values({ id, fullAt: full + each })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((row) => ({
          fullAt: row
            .case()
            .when(row.or([row('rateLimits.fullAt', '<', full), row('rateLimits.fullAt', '>', empty)]))
            .then(full + each)
            .else(row('rateLimits.fullAt', '+', each))
            .end(),
        }))
        .where((row) => row.or([row('rateLimits.fullAt', '<=', empty - each), row('rateLimits.fullAt', '>', empty)])),
    )
    .executeTakeFirst()
  if (counted.numInsertedOrUpdatedRows === 1n) return 0
  const kept = await db.selectFrom('rateLimits').select('fullAt').where('id', '=', id).executeTakeFirst()
  return Math.max(1, ((kept?.fullAt ?? full) - (empty - each)) / US)
}

/** Returns the buckets that are not full, and how many more requests each bucket allows. `now` is the sandbox's time in ms. */
export async function usedBuckets(
  db: Db,
  { burst, perSecond }: RateLimit,
  now: number,
): Promise<(Bucket & { left: number })[]> {
  const [full, each] = [now * US, costOf(perSecond)]
  const rows = await db.selectFrom('rateLimits').selectAll().where('fullAt', '>', full).orderBy('id').execute()
  return (
    rows
      // Rows of an older bnpl name no endpoint. A time that is further away than an empty bucket needs to fill was written before the clock
      // was set back. Leave both out.
      .filter(({ id, fullAt }) => id.includes(' ') && fullAt <= full + burst * each)
      .map(({ id, fullAt }) => {
        const [partnerId = '', name = ''] = id.split(' ')
        return { partnerId, name, left: Math.max(0, burst - Math.ceil((fullAt - full) / each)) }
      })
  )
}

/** Returns how much of a bucket one request uses, in microseconds. */
const costOf = (perSecond: number) => Math.round((1_000 * US) / perSecond)
