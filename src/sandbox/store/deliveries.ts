import { randomBytes, randomUUID } from 'node:crypto'
import { EVENTS } from '../../contract/events.ts'
import type { EventType } from '../../contract/integrations.ts'
import { LISTENER_SECRET } from '../../domain/sandbox-secret.ts'
import { causedBy, writeCause } from './changes.ts'
import { DELIVERY, type FaultEffect } from './fault-effect.ts'
import { takeFaultWithin } from './faults.ts'
import { type Db, iso, newId, type Store } from './store.ts'
import {
  type DeliveryAttemptRow,
  type DeliveryRow,
  type EventRow,
  fromJsonColumn,
  toJsonColumn,
  type WebhookRow,
} from './tables.ts'

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

/** Whether the status of an answer means that the receiver accepted a delivery. */
export const isAccepted = (status: number | null): boolean => status !== null && status >= 200 && status < 300

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
  event: Pick<EventRow, 'partnerId' | 'type' | 'subject'> & { id?: string },
  data: Record<string, unknown>,
  now: number,
  scope: EventScope = {},
): string {
  const row: EventRow = { id: newId(now), ...event, data: toJsonColumn(data), createdAt: iso(now) }
  db.insert('events', row)
  for (const webhook of partnerWebhooks(db, event.partnerId)) {
    if (receives(webhook, event.type, scope)) addDelivery(db, row, webhook)
  }
  return row.id
}

export function findEvent(db: Db, id: string): EventRow | undefined {
  return db.get('select * from events where id = ?', id)
}

function receives(webhook: WebhookRow, type: EventRow['type'], scope: EventScope): boolean {
  if (!fromJsonColumn(webhook.eventTypes).includes(type)) return false
  if (webhook.projectId !== null && webhook.projectId !== (scope.projectId ?? null)) return false
  const outcome = webhook.filters === null ? undefined : fromJsonColumn(webhook.filters).outcome
  return type !== 'pre_approve' || outcome === undefined || outcome === scope.outcome
}

/** Queues an event for a destination, in the transaction that stores the event. Applies a simulated fault, if there is one. */
function addDelivery(db: Db, event: EventRow, webhook: WebhookRow): void {
  const effect = takeFaultWithin(db, DELIVERY)
  const last = db.get<{ position: number | null }>('select max(position) as position from deliveries')
  const position = (last?.position ?? 0) + 1
  db.insert('deliveries', {
    id: randomUUID(),
    eventId: event.id,
    webhookId: webhook.id,
    partnerId: event.partnerId,
    position,
    type: event.type,
    state: effect?.kind === 'never' ? 'lost' : 'pending',
    attempts: 0,
    dueAt: effect === undefined ? event.createdAt : iso(Date.parse(event.createdAt) + effect.delayMs),
    claimedBy: null,
    claimedUntil: null,
    createdAt: event.createdAt,
    fault: effect === undefined ? null : toJsonColumn(effect),
  })
  releaseOvertaken(db, event, webhook.id, position)
}

/** Moves delayed deliveries (fault `out-of-order`) behind `position`, and makes them due. */
function releaseOvertaken(db: Db, event: EventRow, webhookId: string, position: number): void {
  const waiting = db.all<DeliveryRow>(
    `select * from deliveries where webhookId = ? and state = 'pending' and attempts = 0 and position < ?
      and fault is not null order by position`,
    webhookId,
    position,
  )
  const overtaken = waiting.filter((row) => faultOf(row)?.kind === 'out-of-order')
  for (const [i, { id }] of overtaken.entries())
    db.run('update deliveries set position = ?, dueAt = ? where id = ?', position + 1 + i, event.createdAt, id)
}

/** Returns the simulated fault that applies to a delivery, if any. */
export function faultOf({ fault }: Pick<DeliveryRow, 'fault'>): FaultEffect | undefined {
  return fault === null ? undefined : fromJsonColumn(fault)
}

/** Whether a queued delivery must arrive before the customer returns to the shop (the simulated fault `early`). */
export function hasEarlyDelivery(db: Db): boolean {
  const faulty = `select fault from deliveries where state in ('pending', 'sending') and attempts = 0 and fault is not null`
  return db.all<DeliveryRow>(faulty).some((row) => faultOf(row)?.kind === 'early')
}

