import { iso } from './stamps.ts'
import type { Store } from './store.ts'
import type { Db, DeliveryRow } from './tables.ts'

/**
 * Each destination has a queue, from which one delivery is sent at a time, the oldest first. A new_lead is not in the queue, because it
 * must be sent immediately (specification: "Webhook events").
 */

interface Claimant {
  worker: string
  /** Returns the end of the claim, in ms of real time. */
  until: number
}

/**
 * Returns the ids of the destinations whose queue has a due delivery, but no delivery that is being sent. `now` is the sandbox's time in
 * ms.
 */
export async function dueDestinations(db: Db, now: number): Promise<string[]> {
  const rows = await queued(db)
    .select('webhookId')
    .distinct()
    .where('state', '=', 'pending')
    .where('dueAt', '<=', iso(now))
    .where('webhookId', 'not in', (from) =>
      from.selectFrom('deliveries').select('webhookId').where('type', '!=', 'new_lead').where('state', '=', 'sending'),
    )
    .execute()
  return rows.map(({ webhookId }) => webhookId)
}

/** Returns the ids of the oldest new_lead deliveries that are due. `now` is the sandbox's time in ms. */
export async function dueLeadDeliveries(db: Db, now: number, limit: number): Promise<string[]> {
  const due = db.selectFrom('deliveries').select('id').where('type', '=', 'new_lead').where('state', '=', 'pending')
  const rows = await due.where('dueAt', '<=', iso(now)).orderBy('position').limit(limit).execute()
  return rows.map(({ id }) => id)
}

/**
 * Claims the oldest due delivery of a destination's queue for one attempt. Returns undefined while another delivery of the queue is being
 * sent. A pre_approve waits until the new_lead about the same lead was sent.
 * @param now the sandbox's time in ms
 */
export function claimNext(
  store: Store,
  webhookId: string,
  now: number,
  claimant: Claimant,
): Promise<DeliveryRow | undefined> {
  return store.transaction(async (db) => {
    const ofThis = queued(db).selectAll().where('webhookId', '=', webhookId).orderBy('position')
    if (await ofThis.where('state', '=', 'sending').limit(1).executeTakeFirst()) return undefined
    const due = ofThis.where('state', '=', 'pending').where('dueAt', '<=', iso(now))
    const next = await due.limit(1).executeTakeFirst()
    if (next === undefined || (next.type === 'pre_approve' && (await isLeadOnItsWay(db, next)))) return undefined
    return claimed(db, next, claimant)
  })
}

/** Claims a new_lead for its only attempt. Returns undefined when another process has claimed it, or when it was cancelled. */
export function claimLead(store: Store, id: string, claimant: Claimant): Promise<DeliveryRow | undefined> {
  return store.transaction(async (db) => {
    const free = db.selectFrom('deliveries').selectAll().where('id', '=', id).where('state', '=', 'pending')
    const next = await free.executeTakeFirst()
    return next && claimed(db, next, claimant)
  })
}

const queued = (db: Db) => db.selectFrom('deliveries').where('type', '!=', 'new_lead')

async function claimed(db: Db, next: DeliveryRow, { worker, until }: Claimant): Promise<DeliveryRow> {
  const claim = { state: 'sending', claimedBy: worker, claimedUntil: iso(until) } as const
  await db.updateTable('deliveries').set(claim).where('id', '=', next.id).execute()
  return { ...next, ...claim }
}

async function isLeadOnItsWay(db: Db, { webhookId, eventId }: DeliveryRow): Promise<boolean> {
  const lead = await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.eventId')
    .select('deliveries.id')
    .where('deliveries.webhookId', '=', webhookId)
    .where('deliveries.type', '=', 'new_lead')
    .where('deliveries.state', 'in', ['pending', 'sending'])
    .where('events.subject', '=', (from) => from.selectFrom('events').select('subject').where('id', '=', eventId))
    .limit(1)
    .executeTakeFirst()
  return lead !== undefined
}

/** Extends a claim. `until` is in ms of real time. Returns false when the claim was lost or the delivery was cancelled. */
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

/** Ends the claim on a delivery. `dueAt` is the time of the next attempt in ms, or undefined if there is none. */
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
    // Change nothing if the delivery was cancelled, or was claimed by another process after the claim expired.
    .where('state', '=', 'sending')
    .where('claimedBy', '=', delivery.claimedBy)
    .execute()
}

/**
 * Ends the expired claims of stopped processes. A new_lead then counts as lost, because it may have arrived and must not be sent twice.
 * Other events are sent again.
 * @param now ms of real time
 */
export async function releaseStale(store: Store, now: number): Promise<void> {
  const stale = await store.db
    .selectFrom('deliveries')
    .select('id')
    .where('state', '=', 'sending')
    .where('claimedUntil', '<', iso(now))
    .limit(1)
    .executeTakeFirst()
  // Usually no claim has expired, and then no transaction is needed.
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
