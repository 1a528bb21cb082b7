import type { ServiceDescription } from '../../../contract/description.ts'
import type { SimulatedFaultKind } from '../../../domain/sandbox-faults.ts'
import { causedBy, writeCause } from '../../store/changes.ts'
import { addAttempt, findDelivery, findEvent, findWebhook } from '../../store/deliveries.ts'
import { type EventRow, toJsonColumn, type WebhookRow } from '../../store/tables.ts'
import { type Caller, delay } from '../clock.ts'
import { withOtherAmounts, withOtherIds, withOtherTransaction } from '../faults.ts'
import type { Service } from '../service.ts'
import {
  deliveryBody,
  type Message,
  messageFor,
  type PostResult,
  post,
  toDestination,
  withWrongSecret,
} from './post.ts'

/** How a delivery is sent again. */
interface Repetition {
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
 * Sends a delivery again, without waiting for its queue and in addition to its retries. Throws `WireFailure` when the caller stops waiting
 * before the delivery was sent.
 * @returns undefined when the delivery, its event or its destination does not exist
 */
export async function deliverAgain(
  service: Service,
  deliveryId: string,
  { duplicate, corruptSignature, delayMs }: Repetition,
  caller: Caller,
): Promise<Redelivery | undefined> {
  const { store, clock, description } = service
  const delivery = findDelivery(store.db, deliveryId)
  const event = delivery && findEvent(store.db, delivery.eventId)
  const webhook = delivery && findWebhook(store.db, delivery.webhookId)
  if (!delivery || !event || !webhook) return undefined
  const said = [
    'again',
    ...(duplicate ? ['duplicate'] : []),
    ...(corruptSignature ? ['corrupt signature'] : []),
    ...(delayMs > 0 ? ['delayed'] : []),
  ].join(', ')
  if (delayMs > 0) await delay(clock.sleep, delayMs, caller)
  const signedBy = corruptSignature ? withWrongSecret(webhook) : webhook
  const results: PostResult[] = []
  for (let copy = 0; copy < (duplicate ? 2 : 1); copy++) {
    const at = clock.now()
    const result = await post({
      ...messageFor(signedBy, deliveryBody(event, description), description, at),
      ...toDestination(service, webhook, event.type),
    })
    results.push(result)
    const attempt = { ...result, deliveryId, number: delivery.attempts, at, fault: said }
    causedBy(writeCause('control', at, delivery.id, event.subject), () => addAttempt(store.db, attempt))
  }
  return {
    deliveryId,
    eventId: event.id,
    url: webhook.url,
    results: results.map(({ status, error, ms }) => ({ status, error, ms })),
  }
}

interface ExtraMessages {
  before?: Message
  after?: Message
}

/**
 * Returns the messages that a fault sends in addition to the first attempt of a delivery. They must have no effect on a correct receiver.
 * @param now the sandbox's time, in ms since 1970
 */
export function extraMessagesOf(
  kind: SimulatedFaultKind,
  webhook: Pick<WebhookRow, 'verificationScheme' | 'secret'>,
  event: Pick<EventRow, 'id' | 'data' | 'type'>,
  genuine: Message,
  description: ServiceDescription,
  now: number,
): ExtraMessages {
  const { type } = event
  const signed = (id: string, data: unknown) => {
    const other = { id, type, data: toJsonColumn(data as Record<string, unknown>) }
    return messageFor(webhook, deliveryBody(other, description), description, now)
  }
  const data: unknown = JSON.parse(event.data)
  if (kind === 'twice') return { after: genuine }
  if (kind === 'wrong-signature')
    return { before: messageFor(withWrongSecret(webhook), genuine.body, description, now) }
  if (kind === 'other-body') return { after: signed(event.id, withOtherAmounts(data)) }
  if (kind === 'redirected') return { before: { ...genuine, method: 'GET' } }
  if (kind === 'of-another') {
    return { before: signed(`another-${event.id}`, withOtherIds(withOtherTransaction(data))) }
  }
  return {}
}
