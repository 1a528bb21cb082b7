import { randomUUID } from 'node:crypto'
import { iso } from './stamps.ts'
import type { Store } from './store.ts'
import type { Db, DeliveryRow, EventRow, WebhookRow } from './tables.ts'

/** Queues an event for a destination, in the transaction of the event. */
export async function addDelivery(db: Db, event: EventRow, webhook: WebhookRow): Promise<void> {
  const last = await db
    .selectFrom('deliveries')
    .select((select) => select.fn.max('position').as('position'))
    .executeTakeFirst()
  await db
    .insertInto('deliveries')
    .values({
      id: randomUUID(),
      eventId: event.id,
      webhookId: webhook.id,
      partnerId: event.partnerId,
      position: Number(last?.position ?? 0) + 1,
      type: event.type,
      state: 'pending',
      attempts: 0,
      dueAt: event.createdAt,
      claimedBy: null,
      claimedUntil: null,
      createdAt: event.createdAt,
    })
    .execute()
}

/** Destinations with a due delivery, except those to which a delivery is being sent. @param now the sandbox's time */
export async function dueDestinations(db: Db, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select('webhookId')
    .distinct()
    .where('state', '=', 'pending')
    .where('dueAt', '<=', iso(now))
    .where('webhookId', 'not in', (from) =>
      from.selectFrom('deliveries').select('webhookId').where('state', '=', 'sending'),
    )
    .execute()
  return rows.map(({ webhookId }) => webhookId)
}

/**
 * Claims the oldest due delivery of a destination for one attempt. Only one process at a time holds a delivery of a destination, so that
 * several processes keep its order.
 * @param now the sandbox's time
 * @param until returns when the claim ends, in the time that nobody moves; called inside the transaction
 */
export function claimNext(
  store: Store,
  webhookId: string,
  worker: string,
  now: number,
  until: (db: Db) => Promise<number>,
): Promise<DeliveryRow | undefined> {
  return store.transaction(async (db) => {
    const ofThis = db.selectFrom('deliveries').selectAll().where('webhookId', '=', webhookId).orderBy('position')
    if (await ofThis.where('state', '=', 'sending').limit(1).executeTakeFirst()) return undefined
    const due = ofThis.where('state', '=', 'pending').where('dueAt', '<=', iso(now))
    const next = await due.limit(1).executeTakeFirst()
    if (next === undefined) return undefined
    const claim = { state: 'sending', claimedBy: worker, claimedUntil: iso(await until(db)) } as const
    await db.updateTable('deliveries').set(claim).where('id', '=', next.id).execute()
    return { ...next, ...claim }
  })
}

/** Extends a claim. @param until in the time that nobody moves @returns false when the claim was lost or the delivery cancelled meanwhile */
export async function renewClaim(db: Db, delivery: DeliveryRow, until: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set({ claimedUntil: iso(until) })
    .where('id', '=', delivery.id)
    .where('state', '=', 'sending')
    .where('claimedBy', '=', delivery.claimedBy)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends the claim of a delivery after an attempt. @param dueAt the time of the next attempt, in ms; undefined for none */
export async function settleDelivery(
  db: Db,
  delivery: DeliveryRow,
  state: DeliveryRow['state'],
  dueAt: number | undefined,
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({
      state,
      attempts: delivery.attempts + 1,
      dueAt: dueAt === undefined ? delivery.dueAt : iso(dueAt),
      claimedBy: null,
      claimedUntil: null,
    })
    .where('id', '=', delivery.id)
    // The delivery may have been cancelled with its destination, and an expired claim may belong to another process.
    .where('state', '=', 'sending')
    .where('claimedBy', '=', delivery.claimedBy)
    .execute()
}

/**
 * Ends the claims of processes that died. A new_lead may have arrived and is never sent again, so it is lost; the other events are tried
 * again.
 * @param now the time that nobody moves, in which claims are counted
 */
export async function releaseStale(store: Store, now: number): Promise<void> {
  const stale = await store.db
    .selectFrom('deliveries')
    .select('id')
    .where('state', '=', 'sending')
    .where('claimedUntil', '<', iso(now))
    .limit(1)
    .executeTakeFirst()
  // Usually no claim has expired, and then no process waits for a lock.
  if (stale === undefined) return
  await store.transaction((db) =>
    db
      .updateTable('deliveries')
      .set((row) => ({
        state: row
          .case()
          .when('type', '=', 'new_lead')
          .then('lost')
          .else('pending')
          .end()
          .$castTo<DeliveryRow['state']>(),
        claimedBy: null,
        claimedUntil: null,
      }))
      .where('state', '=', 'sending')
      .where('claimedUntil', '<', iso(now))
      .execute(),
  )
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
  at: number
  status: number | null
  ms: number
  error: string | null
  answer: string
  /** The deliberate changes to the delivery. */
  chaos: string | null
}

/** Keeps an attempt. */
export async function addAttempt(db: Db, attempt: NewAttempt): Promise<void> {
  const { deliveryId, number, status, ms, error, chaos } = attempt
  const answer = attempt.answer.slice(0, 2000)
  await db
    .insertInto('deliveryAttempts')
    .values({ id: randomUUID(), deliveryId, number, at: iso(attempt.at), status, ms, error, answer, chaos })
    .execute()
}

/** Deliveries with their attempts, the newest first. @param offset how many of the newest to leave out */
export async function listDeliveries(db: Db, limit: number, eventId?: string, offset = 0) {
  const query = withSubject(db).orderBy('deliveries.position', 'desc').limit(limit).offset(offset)
  return withAttempts(
    db,
    await (eventId === undefined ? query : query.where('deliveries.eventId', '=', eventId)).execute(),
  )
}

/** One delivery with the outcome of each attempt. */
export async function deliveryWithAttempts(db: Db, id: string) {
  const rows = await withSubject(db).where('deliveries.id', '=', id).execute()
  return (await withAttempts(db, rows))[0]
}

/** Deliveries with their destination and subject. */
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

export function findDelivery(db: Db, id: string): Promise<DeliveryRow | undefined> {
  return db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirst()
}
