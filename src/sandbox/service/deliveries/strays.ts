import type { DeliveryManner } from '../../../contract/manner.ts'
import type { HarmKind } from '../../../domain/sandbox-faults.ts'
import { toJsonColumn } from '../../store/json-column.ts'
import type { EventRow, WebhookRow } from '../../store/tables.ts'
import { withOtherAmounts, withOtherIds, withOtherTransaction } from '../altered-answer.ts'
import { deliveryBody, type Message, messageFor } from './message.ts'

export interface Sent extends Message {
  method: 'GET' | 'POST'
}

interface Strays {
  before?: Sent
  after?: Sent
}

/**
 * Returns the messages that a fault sends in addition to the first attempt of a delivery. They must have no effect on a correct receiver.
 * @param manner how the imitated service delivers, if there is one
 */
export function straysOf(
  kind: HarmKind,
  webhook: Pick<WebhookRow, 'verificationScheme' | 'secret'>,
  event: Pick<EventRow, 'id' | 'data' | 'type'>,
  genuine: Sent,
  manner?: DeliveryManner,
): Strays {
  const { type } = event
  const signed = (id: string, data: unknown): Sent => ({
    ...messageFor(
      webhook,
      deliveryBody({ id, type, data: toJsonColumn(data as Record<string, unknown>) }, manner),
      false,
      manner,
    ),
    method: 'POST',
  })
  const data: unknown = JSON.parse(event.data)
  if (kind === 'twice') return { after: genuine }
  if (kind === 'wrong-signature') return { before: { ...genuine, ...messageFor(webhook, genuine.body, true, manner) } }
  if (kind === 'other-body') return { after: signed(event.id, withOtherAmounts(data)) }
  if (kind === 'redirected') return { before: { ...genuine, method: 'GET' } }
  if (kind === 'of-another') {
    return { before: signed(`another-${event.id}`, withOtherIds(withOtherTransaction(data))) }
  }
  return {}
}
