import { INTEGRATIONS } from '../../../contract/integrations.ts'
import type { DeliveryManner } from '../../../contract/manner.ts'
import { deliveryText } from '../../../domain/body-forms.ts'
import { sign } from '../../../domain/signature.ts'
import { DEFAULT_SIGNATURE } from '../../../domain/signature-settings.ts'
import type { EventRow, WebhookRow } from '../../store/tables.ts'
import { deliveryInMannerOf, signatureInMannerOf } from '../manner/delivery.ts'

export interface Message {
  headers: Record<string, string>
  body: Uint8Array
}

/**
 * Returns the body of a delivery: `eventId` and `data`, without the type of the event (specification: "Webhook events"). Its bytes are the
 * same for every destination and retry. For its unusual spaces and escapes, see `deliveryText`.
 * @param manner how the imitated service delivers, if there is one
 */
export function deliveryBody(event: Pick<EventRow, 'id' | 'data' | 'type'>, manner?: DeliveryManner): Uint8Array {
  const own = Buffer.from(deliveryText(`{"eventId":${JSON.stringify(event.id)},"data":${event.data}}`))
  return manner === undefined ? own : deliveryInMannerOf(manner, event.type, own)
}

/**
 * Returns the body and the headers of a delivery, including the header with which the destination verifies it.
 * @param corrupt makes the signature or the token wrong
 * @param manner how the imitated service delivers, if there is one
 */
export function messageFor(
  webhook: Pick<WebhookRow, 'verificationScheme' | 'secret'>,
  body: Uint8Array,
  corrupt: boolean,
  manner: DeliveryManner = {},
): Message {
  const headers: Record<string, string> = {
    'content-type': manner.contentType ?? 'application/json',
    'user-agent': 'bnpl-sandbox',
  }
  const secret = corrupt ? `${webhook.secret}-corrupt` : webhook.secret
  const [header, proof] =
    webhook.verificationScheme === 'hmac'
      ? (signatureInMannerOf(manner, body, secret) ?? [INTEGRATIONS.bnpl.header, sign(body, secret, DEFAULT_SIGNATURE)])
      : [manner.token?.header ?? INTEGRATIONS['real-estate'].header, secret]
  return { headers: { ...headers, [header]: proof }, body }
}
