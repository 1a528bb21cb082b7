import { answerOf, type ServiceDescription } from '../../../contract/description.ts'
import { deliveryText } from '../../../domain/body-bytes.ts'
import type { EventRow, WebhookRow } from '../../store/tables.ts'
import { deliveryAs, proofAs } from '../described.ts'

export interface Message {
  headers: Record<string, string>
  body: Uint8Array
}

/**
 * Returns the body of a delivery: `eventId` and `data`, without the type of the event (specification: "Webhook events"). Its bytes are the
 * same for every destination and retry. For its unusual spaces and escapes, see `deliveryText`.
 */
export function deliveryBody(
  event: Pick<EventRow, 'id' | 'data' | 'type'>,
  description: ServiceDescription,
): Uint8Array {
  const own = Buffer.from(deliveryText(`{"eventId":${JSON.stringify(event.id)},"data":${event.data}}`))
  return deliveryAs(description, event.type, own)
}

/**
 * Returns the body and the headers of a delivery, including the header with which the destination verifies it.
 * @param corrupt makes the signature or the token wrong
 * @param now the sandbox's time, in ms since 1970
 */
export function messageFor(
  webhook: Pick<WebhookRow, 'verificationScheme' | 'secret'>,
  body: Uint8Array,
  corrupt: boolean,
  description: ServiceDescription,
  now: number,
): Message {
  const headers: Record<string, string> = {
    'content-type': answerOf(description, 'deliveryType'),
    'user-agent': 'bnpl-sandbox',
  }
  const secret = corrupt ? `${webhook.secret}-corrupt` : webhook.secret
  const [header, proof] = proofAs(description, webhook.verificationScheme, body, secret, now)
  return { headers: { ...headers, [header]: proof }, body }
}