/** Cancels the queued deliveries of a deleted destination. */
function cancelDeliveries(db: Db, webhookId: string): void {
  db.run(`update deliveries set state = 'cancelled' where webhookId = ? and state in ('pending', 'sending')`, webhookId)
}

/** Stores an attempt to send a delivery. `at` is when the attempt began, in ms of the sandbox's time. */
export function addAttempt(db: Db, attempt: Omit<DeliveryAttemptRow, 'id' | 'at'> & { at: number }): void {
  const { deliveryId, number, status, ms, error, fault } = attempt
  const answer = attempt.answer.slice(0, 2000)
  db.insert('deliveryAttempts', {
    id: randomUUID(),
    deliveryId,
    number,
    at: iso(attempt.at),
    status,
    ms,
    error,
    answer,
    fault,
  })
}

/** A delivery with the address of its destination (null if it was deleted), and the transaction or lead of its event. */
type ListedDelivery = DeliveryRow & { url: string | null; subject: string }

const LISTED = `select deliveries.*, webhooks.url as url, events.subject as subject from deliveries
  left join webhooks on webhooks.id = deliveries.webhookId join events on events.id = deliveries.eventId`

/** Returns deliveries with their attempts, newest first. Skips the newest `offset` deliveries. */
export function listDeliveries(db: Db, limit: number, eventId?: string, offset = 0) {
  const selected = `${LISTED} where :event is null or deliveries.eventId = :event
    order by deliveries.position desc limit :limit offset :offset`
  return withAttempts(db, db.all<ListedDelivery>(selected, { event: eventId ?? null, limit, offset }))
}

/** Returns one delivery with the outcome of each attempt. */
export function deliveryWithAttempts(db: Db, id: string) {
  return withAttempts(db, db.all<ListedDelivery>(`${LISTED} where deliveries.id = ?`, id))[0]
}

function withAttempts(db: Db, rows: readonly ListedDelivery[]) {
  const ids = JSON.stringify(rows.map(({ id }) => id))
  const attempts = db.all<DeliveryAttemptRow>(
    'select * from deliveryAttempts where deliveryId in (select value from json_each(?)) order by number, at',
    ids,
  )
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId)
  return rows.map((row) => ({ ...row, tries: byDelivery.get(row.id) ?? [] }))
}

/** Returns a delivery without its attempts; undefined if there is none with this id. */
export function findDelivery(db: Db, id: string): DeliveryRow | undefined {
  return db.get('select * from deliveries where id = ?', id)
}

/*
 * Each destination has a queue, from which one delivery is sent at a time, the oldest first. A new_lead is not in the queue, because it
 * must be sent immediately (specification: "Webhook events").
 *
 * The process that sends a delivery has a claim on it, because other commands may use the same file (`-p sandbox`).
 */

interface Claimant {
  worker: string
  /** The end of the claim, in ms of real time. */
  until: number
}

/** Whether a delivery waits in the queue of its destination, in SQL. */
const QUEUED = `type not in (${Object.entries(EVENTS).flatMap(([type, { isSentOnce }]) => (isSentOnce ? `'${type}'` : []))})`

/**
 * Returns the ids of the destinations whose queue has a due delivery, but no delivery that is being sent. `now` is the sandbox's time in
 * ms.
 */
export function dueDestinations(db: Db, now: number): string[] {
  const due = `select distinct webhookId from deliveries where ${QUEUED} and state = 'pending' and dueAt <= ?
    and webhookId not in (select webhookId from deliveries where ${QUEUED} and state = 'sending')`
  return db.all<DeliveryRow>(due, iso(now)).map(({ webhookId }) => webhookId)
}

/** Returns the ids of the oldest new_lead deliveries that are due. `now` is the sandbox's time in ms. */
export function dueLeadDeliveries(db: Db, now: number, limit: number): string[] {
  const due = `select id from deliveries where not ${QUEUED} and state = 'pending' and dueAt <= ? order by position limit ?`
  return db.all<DeliveryRow>(due, iso(now), limit).map(({ id }) => id)
}

