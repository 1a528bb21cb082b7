import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../domain/clock.ts'

/**
 * Lets browsers into the window. Only this machine's user can make a ticket. A browser exchanges it for a key, once, and sends the key with
 * every request. The key ends with the sandbox, when it was not used for `UNUSED_MS`, or when its user leaves. It is no cookie, because a
 * browser would send that to every port of this machine. Tickets and keys are kept as fingerprints.
 */
export interface Entrance {
  /** A link that lets one browser in, once. The ticket is in the fragment, which browsers do not send. */
  link(): string
  /** Exchanges a ticket for a key. @returns undefined for a used or unknown ticket */
  enter(ticket: string): string | undefined
  /** Whether this is the key of a browser. It counts as a use. */
  isInside(key: string): boolean
  /** Ends a key. */
  leave(key: string): void
  /** Ends every key, and every ticket that was not used. */
  leaveAll(): void
  /** Signs an address that a browser loads without sending the key (a picture). Valid until the sandbox stops. */
  seal(address: string): string
  isSealed(address: string, seal: string): boolean
}

/** The header that carries the key. A page of another origin cannot send it. */
export const WINDOW_KEY_HEADER = 'x-window-key'

/** Tickets and keys that are kept; the oldest are dropped. */
const KEPT = 100

/** After this time without a use a key ends, in ms. */
export const UNUSED_MS = 12 * 3_600_000

interface Kept {
  print: Buffer
  /** Monotonic ms. */
  usedAt: number
}

/** Makes an entrance. @param baseUrl without a slash at the end */
export function createEntrance(baseUrl: string, clock: Pick<Clock, 'monotonic'>): Entrance {
  const tickets: Kept[] = []
  const keys: Kept[] = []
  const sealing = randomBytes(32)
  const seal = (address: string) => createHmac('sha256', sealing).update(address).digest('base64url')
  const give = (kept: Kept[]): string => {
    const secret = randomBytes(24).toString('base64url')
    kept.push({ print: fingerprint(secret), usedAt: clock.monotonic() })
    if (kept.length > KEPT) kept.shift()
    return secret
  }
  return {
    link: () => `${baseUrl}/#ticket=${give(tickets)}`,
    enter(ticket) {
      const at = find(tickets, ticket)
      if (at < 0) return undefined
      tickets.splice(at, 1)
      return give(keys)
    },
    isInside(key) {
      const at = find(keys, key)
      const kept = keys[at]
      if (kept === undefined) return false
      if (clock.monotonic() - kept.usedAt > UNUSED_MS) {
        keys.splice(at, 1)
        return false
      }
      kept.usedAt = clock.monotonic()
      return true
    },
    leave(key) {
      const at = find(keys, key)
      if (at >= 0) keys.splice(at, 1)
    },
    leaveAll() {
      keys.length = 0
      tickets.length = 0
    },
    seal,
    isSealed: (address, given) => timingSafeEqual(fingerprint(seal(address)), fingerprint(given)),
  }
}

/** Compares with each, in constant time. @returns its index, -1 when it is not kept */
function find(kept: readonly Kept[], secret: string): number {
  const wanted = fingerprint(secret)
  return kept.reduce((found, { print }, i) => (timingSafeEqual(print, wanted) ? i : found), -1)
}

const fingerprint = (secret: string) => createHash('sha256').update(secret).digest()
