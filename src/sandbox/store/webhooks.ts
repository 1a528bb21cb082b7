import { randomBytes } from 'node:crypto'
import { LISTENER_SECRET } from '../../domain/sandbox-secret.ts'
import { addDelivery, cancelDeliveries } from './deliveries.ts'
import { fromJsonColumn, toJsonColumn } from './json-column.ts'
import { iso, newId } from './stamps.ts'
import type { Db, Store } from './store.ts'
import type { EventRow, WebhookRow } from './tables.ts'

type NewWebhook = Omit<WebhookRow, 'id' | 'secret' | 'createdAt'> & { secret?: string }

/** Adds a destination. Returns undefined when the account already has `limit` destinations. Simultaneous calls cannot exceed the limit. */
export function addWebhook(store: Store, webhook: NewWebhook, limit: number, now: number): WebhookRow | undefined {
  const row = { secret: randomBytes(32).toString('base64url'), ...webhook, id: newId(now), createdAt: iso(now) }
  return store.transaction((db) => {
    if (partnerWebhooks(db, webhook.partnerId).length >= limit) return undefined
    db.insert('webhooks', row)
    return row
  })
}

/**
 * Whether the destination is a listener on this machine (`bnpl webhooks listen`). Deliveries to a listener may use loopback without
 * --allow-http.
 */
export const isOfListener = ({ secret }: Pick<WebhookRow, 'secret'>): boolean => secret.startsWith(LISTENER_SECRET)

/** Returns the destinations of an account, oldest first. */
export function partnerWebhooks(db: Db, partnerId: string): WebhookRow[] {
  return db.all('select * from webhooks where partnerId = ? order by createdAt, id', partnerId)
}

/** Returns a destination by its id. */
export function findWebhook(db: Db, id: string): WebhookRow | undefined {
  return db.get('select * from webhooks where id = ?', id)
}

/** Deletes a destination, and cancels its queued deliveries. Returns false when the account has no destination with this id. */
export function removeWebhook(store: Store, partnerId: string, id: string): boolean {
  return store.transaction((db) => {
    if (findWebhook(db, id)?.partnerId !== partnerId) return false
    cancelDeliveries(db, id)
    db.run('delete from webhooks where id = ?', id)
    return true
  })
}

interface EventScope {
  outcome?: string
  projectId?: string | null
}

/**
 * Stores an event and queues it for every destination that receives it. Call it in the transaction of the change that caused the event.
 * Returns the eventId.
 * @param scope compared with the filters of the destinations
 */
export function addEvent(
  db: Db,
  event: Pick<EventRow, 'partnerId' | 'type' | 'subject'>,
  data: Record<string, unknown>,
  now: number,
  scope: EventScope = {},
): string {
  const row: EventRow = { ...event, id: newId(now), data: toJsonColumn(data), createdAt: iso(now) }
  db.insert('events', row)
  for (const webhook of partnerWebhooks(db, event.partnerId)) {
    if (receives(webhook, event.type, scope)) addDelivery(db, row, webhook)
  }
  return row.id
}

/** Returns an event by its id. */
export function findEvent(db: Db, id: string): EventRow | undefined {
  return db.get('select * from events where id = ?', id)
}

function receives(webhook: WebhookRow, type: EventRow['type'], scope: EventScope): boolean {
  if (!fromJsonColumn(webhook.eventTypes).includes(type)) return false
  if (webhook.projectId !== null && webhook.projectId !== (scope.projectId ?? null)) return false
  const outcome = webhook.filters === null ? undefined : fromJsonColumn(webhook.filters).outcome
  return type !== 'pre_approve' || outcome === undefined || outcome === scope.outcome
}
