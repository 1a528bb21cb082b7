import { CLAIM_MS } from '../../conventions.ts'
import { causedBy, writeCause } from '../../store/changes.ts'
import { addAttempt, faultOf, renewClaim, settleDelivery } from '../../store/deliveries.ts'
import { retrySteps } from '../../store/settings.ts'
import type { DeliveryRow, EventRow } from '../../store/tables.ts'
import { findEvent, findWebhook, isOfListener } from '../../store/webhooks.ts'
import type { Service } from '../service.ts'
import { deliveryBody, messageFor } from './message.ts'
import { post } from './post.ts'
import { NO_JITTER, nextWait, timeoutOf } from './schedule.ts'
import { type Sent, straysOf } from './strays.ts'

const LOST = { status: null, answer: '', error: 'ECONNRESET', retryAfterMs: null }

/**
 * Makes one attempt to send a claimed delivery, and stores the answer. Then stores whether the delivery has arrived, has failed, or must be
 * sent again later. If the delivery has a fault, the fault may send other messages before or after the attempt, such as one with a wrong
 * signature. Does not make the attempt if another process has claimed the delivery in the meantime.
 */
export async function attemptDelivery(service: Service, delivery: DeliveryRow): Promise<void> {
  const event = findEvent(service.store.db, delivery.eventId)
  const cause = writeCause('delivery', service.clock.now(), delivery.id, event?.subject)
  await causedBy(cause, () => attempt(service, delivery, event))
}

async function attempt(service: Service, delivery: DeliveryRow, event: EventRow | undefined): Promise<void> {
  const { store, clock, random, allowHttp, description } = service
  const webhook = findWebhook(store.db, delivery.webhookId)
  if (event === undefined || webhook === undefined) return settleDelivery(store.db, delivery, 'cancelled', undefined)
  const timeoutMs = timeoutOf(event.type, description)
  const own = {
    ...messageFor(webhook, deliveryBody(event, description), false, description, clock.now()),
    method: 'POST',
  } as const
  const kind = delivery.attempts === 0 ? faultOf(delivery)?.kind : undefined
  const strays = kind ? straysOf(kind, webhook, event, own, description, clock.now()) : undefined
  const { monotonic } = clock
  const common = { url: webhook.url, timeoutMs, allowLoopback: allowHttp || isOfListener(webhook), monotonic }
  const number = delivery.attempts + 1
  const sendStray = async (message: Sent) => {
    const at = clock.now()
    const sent = await post({ ...message, ...common })
    addAttempt(store.db, { ...sent, deliveryId: delivery.id, number, at, chaos: kind ?? null })
  }
  if (strays?.before) await sendStray(strays.before)
  // Claim the delivery for longer than the attempt can take, so that no other process sends it too. Stop if another process has claimed it.
  let until = Date.parse(delivery.claimedUntil ?? '')
  let realTime = clock.unmoved()
  while (realTime + timeoutMs > until) {
    until = realTime + CLAIM_MS + timeoutMs
    if (!renewClaim(store.db, delivery, until)) return
    realTime = clock.unmoved()
  }
  const startedAt = clock.now()
  const sent = await post({ ...own, ...common, longestMs: until - realTime })
  const result = (await service.losesAnswer?.(delivery.id)) ? { ...sent, ...LOST } : sent
  const now = clock.now()
  store.transaction((db) => {
    addAttempt(db, { ...result, deliveryId: delivery.id, number, at: startedAt, chaos: null })
    if (result.status !== null && result.status >= 200 && result.status < 300) {
      return settleDelivery(db, delivery, 'delivered', undefined)
    }
    const { steps, jitter } = retrySteps(db, description)
    const wait = nextWait(event.type, number, steps, jitter ? random : NO_JITTER, result.retryAfterMs)
    const [state, dueAt] = wait === undefined ? (['failed'] as const) : (['pending', now + wait] as const)
    settleDelivery(db, delivery, state, dueAt)
  })
  if (strays?.after) await sendStray(strays.after)
}
