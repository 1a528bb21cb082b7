import { addDelivery } from './deliveries.ts'
import { fromJsonColumn, toJsonColumn } from './json-column.ts'
import { iso, newId } from './stamps.ts'
import type { Db, EventRow, WebhookRow } from './tables.ts'
import { partnerWebhooks } from './webhooks.ts'

interface EventScope {
  outcome?: string
  projectId?: string | null
}

/**
 * Stores an event and queues it for every destination that receives it. `db` is the transaction of the change that caused the event.
 * Returns the eventId.
 * @param scope compared with the filters of the destinations
 */
export async function addEvent(
  db: Db,
  event: Pick<EventRow, 'partnerId' | 'type' | 'subject'>,
  data: Record<string, unknown>,
  now: number,
  scope: EventScope = {},
): Promise<string> {
  const row: EventRow = { ...event, id: newId(now), data: toJsonColumn(data), createdAt: iso(now) }
  await db.insertInto('events').values(row).execute()
  for (const webhook of await partnerWebhooks(db, event.partnerId)) {
    if (receives(webhook, event.type, scope)) await addDelivery(db, row, webhook)
  }
  return row.id
}

/** Returns an event by its id. */
export function findEvent(db: Db, id: string): Promise<EventRow | undefined> {
  return db.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirst()
}

function receives(webhook: WebhookRow, type: EventRow['type'], scope: EventScope): boolean {
  if (!fromJsonColumn(webhook.eventTypes).includes(type)) return false
  if (webhook.projectId !== null && webhook.projectId !== (scope.projectId ?? null)) return false
  const outcome = webhook.filters === null ? undefined : fromJsonColumn(webhook.filters).outcome
  return type !== 'pre_approve' || outcome === undefined || outcome === scope.outcome
}
