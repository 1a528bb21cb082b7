import { hash } from 'node:crypto'

/**
 * Returns a hash of a text or a body in 22 characters. These are 132 bits of a SHA-256, so two events practically never have the same hash.
 */
export function shortHash(data: string | Uint8Array): string {
  return hash('sha256', data, 'base64url').slice(0, 22)
}

/**
 * The number of characters at the start of an eventId that contain a time, if the eventId begins with a time (as a UUID of version 7 does).
 */
const TIME_CHARACTERS = 12
/** Characters that some databases change when they store a text. */
const ODD = /[^!-~]/g

/**
 * Returns the permanent key of an event, which is made from the number of its destination and from its eventId. The key starts like the
 * eventId, so that events of the same time have neighbouring keys. A batch then changes one or two pages of the index instead of one page
 * for each event.
 */
export const eventKey = (destination: number, eventId: string): string =>
  eventId.slice(0, TIME_CHARACTERS).replace(ODD, '_') + shortHash(`event ${destination} ${eventId}`)
