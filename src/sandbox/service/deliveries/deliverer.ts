import { randomUUID } from 'node:crypto'
import { CLAIM_MS } from '../../conventions.ts'
import {
  addAttempt,
  claimNext,
  dueDestinations,
  releaseStale,
  renewClaim,
  settleDelivery,
} from '../../store/deliveries.ts'
import { findEvent } from '../../store/events.ts'
import { retrySteps } from '../../store/settings.ts'
import type { Db, DeliveryRow } from '../../store/tables.ts'
import { findWebhook } from '../../store/webhooks.ts'
import type { Service } from '../service.ts'
import { deliveryBody, messageFor } from './message.ts'
import { post } from './post.ts'
import { nextWait, timeoutOf } from './schedule.ts'

/**
 * Sends the queued deliveries in order for each destination. Destinations are independent, so that a dead one does not delay the others.
 */
export interface Deliverer {
  /** Checks for due deliveries at once, or again after the present check. */
  kick(): void
  /** Resolves when no due delivery is left, or after `maxMs`. */
  idle(maxMs: number): Promise<void>
}

/** Makes the deliverer of a sandbox. @param onFault called with failures that no caller sees */
export function createDeliverer(service: Service, onFault: (error: unknown) => void): Deliverer {
  const worker = randomUUID()
  const busy = new Map<string, Promise<void>>()
  /** Busy destinations for which another delivery became due. */
  const missed = new Set<string>()
  let looking: Promise<void> | undefined
  let again = false

  const look = async () => {
    try {
      do {
        again = false
        const { now, aheadMs } = await service.clock.reading()
        await releaseStale(service.store, now - aheadMs)
        for (const webhookId of await dueDestinations(service.store.db, now)) {
          if (busy.has(webhookId)) missed.add(webhookId)
          else busy.set(webhookId, work(webhookId))
        }
      } while (again)
    } finally {
      // Without an `await` after the last check of `again`: a kick between the two would be lost.
      looking = undefined
    }
  }
  const work = (webhookId: string): Promise<void> =>
    sendAll(service, worker, webhookId)
      .catch((error) => {
        onFault(error)
        return 0
      })
      .then((sent) => {
        busy.delete(webhookId)
        // Another delivery of this destination may be due. If none was sent, another process holds it, or there was a fault.
        if (missed.delete(webhookId) || sent > 0) deliverer.kick()
      })

  const deliverer: Deliverer = {
    kick() {
      if (looking) {
        again = true
        return
      }
      looking = look().catch(onFault)
    },
    async idle(maxMs) {
      const { monotonic } = service.clock
      const deadline = monotonic() + maxMs
      while ((looking || busy.size > 0) && monotonic() < deadline) {
        const tooLate = Promise.withResolvers<void>()
        const timer = setTimeout(tooLate.resolve, deadline - monotonic())
        await Promise.race([looking ?? Promise.race(busy.values()), tooLate.promise])
        clearTimeout(timer)
      }
    },
  }
  return deliverer
}

/** Sends the due deliveries of a destination. @returns how many were sent */
async function sendAll(service: Service, worker: string, webhookId: string): Promise<number> {
  const { store, clock } = service
  const until = async (db: Db) => (await clock.unmoved(db)) + CLAIM_MS
  for (let sent = 0; ; sent++) {
    const delivery = await claimNext(store, webhookId, worker, await clock.now(), until)
    if (delivery === undefined) return sent
    await sendOne(service, delivery)
  }
}

async function sendOne(service: Service, delivery: DeliveryRow): Promise<void> {
  const { store, clock, random, allowHttp } = service
  const [event, webhook] = [
    await findEvent(store.db, delivery.eventId),
    await findWebhook(store.db, delivery.webhookId),
  ]
  if (event === undefined || webhook === undefined) return settleDelivery(store.db, delivery, 'cancelled', undefined)
  const timeoutMs = timeoutOf(event.type)
  // If the claim has ended, or would end before the answer, another process may send this delivery: extend the claim or stop.
  for (let until = Date.parse(delivery.claimedUntil ?? ''); (await clock.unmoved()) + timeoutMs > until; ) {
    until = (await clock.unmoved()) + CLAIM_MS
    if (!(await renewClaim(store.db, delivery, until))) return
  }
  const result = await post({
    ...messageFor(webhook, deliveryBody(event), false),
    url: webhook.url,
    timeoutMs,
    allowLoopback: allowHttp,
    monotonic: clock.monotonic,
  })
  const now = await clock.now()
  const number = delivery.attempts + 1
  await store.transaction(async (db) => {
    await addAttempt(db, { ...result, deliveryId: delivery.id, number, at: now, chaos: null })
    if (result.status !== null && result.status >= 200 && result.status < 300) {
      return settleDelivery(db, delivery, 'delivered', undefined)
    }
    const wait = nextWait(event.type, number, await retrySteps(db), random, result.retryAfterMs)
    const [state, dueAt] = wait === undefined ? (['failed'] as const) : (['pending', now + wait] as const)
    await settleDelivery(db, delivery, state, dueAt)
  })
}
