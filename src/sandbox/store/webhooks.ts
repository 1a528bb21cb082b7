import { randomBytes } from 'node:crypto'
import { LISTENER_SECRET } from '../../domain/sandbox-secret.ts'
import { cancelDeliveries } from './deliveries.ts'
import { lockPartner } from './partners.ts'
import { iso, newId } from './stamps.ts'
import type { Store } from './store.ts'
import type { Db, WebhookRow } from './tables.ts'

type NewWebhook = Omit<WebhookRow, 'id' | 'secret' | 'createdAt'> & { secret?: string }

/** Adds a destination. Returns undefined when the account already has `limit` destinations. Simultaneous calls cannot exceed the limit. */
export async function addWebhook(
  store: Store,
  webhook: NewWebhook,
  limit: number,
  now: number,
): Promise<WebhookRow | undefined> {
  const row = { secret: randomBytes(32).toString('base64url'), ...webhook, id: newId(now), createdAt: iso(now) }
  return store.transaction(async (db) => {
    await lockPartner(db, webhook.partnerId)
    if ((await partnerWebhooks(db, webhook.partnerId)).length >= limit) return undefined
    await db.insertInto('webhooks').values(row).execute()
    return row
  })
}

/**
 * Whether the destination is a listener on this machine (`bnpl webhooks listen`). Deliveries to a listener may use loopback without
 * --allow-http.
 */
export const isOfListener = ({ secret }: Pick<WebhookRow, 'secret'>): boolean => secret.startsWith(LISTENER_SECRET)

/** Returns the destinations of an account, oldest first. */
export function partnerWebhooks(db: Db, partnerId: string): Promise<WebhookRow[]> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('partnerId', '=', partnerId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

/** Returns a destination by its id. */
export function findWebhook(db: Db, id: string): Promise<WebhookRow | undefined> {
  return db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Deletes a destination. Returns false when the account has no destination with this id. */
export function removeWebhook(store: Store, partnerId: string, id: string): Promise<boolean> {
  return store.transaction(async (db) => {
    const removed = await db
      .deleteFrom('webhooks')
      .where('id', '=', id)
      .where('partnerId', '=', partnerId)
      .executeTakeFirst()
    if (removed.numDeletedRows !== 1n) return false
    await cancelDeliveries(db, id)
    return true
  })
}
