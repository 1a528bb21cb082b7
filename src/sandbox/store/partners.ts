import { randomBytes, randomUUID } from 'node:crypto'
import { readSetting, writeSetting } from './settings.ts'
import type { Store } from './store.ts'
import type { Db, PartnerRow } from './tables.ts'

/** A partner account of the sandbox, as other programs see it. */
export interface SandboxPartner {
  name: string
  product: 'bnpl' | 'real-estate'
  evaluationModule: boolean
  active: boolean
  apiKey: string
  publicKey: string
  entityId: string
}

/** The accounts of every sandbox. */
const SEEDS: readonly Pick<SandboxPartner, 'name' | 'product' | 'evaluationModule' | 'active'>[] = [
  { name: 'Tienda Demo', product: 'bnpl', evaluationModule: false, active: true },
  { name: 'Inmobiliaria Demo', product: 'real-estate', evaluationModule: true, active: true },
  { name: 'Inmobiliaria Sin Modulo', product: 'real-estate', evaluationModule: false, active: true },
  { name: 'Inmobiliaria Inactiva', product: 'real-estate', evaluationModule: true, active: false },
]

/** Makes the accounts, their keys and the sandbox's signing secret on first use. */
export async function seed(store: Store): Promise<void> {
  if ((await readSetting(store.db, 'signingSecret')) !== undefined) return
  await store.transaction(async (db) => {
    if ((await readSetting(db, 'signingSecret')) !== undefined) return
    const rows = SEEDS.map((partner, position) => ({
      id: randomUUID(),
      position,
      name: partner.name,
      product: partner.product,
      evaluationModule: Number(partner.evaluationModule),
      active: Number(partner.active),
      apiKey: `sk_sandbox_${secret()}`,
      publicKey: `pk_sandbox_${secret()}`,
      entityId: randomUUID(),
    }))
    await db.insertInto('partners').values(rows).execute()
    await writeSetting(db, 'signingSecret', secret())
  })
}

const secret = () => randomBytes(24).toString('base64url')

/** The accounts, in their order. */
export function listPartners(db: Db): Promise<PartnerRow[]> {
  return db.selectFrom('partners').selectAll().orderBy('position').execute()
}

/** An account by its id, key or name. */
export function findPartner(db: Db, by: 'id' | 'apiKey' | 'name', value: string): Promise<PartnerRow | undefined> {
  return db.selectFrom('partners').selectAll().where(by, '=', value).executeTakeFirst()
}

/** Makes concurrent transactions of one partner wait for each other: an update locks the row in every database. */
export async function lockPartner(db: Db, id: string): Promise<void> {
  await db
    .updateTable('partners')
    .set((row) => ({ position: row.ref('position') }))
    .where('id', '=', id)
    .execute()
}

/** An account as other programs see it. */
export function asPartner(row: PartnerRow): SandboxPartner {
  const { name, product, apiKey, publicKey, entityId } = row
  return {
    name,
    product,
    evaluationModule: row.evaluationModule === 1,
    active: row.active === 1,
    apiKey,
    publicKey,
    entityId,
  }
}

/** Buckets are counted in whole microseconds, so that no sum of many requests is rounded. */
const US = 1_000

/**
 * Counts a request of a partner against its token bucket, in one statement, so that each of several requests at once is counted. The table
 * keeps when the bucket will be full again. A time beyond what an empty bucket needs was written before the clock was set back: the count
 * starts again.
 * @param now the sandbox's time in ms
 * @returns 0 when the request is accepted, otherwise the ms until the next one would be
 */
export async function countRequest(
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
