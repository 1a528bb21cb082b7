import { randomBytes } from 'node:crypto'

let latest = 0
let count = 0

/**
 * A UUID (version 7, RFC 9562) that sorts by when it was made: by the ms, and within one by its number in this process.
 * What is "the latest" is then never a matter of luck.
 * @param now the sandbox's time in ms
 */
export function newId(now: number): string {
  count = now === latest ? (count + 1) % 0x1000 : 0
  latest = now
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now, 0, 6)
  bytes.writeUInt16BE(0x7000 | count, 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
