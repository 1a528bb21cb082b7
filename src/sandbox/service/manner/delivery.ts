import { type BinaryToTextEncoding, createHmac } from 'node:crypto'
import type { EventType } from '../../../contract/integrations.ts'
import type { DeliveryManner, EventManner } from '../../../contract/manner.ts'
import { deliveryText } from '../../../domain/body-forms.ts'
import { HMAC_ALGORITHMS } from '../../../domain/signature-settings.ts'
import { inFieldsOf, isPlain } from './fields.ts'

const ENCODINGS: readonly BinaryToTextEncoding[] = ['hex', 'base64', 'base64url']

/** Returns the body of a delivery as the imitated service would write it. For its unusual spaces and escapes, see `deliveryText`. */
export function deliveryInMannerOf(manner: DeliveryManner, type: EventType, body: Uint8Array): Uint8Array {
  const { names, types, words, more, fewer }: EventManner = manner.events?.[type] ?? {}
  const fields = {
    names: { ...manner.names, ...names },
    types: { ...manner.types, ...types },
    words,
    more: { ...manner.more, ...more },
    fewer: [...(manner.fewer ?? []), ...(fewer ?? [])],
  }
  if (isPlain(fields)) return body
  const own: unknown = JSON.parse(new TextDecoder().decode(body))
  return Buffer.from(deliveryText(JSON.stringify(inFieldsOf(fields, own))))
}

/**
 * Returns the imitated service's signature of a body, with the name of its header; undefined if the recordings do not show how the service
 * signs.
 */
export function signatureInMannerOf(
  { signature }: DeliveryManner,
  body: Uint8Array,
  secret: string,
): [header: string, value: string] | undefined {
  if (signature === undefined) return undefined
  const { header, algorithm, encoding, prefix = '' } = signature
  const written = ENCODINGS.find((each) => each === encoding)
  const known = HMAC_ALGORITHMS.find((each) => each === algorithm)
  if (written === undefined || known === undefined) return undefined
  return [header, prefix + createHmac(known, secret).update(body).digest(written)]
}
