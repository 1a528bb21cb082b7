import { CLAIM_MS } from '../../conventions.ts'
import { renewClaim, settleDelivery } from '../../store/claims.ts'
import { addAttempt, faultOf } from '../../store/deliveries.ts'
import { findEvent } from '../../store/events.ts'
import { retrySteps } from '../../store/settings.ts'
import type { DeliveryRow } from '../../store/tables.ts'
import { findWebhook, isOfListener } from '../../store/webhooks.ts'
import type { Service } from '../service.ts'
import { deliveryBody, messageFor } from './message.ts'
import { post } from './post.ts'
import { NO_JITTER, nextWait, timeoutOf } from './schedule.ts'
import { type Sent, straysOf } from './strays.ts'

const LOST = { status: null, answer: '', error: 'ECONNRESET', retryAfterMs: null }

/**
 * Sends a claimed delivery once, with the additional messages of its fault. Stores each attempt, then whether the delivery has arrived, has
 * failed, or is sent again later. Sends nothing if another process has claimed the delivery in the meantime.
 */
export async function attemptDelivery(service: Service, delivery: DeliveryRow): Promise<void> {
  const { store, clock, random, allowHttp } = service
  const manner = service.like?.manner.deliveries
  const [event, webhook] = [
    await findEvent(store.db, delivery.eventId),
    await findWebhook(store.db, delivery.webhookId),
  ]
  if (event === undefined || webhook === undefined) return settleDelivery(store.db, delivery, 'cancelled', undefined)
  const timeoutMs = timeoutOf(event.type, manner)
  const own = { ...messageFor(webhook, deliveryBody(event, manner), false, manner), method: 'POST' } as const
  const kind = delivery.attempts === 0 ? faultOf(delivery)?.kind : undefined
  const strays = kind ? straysOf(kind, webhook, event, own, manner) : undefined
  const send = (message: Sent) =>
    post({ ...message, url: webhook.url, timeoutMs, allowLoopback: allowHttp || isOfListener(webhook), monotonic })
  const { monotonic } = clock
  const number = delivery.attempts + 1
  const sendStray = async (message: Sent) => {
    const at = await clock.now()
    await addAttempt(store.db, { ...(await send(message)), deliveryId: delivery.id, number, at, chaos: kind ?? null })
  }
  if (strays?.before) await sendStray(strays.before)
  // Claim the delivery for longer than the attempt can take, so that no other process sends it too. Stop if another process has claimed it.
  for (let until = Date.parse(delivery.claimedUntil ?? ''); (await clock.unmoved()) + timeoutMs > until; ) {
    until = (await clock.unmoved()) + CLAIM_MS + timeoutMs
    if (!(await renewClaim(store.db, delivery, until))) return
  }
  const startedAt = await clock.now()
  const sent = await send(own)
  const result = (await service.losesAnswer?.(delivery.id)) ? { ...sent, ...LOST } : sent
  const now = await clock.now()
  await store.transaction(async (db) => {
    await addAttempt(db, { ...result, deliveryId: delivery.id, number, at: startedAt, chaos: null })
    if (result.status !== null && result.status >= 200 && result.status < 300) {
      return settleDelivery(db, delivery, 'delivered', undefined)
    }
    const { steps, jitter } = await retrySteps(db, manner?.retriesMs)
    const wait = nextWait(event.type, number, steps, jitter ? random : NO_JITTER, result.retryAfterMs)
    const [state, dueAt] = wait === undefined ? (['failed'] as const) : (['pending', now + wait] as const)
    await settleDelivery(db, delivery, state, dueAt)
  })
  if (strays?.after) await sendStray(strays.after)
}
