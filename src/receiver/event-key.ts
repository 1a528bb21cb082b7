import { hash } from 'node:crypto'

/** Returns 22 characters (132 bits) of a SHA-256. Two texts practically never have the same hash. */
export function shortHash(data: string | Uint8Array): string {
  return hash('sha256', data, 'base64url').slice(0, 22)
}

/** How many characters of the eventId the key keeps. They contain the time, if the eventId is a UUID of version 7. */
const TIME_CHARACTERS = 12
/** Characters that some databases change when they store a text. */
const ODD = /[^!-~]/g

/**
 * Returns the permanent key of an event. It starts like the eventId, so that events of the same time have neighbouring keys. A batch then
 * changes only one or two pages of the index.
 */
export const eventKey = (destination: number, eventId: string): string =>
  eventId.slice(0, TIME_CHARACTERS).replace(ODD, '_') + shortHash(`event ${destination} ${eventId}`)
