import { randomUUID } from 'node:crypto'
import { takeFaultWithin } from './faults.ts'
import { DELIVERY, type Harm } from './harm.ts'
import { fromJsonColumn, toJsonColumn } from './json-column.ts'
import { iso } from './stamps.ts'
import type { Db, DeliveryRow, EventRow, WebhookRow } from './tables.ts'

/** Queues an event for a destination, in the transaction that stores the event. Applies a simulated fault, if there is one. */
export async function addDelivery(db: Db, event: EventRow, webhook: WebhookRow): Promise<void> {
  const harm = await takeFaultWithin(db, DELIVERY)
  const last = await db
    .selectFrom('deliveries')
    .select((select) => select.fn.max('position').as('position'))
    .executeTakeFirst()
  const position = Number(last?.position ?? 0) + 1
  const dueAt = harm === undefined ? event.createdAt : iso(Date.parse(event.createdAt) + harm.delayMs)
  await db
    .insertInto('deliveries')
    .values({
      id: randomUUID(),
      eventId: event.id,
      webhookId: webhook.id,
      partnerId: event.partnerId,
      position,
      type: event.type,
      state: harm?.kind === 'never' ? 'lost' : 'pending',
      attempts: 0,
      dueAt,
      claimedBy: null,
      claimedUntil: null,
      createdAt: event.createdAt,
      fault: harm === undefined ? null : toJsonColumn(harm),
    })
    .execute()
  await releaseOvertaken(db, event, webhook.id, position)
}

/** Moves delayed deliveries (fault `out-of-order`) behind `position`, and makes them due. */
async function releaseOvertaken(db: Db, event: EventRow, webhookId: string, position: number): Promise<void> {
  const waiting = await db
    .selectFrom('deliveries')
    .selectAll()
    .where('webhookId', '=', webhookId)
    .where('state', '=', 'pending')
    .where('attempts', '=', 0)
    .where('position', '<', position)
    .where('fault', 'is not', null)
    .orderBy('position')
    .execute()
  const overtaken = waiting.filter((row) => faultOf(row)?.kind === 'out-of-order')
  for (const [i, { id }] of overtaken.entries()) {
    const changed = { position: position + 1 + i, dueAt: event.createdAt }
    await db.updateTable('deliveries').set(changed).where('id', '=', id).execute()
  }
}

/** Returns the simulated fault that applies to a delivery, if any. */
export function faultOf({ fault }: Pick<DeliveryRow, 'fault'>): Harm | undefined {
  return fault === null ? undefined : fromJsonColumn(fault)
}

/** Whether a queued delivery must arrive before the customer returns to the shop (the simulated fault `early`). */
export async function hasEarlyDelivery(db: Db): Promise<boolean> {
  const rows = await db
    .selectFrom('deliveries')
    .select('fault')
    .where('state', 'in', ['pending', 'sending'])
    .where('attempts', '=', 0)
    .where('fault', 'is not', null)
    .execute()
  return rows.some((row) => faultOf(row)?.kind === 'early')
}

/** Cancels the queued deliveries of a deleted destination. */
export async function cancelDeliveries(db: Db, webhookId: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ state: 'cancelled' })
    .where('webhookId', '=', webhookId)
    .where('state', 'in', ['pending', 'sending'])
    .execute()
}

interface NewAttempt {
  deliveryId: string
  number: number
  /** When the attempt began, in the sandbox's time. */
  at: number
  status: number | null
  ms: number
  error: string | null
  answer: string
  chaos: string | null
}

/** Stores an attempt to send a delivery. */
export async function addAttempt(db: Db, attempt: NewAttempt): Promise<void> {
  const { deliveryId, number, status, ms, error, chaos } = attempt
  const answer = attempt.answer.slice(0, 2000)
  await db
    .insertInto('deliveryAttempts')
    .values({ id: randomUUID(), deliveryId, number, at: iso(attempt.at), status, ms, error, answer, chaos })
    .execute()
}

/** Returns deliveries with their attempts, newest first. Skips the newest `offset` deliveries. */
export async function listDeliveries(db: Db, limit: number, eventId?: string, offset = 0) {
  const query = withSubject(db).orderBy('deliveries.position', 'desc').limit(limit).offset(offset)
  return withAttempts(
    db,
    await (eventId === undefined ? query : query.where('deliveries.eventId', '=', eventId)).execute(),
  )
}

/** Returns one delivery with the outcome of each attempt. */
export async function deliveryWithAttempts(db: Db, id: string) {
  const rows = await withSubject(db).where('deliveries.id', '=', id).execute()
  return (await withAttempts(db, rows))[0]
}

function withSubject(db: Db) {
  return db
    .selectFrom('deliveries')
    .leftJoin('webhooks', 'webhooks.id', 'deliveries.webhookId')
    .innerJoin('events', 'events.id', 'deliveries.eventId')
    .selectAll('deliveries')
    .select(['webhooks.url as url', 'events.subject as subject'])
}

async function withAttempts<T extends { id: string }>(db: Db, rows: readonly T[]) {
  const ids = rows.map(({ id }) => id)
  const attempts =
    ids.length === 0
      ? []
      : await db
          .selectFrom('deliveryAttempts')
          .selectAll()
          .where('deliveryId', 'in', ids)
          .orderBy('number')
          .orderBy('at')
          .execute()
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId)
  return rows.map((row) => ({ ...row, tries: byDelivery.get(row.id) ?? [] }))
}

/** Returns a delivery without its attempts; undefined if there is none with this id. */
export function findDelivery(db: Db, id: string): Promise<DeliveryRow | undefined> {
  return db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirst()
}
