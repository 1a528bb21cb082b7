import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Who may come in. Only this machine's user can make a ticket. A browser gives it for a key, once, and sends the key with everything it
 * asks until the sandbox stops. There is no cookie: a browser sends one to every port of this machine. Tickets and keys are kept as
 * fingerprints, which open nothing.
 */
export interface Entrance {
  /** A link that lets one browser in, once. The ticket is in its fragment, which is sent to no server. */
  link(): string
  /** Uses a ticket up. @returns the key it stands for, undefined for a ticket that was used or never given */
  enter(ticket: string): string | undefined
  isInside(key: string): boolean
  /** The seal of an address that a browser loads by itself (a picture), where it sends no key. Good until the sandbox stops. */
  seal(address: string): string
  isSealed(address: string, seal: string): boolean
}

/** The header that carries the key. A page of another origin cannot send it. */
export const WINDOW_KEY_HEADER = 'x-window-key'

/** Tickets and keys that are kept; the oldest make room. */
const KEPT = 100

/** @param baseUrl without a slash at the end */
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

/** Compares with every one, each in constant time. @returns its place, -1 for none */
function find(kept: readonly Buffer[], secret: string): number {
  const wanted = fingerprint(secret)
  return kept.reduce((found, each, i) => (timingSafeEqual(each, wanted) ? i : found), -1)
}

const fingerprint = (secret: string) => createHash('sha256').update(secret).digest()
