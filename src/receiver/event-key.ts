import { hash } from 'node:crypto'

/** A hash of a text or a body in 22 characters: 132 bits of a SHA-256, so that no two events will share one. */
export function shortHash(data: string | Uint8Array): string {
  return hash('sha256', data, 'base64url').slice(0, 22)
}

/** Characters of an eventId that hold the time, where it begins with it (as a UUID of version 7 does). */
const TIME_CHARACTERS = 12
/** Characters that not every database keeps unchanged in a text. */
const ODD = /[^!-~]/g

/**
 * The key of an event for ever: its destination (by number) and its eventId. It begins as the eventId does, so that events of the same time
 * have neighbouring keys: a batch then changes a page or two of the index, not a page for each event.
 */
export const eventKey = (destination: number, eventId: string): string =>
  eventId.slice(0, TIME_CHARACTERS).replace(ODD, '_') + shortHash(`event ${destination} ${eventId}`)
