import type { ServiceDescription } from '../../../contract/description.ts'
import type { SimulatedFaultKind } from '../../../domain/sandbox-faults.ts'
import { causedBy, writeCause } from '../../store/changes.ts'
import { addAttempt, findDelivery, findEvent, findWebhook, isOfListener } from '../../store/deliveries.ts'
import { type EventRow, toJsonColumn, type WebhookRow } from '../../store/tables.ts'
import { type Caller, delay } from '../clock.ts'
import { withOtherAmounts, withOtherIds, withOtherTransaction } from '../faults.ts'
import type { Service } from '../service.ts'
import { deliveryBody, type Message, messageFor, type PostResult, post, timeoutOf } from './post.ts'

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

export interface Sent extends Message {
  method: 'GET' | 'POST'
}

interface Strays {
  before?: Sent
  after?: Sent
}

/**
 * Returns the messages that a fault sends in addition to the first attempt of a delivery. They must have no effect on a correct receiver.
 * @param now the sandbox's time, in ms since 1970
 */
export function extraMessagesOf(
  kind: SimulatedFaultKind,
  webhook: Pick<WebhookRow, 'verificationScheme' | 'secret'>,
  event: Pick<EventRow, 'id' | 'data' | 'type'>,
  genuine: Sent,
  description: ServiceDescription,
  now: number,
): Strays {
  const { type } = event
  const signed = (id: string, data: unknown): Sent => ({
    ...messageFor(
      webhook,
      deliveryBody({ id, type, data: toJsonColumn(data as Record<string, unknown>) }, description),
      false,
      description,
      now,
    ),
    method: 'POST',
  })
  const data: unknown = JSON.parse(event.data)
  if (kind === 'twice') return { after: genuine }
  if (kind === 'wrong-signature')
    return { before: { ...genuine, ...messageFor(webhook, genuine.body, true, description, now) } }
  if (kind === 'other-body') return { after: signed(event.id, withOtherAmounts(data)) }
  if (kind === 'redirected') return { before: { ...genuine, method: 'GET' } }
  if (kind === 'of-another') {
    return { before: signed(`another-${event.id}`, withOtherIds(withOtherTransaction(data))) }
  }
  return {}
}
