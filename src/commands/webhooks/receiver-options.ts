import { isLoopback } from '../../domain/origin.ts'
import { usage } from '../../errors.ts'
import { maskText } from '../../text/masking.ts'

/** The address of a receiver that gets signed deliveries: https, or http on this machine. Throws `usage`. */
export function readReceiverUrl(option: string, text: string): string {
  const refuse = (reason: string) =>
    usage(`${option} “${maskText(text)}” cannot be delivered to: ${reason}`, undefined, 'INVALID_DESTINATION')
  if (!URL.canParse(text)) throw refuse('it is not an absolute address such as https://shop.example/webhooks')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') throw refuse('it must not contain a user name or a password')
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return text
  throw refuse('destinations are https; http is for this machine (loopback) only')
}
