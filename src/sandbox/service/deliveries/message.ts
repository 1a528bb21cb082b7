import { INTEGRATIONS } from '../../../contract/integrations.ts'
import { deliveryText } from '../../../domain/body-forms.ts'
import { sign } from '../../../domain/signature.ts'
import { DEFAULT_SIGNATURE } from '../../../domain/signature-settings.ts'
import type { EventRow, WebhookRow } from '../../store/tables.ts'

export interface Message {
  headers: Record<string, string>
  body: Uint8Array
}

/**
 * The body of a delivery (specification: "Webhook events"): `eventId` and `data`, without a type. It has the same bytes for every
 * destination and retry, in a form that no library writes; see `deliveryText`.
 */
export function deliveryBody(event: Pick<EventRow, 'id' | 'data'>): Uint8Array {
  return Buffer.from(deliveryText(`{"eventId":${JSON.stringify(event.id)},"data":${event.data}}`))
}

/** A delivery, with the header of the destination's scheme. @param corrupt makes the signature or the token wrong */
export function messageFor(
  webhook: Pick<WebhookRow, 'verificationScheme' | 'secret'>,
  body: Uint8Array,
  corrupt: boolean,
): Message {
  const headers: Record<string, string> = { 'content-type': 'application/json', 'user-agent': 'bnpl-sandbox' }
  const { secret } = webhook
  if (webhook.verificationScheme === 'hmac') {
    headers[INTEGRATIONS.bnpl.header] = sign(body, corrupt ? `${secret}-corrupt` : secret, DEFAULT_SIGNATURE)
  } else {
    headers[INTEGRATIONS['real-estate'].header] = corrupt ? `${secret}-corrupt` : secret
  }
  return { headers, body }
}
