import { guidance } from '../contract/failures/advice.ts'
import { isLoopback, parseServiceAddress } from '../domain/origin.ts'
import { BnplError } from '../errors.ts'

/**
 * Checks a link that the service sent: it must be https, or http if both the service and the link are on this machine. `from` is the
 * address whose answer contained the link. Throws `service`, with a message that never contains the link.
 */
export function checkLink(link: string, from: string): string {
  const resolved = URL.canParse(link, from) ? new URL(link, from) : undefined
  const parsed = parseServiceAddress(resolved?.href ?? link)
  const reason = !parsed.ok
    ? parsed.reason
    : parsed.url.protocol === 'http:' && !isLoopback(new URL(from).hostname)
      ? 'it is an address of this machine, but the service is on another machine'
      : undefined
  if (parsed.ok && reason === undefined) return parsed.url.href
  const message = `the link that ${new URL(from).host} sent for the report cannot be used: ${reason}; nothing was fetched from the link`
  throw new BnplError('service', message, {
    code: 'BAD_LINK',
    ...guidance({ id: 'check-base-address' }),
  })
}
