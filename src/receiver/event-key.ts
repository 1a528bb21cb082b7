import { hash } from 'node:crypto'

/** 22 characters that stand for a text or a body: 132 bits of a SHA-256, which no two events will share. */
export function shortHash(data: string | Uint8Array): string {
  return hash('sha256', data, 'base64url').slice(0, 22)
}

/** Characters of an eventId that hold the time, where it begins with it (as a UUID of version 7 does). */
const TIME_CHARACTERS = 12
/** What not every database keeps in a text as it is. */
const ODD = /[^!-~]/g

/**
 * What an event is known by for ever: its destination (by number) and its eventId. It begins as the eventId does, so that the keys of what
 * comes at the same time stand side by side: a batch then changes a page or two of the index, not one for each event.
 */
export const eventKey = (destination: number, eventId: string): string =>
  eventId.slice(0, TIME_CHARACTERS).replace(ODD, '_') + shortHash(`event ${destination} ${eventId}`)
