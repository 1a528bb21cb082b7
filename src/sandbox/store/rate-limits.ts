import type { Db } from './tables.ts'

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
export async function countRequest(
  db: Db,
  { partnerId, name }: Bucket,
  { burst, perSecond }: RateLimit,
  now: number,
): Promise<number> {
  const id = `${partnerId} ${name}`
  const each = costOf(perSecond)
  const [full, empty] = [now * US, now * US + burst * each]
  // Use one statement, so that two simultaneous requests are not counted as one.
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

/** Returns the limits that are partly or fully used, and how many more requests each limit allows. `now` is the sandbox's time in ms. */
export async function usedBuckets(
  db: Db,
  { burst, perSecond }: RateLimit,
  now: number,
): Promise<(Bucket & { left: number })[]> {
  const [full, each] = [now * US, costOf(perSecond)]
  const rows = await db.selectFrom('rateLimits').selectAll().where('fullAt', '>', full).orderBy('id').execute()
  return (
    rows
      // Leave out rows of an older bnpl, which name no endpoint, and rows that were written before the clock was set back.
      .filter(({ id, fullAt }) => id.includes(' ') && fullAt <= full + burst * each)
      .map(({ id, fullAt }) => {
        const [partnerId = '', name = ''] = id.split(' ')
        return { partnerId, name, left: Math.max(0, burst - Math.ceil((fullAt - full) / each)) }
      })
  )
}

const costOf = (perSecond: number) => Math.round((1_000 * US) / perSecond)
