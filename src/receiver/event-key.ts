import { hash } from 'node:crypto'

/** 22 characters that stand for a text or a body: 132 bits of a SHA-256, which no two events will share. */
export function shortHash(data: string | Uint8Array): string {
  return hash('sha256', data, 'base64url').slice(0, 22)
}

/** What an event is known by for ever: its destination (by number) and its eventId. */
export const eventKey = (destination: number, eventId: string): string => shortHash(`event ${destination} ${eventId}`)
