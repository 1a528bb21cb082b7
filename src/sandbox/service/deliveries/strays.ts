import type { ServiceDescription } from '../../../contract/description.ts'
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
 * @param now the sandbox's time, in ms since 1970
 */
export function straysOf(
  kind: HarmKind,
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
