import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../domain/clock.ts'

/**
 * Decides which browsers may use the window. Only the user of this machine can make a ticket. A browser exchanges the ticket for a key, and
 * sends the key with every request.
 * The key is not a cookie, because a browser would send a cookie to every port of this machine. Only fingerprints of tickets and keys are
 * stored.
 */
export interface Entrance {
  /** Returns a link that can open the window only one time. The ticket is in the fragment, which browsers do not send. */
  link(): string
  /** Exchanges a ticket for a key. @returns undefined if the ticket was already used or is unknown */
  enter(ticket: string): string | undefined
  /** Returns whether a key is valid. The call counts as a use of the key. */
  isInside(key: string): boolean
  leave(key: string): void
  /** Makes every key, and every unused ticket, invalid. */
  leaveAll(): void
  /**
   * Returns the signature of an address. With the signature, a browser can load the address, for example a picture, without the key. The
   * signature is valid until the sandbox stops.
   */
  seal(address: string): string
  isSealed(address: string, seal: string): boolean
}

/** The header that contains the key. A page of another origin cannot send this header. */
export const WINDOW_KEY_HEADER = 'x-window-key'

const KEPT = 100

/** How long a key stays valid without being used, in ms. */
export const UNUSED_MS = 12 * 3_600_000

interface Kept {
  print: Buffer
  /** When the key was last used, or when the ticket was made, in ms by the monotonic clock. */
  usedAt: number
}

/** Makes the entrance of a window. @param baseUrl the address of the sandbox, without a slash at the end */
export function createEntrance(baseUrl: string, clock: Pick<Clock, 'monotonic'>): Entrance {
  const tickets: Kept[] = []
  const keys: Kept[] = []
  const sealing = randomBytes(32)
  const seal = (address: string) => createHmac('sha256', sealing).update(address).digest('base64url')
  const give = (kept: Kept[]): string => {
    const secret = randomBytes(24).toString('base64url')
    kept.push({ print: fingerprint(secret), usedAt: clock.monotonic() })
    if (kept.length > KEPT) kept.splice(longestUnused(kept), 1)
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

function longestUnused(kept: readonly Kept[]): number {
  return kept.reduce((found, { usedAt }, i) => (usedAt < (kept[found]?.usedAt ?? 0) ? i : found), 0)
}

/** Returns the index of a secret, or -1 when it is not stored. Compares in constant time. */
function find(kept: readonly Kept[], secret: string): number {
  const wanted = fingerprint(secret)
  return kept.reduce((found, { print }, i) => (timingSafeEqual(print, wanted) ? i : found), -1)
}

const fingerprint = (secret: string) => createHash('sha256').update(secret).digest()
