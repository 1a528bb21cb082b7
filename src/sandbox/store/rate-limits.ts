import type { Db } from './tables.ts'

/** Whole microseconds, so that no sum of many calls loses a part of one. */
const US = 1_000

/**
 * Counts a call of a partner against its token bucket, in one statement: of any number of calls at once, from any process, each is
 * counted. What is kept is when the bucket would be full again; a time further off than an empty bucket needs is of a clock that was
 * moved back, and begins anew.
 * @param now the sandbox's time in ms
 * @returns 0 when the call is let in, else the ms until one would be
 */
export async function countCall(
  db: Db,
  partnerId: string,
  { burst, perSecond }: { burst: number; perSecond: number },
  now: number,
): Promise<number> {
  const each = Math.round((1_000 * US) / perSecond)
  const [full, empty] = [now * US, now * US + burst * each]
  const counted = await db
    .insertInto('rateLimits')
    .values({ id: partnerId, fullAt: full + each })
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
  const kept = await db.selectFrom('rateLimits').select('fullAt').where('id', '=', partnerId).executeTakeFirst()
  return Math.max(1, ((kept?.fullAt ?? full) - (empty - each)) / US)
}