/**
 * Claims the oldest due delivery of a destination's queue for one attempt. Returns undefined while another delivery of the queue is being
 * sent. A pre_approve waits until the new_lead about the same lead was sent.
 * @param now the sandbox's time in ms
 */
export function claimNext(store: Store, webhookId: string, now: number, claimant: Claimant): DeliveryRow | undefined {
  return store.transaction((db) => {
    const queued = `select * from deliveries where webhookId = ? and ${QUEUED}`
    if (db.get(`${queued} and state = 'sending' limit 1`, webhookId)) return undefined
    const next = db.get<DeliveryRow>(
      `${queued} and state = 'pending' and dueAt <= ? order by position limit 1`,
      webhookId,
      iso(now),
    )
    if (next === undefined || (next.type === 'pre_approve' && isLeadOnItsWay(db, next))) return undefined
    return claimed(db, next, claimant)
  })
}

/** Claims a new_lead for its only attempt. Returns undefined when another process has claimed it, or when it was cancelled. */
export function claimLead(store: Store, id: string, claimant: Claimant): DeliveryRow | undefined {
  return store.transaction((db) => {
    const next = db.get<DeliveryRow>(`select * from deliveries where id = ? and state = 'pending'`, id)
    return next && claimed(db, next, claimant)
  })
}

function claimed(db: Db, next: DeliveryRow, { worker, until }: Claimant): DeliveryRow {
  const claim = { state: 'sending', claimedBy: worker, claimedUntil: iso(until) } as const
  db.run('update deliveries set state = :state, claimedBy = :claimedBy, claimedUntil = :claimedUntil where id = :id', {
    ...claim,
    id: next.id,
  })
  return { ...next, ...claim }
}

function isLeadOnItsWay(db: Db, { webhookId, eventId }: DeliveryRow): boolean {
  const lead = db.get(
    `select deliveries.id from deliveries join events on events.id = deliveries.eventId
      where deliveries.webhookId = ? and deliveries.type = '${'new_lead' satisfies EventType}' and deliveries.state in ('pending', 'sending')
      and events.subject = (select subject from events where id = ?) limit 1`,
    webhookId,
    eventId,
  )
  return lead !== undefined
}

/** Extends a claim. `until` is in ms of real time. Returns false when the claim was lost or the delivery was cancelled. */
export function renewClaim(db: Db, { id, claimedBy }: DeliveryRow, until: number): boolean {
  const renewed = `update deliveries set claimedUntil = ? where id = ? and state = 'sending' and claimedBy = ?`
  return db.run(renewed, iso(until), id, claimedBy) > 0
}

/**
 * Ends the claim on a delivery. Changes nothing if the delivery was cancelled, or was claimed by another process after the claim expired.
 * @param dueAt the time of the next attempt in ms, or undefined if there is none
 */
export function settleDelivery(
  db: Db,
  { id, claimedBy, attempts, dueAt: wasDueAt }: DeliveryRow,
  state: DeliveryRow['state'],
  dueAt: number | undefined,
): void {
  db.run(
    `update deliveries set state = ?, attempts = ?, dueAt = ?, claimedBy = null, claimedUntil = null
      where id = ? and state = 'sending' and claimedBy = ?`,
    state,
    attempts + 1,
    dueAt === undefined ? wasDueAt : iso(dueAt),
    id,
    claimedBy,
  )
}

/**
 * Ends the expired claims of stopped processes. A new_lead then counts as lost, because it may have arrived and must not be sent twice.
 * Other events are sent again.
 * @param now ms of real time
 */
export function releaseStale(db: Db, now: number): void {
  const stale = `select * from deliveries where state = 'sending' and claimedUntil < ?`
  for (const { id, type } of db.all<DeliveryRow>(stale, iso(now))) {
    const released = `update deliveries set state = ?, claimedBy = null, claimedUntil = null
      where id = ? and state = 'sending' and claimedUntil < ?`
    const state = EVENTS[type].isSentOnce ? 'lost' : 'pending'
    causedBy(writeCause('delivery', now, id), () => db.run(released, state, id, iso(now)))
  }
}
