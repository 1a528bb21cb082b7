import { iso } from '../service/clock.ts'
import { type EventScope, isTold } from '../service/deliveries/destinations.ts'
import { addDelivery } from './deliveries.ts'
import { newId } from './stamps.ts'
import type { Db, EventRow } from './tables.ts'
import { listWebhooks } from './webhooks.ts'

/**
 * Records that something happened, and queues it for every destination that is told of it; in the transaction that made it happen.
 * @param scope what the destinations' filters look at
 * @returns the eventId
 */
export async function addEvent(
  db: Db,
  event: Pick<EventRow, 'partnerId' | 'type' | 'subject'>,
  data: Record<string, unknown>,
  now: number,
  scope: EventScope = {},
): Promise<string> {
  const row: EventRow = { ...event, id: newId(now), data: JSON.stringify(data), createdAt: iso(now) }
  await db.insertInto('events').values(row).execute()
  for (const webhook of await listWebhooks(db, event.partnerId)) {
    if (isTold(webhook, event.type, scope)) await addDelivery(db, row, webhook)
  }
  return row.id
}

export function findEvent(db: Db, id: string): Promise<EventRow | undefined> {
  return db.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirst()
}
