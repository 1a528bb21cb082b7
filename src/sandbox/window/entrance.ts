import { createHash, randomBytes } from 'node:crypto'

/**
 * Who may come in. Only this machine's user can make a ticket; it opens one session, which lasts as long as the sandbox runs.
 * What is kept are fingerprints: nothing here can be used to come in.
 */
export interface Entrance {
  /** A link that lets one browser in, once. */
  link(): string
  /** Uses a ticket up. @returns the session it opens, undefined for a ticket that was used or never given */
  enter(ticket: string): string | undefined
  isInside(session: string): boolean
}

/** Tickets and sessions that are kept; the oldest make room. */
const KEPT = 100

/** @param baseUrl without a slash at the end */
export function createEntrance(baseUrl: string): Entrance {
  const tickets = new Set<string>()
  const sessions = new Set<string>()
  return {
    link: () => `${baseUrl}/?ticket=${give(tickets)}`,
    enter: (ticket) => (tickets.delete(fingerprint(ticket)) ? give(sessions) : undefined),
    isInside: (session) => sessions.has(fingerprint(session)),
  }
}

function give(kept: Set<string>): string {
  const secret = randomBytes(24).toString('base64url')
  kept.add(fingerprint(secret))
  const [oldest] = kept
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest)
  return secret
}

const fingerprint = (secret: string) => createHash('sha256').update(secret).digest('base64url')
