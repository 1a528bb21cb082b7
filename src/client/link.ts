import { isLoopback, parseServiceAddress } from '../domain/origin.ts'
import { BnplError } from '../errors.ts'

/**
 * A link the service gave, as one that may be fetched or opened: https, and http only from this machine to this machine.
 * Throws `service`; the link itself is never part of the message.
 * @param from the address that gave it
 */
export function checkLink(link: string, from: string): string {
  const resolved = URL.canParse(link, from) ? new URL(link, from) : undefined
  const parsed = parseServiceAddress(resolved?.href ?? link)
  const reason = !parsed.ok
    ? parsed.reason
    : parsed.url.protocol === 'http:' && !isLoopback(new URL(from).hostname)
      ? 'it leads from the service to this machine'
      : undefined
  if (parsed.ok && reason === undefined) return parsed.url.href
  throw new BnplError('service', `the link to the report that ${new URL(from).host} gave cannot be used: ${reason}`, {
    code: 'BAD_LINK',
    hint: 'Nothing was fetched from it. Is the base address right? See bnpl doctor.',
  })
}
