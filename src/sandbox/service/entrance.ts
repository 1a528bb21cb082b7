import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Lets browsers into the window. Only this machine's user can make a ticket. A browser exchanges it for a key, once, and sends the key with
 * every request until the sandbox stops. It uses no cookie, because a browser would send it to every port of this machine. Tickets and keys
 * are kept
 * as fingerprints.
 */
export interface Entrance {
  /** A link that lets one browser in, once. The ticket is in the fragment, which browsers do not send. */
  link(): string
  /** Exchanges a ticket for a key. @returns undefined for a used or unknown ticket */
  enter(ticket: string): string | undefined
  isInside(key: string): boolean
  /** Signs an address that a browser loads without sending the key (a picture). Valid until the sandbox stops. */
  seal(address: string): string
  isSealed(address: string, seal: string): boolean
}

/** The header that carries the key. A page of another origin cannot send it. */
export const WINDOW_KEY_HEADER = 'x-window-key'

/** Tickets and keys that are kept; the oldest are dropped. */
const KEPT = 100

/** Makes an entrance. @param baseUrl without a slash at the end */
export function createEntrance(baseUrl: string): Entrance {
  const tickets: Buffer[] = []
  const keys: Buffer[] = []
  const sealing = randomBytes(32)
  const seal = (address: string) => createHmac('sha256', sealing).update(address).digest('base64url')
  return {
    link: () => `${baseUrl}/#ticket=${give(tickets)}`,
    enter(ticket) {
      const at = find(tickets, ticket)
      if (at < 0) return undefined
      tickets.splice(at, 1)
      return give(keys)
    },
    isInside: (key) => find(keys, key) >= 0,
    seal,
    isSealed: (address, given) => timingSafeEqual(fingerprint(seal(address)), fingerprint(given)),
  }
}

function give(kept: Buffer[]): string {
  const secret = randomBytes(24).toString('base64url')
  kept.push(fingerprint(secret))
  if (kept.length > KEPT) kept.shift()
  return secret
}

/** Compares with each, in constant time. @returns its index, -1 when it is not kept */
function find(kept: readonly Buffer[], secret: string): number {
  const wanted = fingerprint(secret)
  return kept.reduce((found, each, i) => (timingSafeEqual(each, wanted) ? i : found), -1)
}

const fingerprint = (secret: string) => createHash('sha256').update(secret).digest()
