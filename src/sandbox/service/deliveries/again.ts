import { causedBy, writeCause } from '../../store/changes.ts'
import { addAttempt, findDelivery } from '../../store/deliveries.ts'
import { findEvent, findWebhook, isOfListener } from '../../store/webhooks.ts'
import { type Caller, delay } from '../clock.ts'
import type { Service } from '../service.ts'
import { deliveryBody, messageFor } from './message.ts'
import { type PostResult, post } from './post.ts'
import { timeoutOf } from './schedule.ts'

interface Chaos {
  duplicate: boolean
  corruptSignature: boolean
  delayMs: number
}

export interface Redelivery {
  deliveryId: string
  eventId: string
  url: string
  results: Pick<PostResult, 'status' | 'error' | 'ms'>[]
}

/**
 * Sends a delivery again, without waiting for its queue and in addition to its retries. Throws `WireFault` when the caller stops waiting
 * before the delivery was sent.
 * @returns undefined when the delivery, its event or its destination does not exist
 */
export async function deliverAgain(
  service: Service,
  deliveryId: string,
  chaos: Chaos,
  caller: Caller,
): Promise<Redelivery | undefined> {
  const { store, clock, allowHttp } = service
  const { description } = service
  const delivery = findDelivery(store.db, deliveryId)
  const event = delivery && findEvent(store.db, delivery.eventId)
  const webhook = delivery && findWebhook(store.db, delivery.webhookId)
  if (!delivery || !event || !webhook) return undefined
  if (chaos.delayMs > 0) await delay(clock.sleep, chaos.delayMs, caller)
  const results: PostResult[] = []
  for (let copy = 0; copy < (chaos.duplicate ? 2 : 1); copy++) {
    const at = clock.now()
    const result = await post({
      ...messageFor(webhook, deliveryBody(event, description), chaos.corruptSignature, description, at),
      url: webhook.url,
      timeoutMs: timeoutOf(event.type, description),
      allowLoopback: allowHttp || isOfListener(webhook),
      monotonic: clock.monotonic,
    })
    results.push(result)
    const said = { ...result, deliveryId, number: delivery.attempts, at, chaos: describe(chaos) }
    causedBy(writeCause('control', at, delivery.id, event.subject), () => addAttempt(store.db, said))
  }
  return {
    deliveryId,
    eventId: event.id,
    url: webhook.url,
    results: results.map(({ status, error, ms }) => ({ status, error, ms })),
  }
}

function describe(chaos: Chaos): string {
  const words = [
    'again',
    ...(chaos.duplicate ? ['duplicate'] : []),
    ...(chaos.corruptSignature ? ['corrupt signature'] : []),
    ...(chaos.delayMs > 0 ? ['delayed'] : []),
  ]
  return words.join(', ')
}
