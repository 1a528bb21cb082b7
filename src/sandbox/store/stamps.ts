import { randomBytes } from 'node:crypto'

/** Returns a time in ms since 1970 as ISO 8601 in UTC, for tables and answers. */
export const iso = (ms: number): string => new Date(ms).toISOString()

let latest = 0
let count = 0

/**
 * Returns a new UUID (version 7, RFC 9562). UUIDs sort by creation time, and within one millisecond by a counter of this process.
 * @param now the sandbox's time in ms
 */
export function newId(now: number): string {
  count = now === latest ? (count + 1) % 0x1000 : 0
  latest = now
  const bytes = randomBytes(16)
  // Limit the time to 48 bits. Otherwise a wrong clock would cause an error here.
  bytes.writeUIntBE(Math.min(Math.max(0, now), 2 ** 48 - 1), 0, 6)
  bytes.writeUInt16BE(0x7000 | count, 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
