import type { Values } from './row.ts'

/**
 * Stores a 53-bit hash of each id of a file. Two different ids can have the same hash, so `repeated` may return the hash of an id that is
 * not repeated.
 */
export interface IdHashes {
  add(id: string): void
  repeated(): ReadonlySet<number>
  /** Returns all hashes, in the order in which they were added. Do not add more after this call. */
  all(): Float64Array
}

/** Returns a 53-bit hash of an id. The hash is made of two 32-bit hashes of the id's UTF-16 units. */
export function idHash(id: string): number {
  let high = id.length
  let low = ~id.length
  for (let i = 0; i < id.length; i++) {
    const unit = id.charCodeAt(i)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
    high ^= high >>> 15
    low ^= low >>> 13
  }
  return (finish(high) & 0x1fffff) * 2 ** 32 + finish(low)
}

function finish(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 2246822507)
  const twice = Math.imul(once ^ (once >>> 13), 3266489909)
  return (twice ^ (twice >>> 16)) >>> 0
}

const PIECE = 256
const HIGH_BITS = 21

/** Creates an empty collection of hashes. */
export function createIdHashes(): IdHashes {
  let hashes = new Float64Array(1 << 16)
  let size = 0
  return {
    add(id) {
      if (size === hashes.length) {
        const more = new Float64Array(size * 2)
        more.set(hashes)
        hashes = more
      }
      hashes[size++] = idHash(id)
    },
    repeated: () => repeatedIn(hashes.subarray(0, size)),
    all: () => hashes.subarray(0, size),
  }
}

function repeatedIn(hashes: Float64Array): Set<number> {
  const bits = Math.min(HIGH_BITS, Math.max(0, Math.ceil(Math.log2(hashes.length / PIECE))))
  const pieceOf = (hash: number) => (hash / 2 ** 32) >>> (HIGH_BITS - bits)
  const ends = new Uint32Array(2 ** bits)
  for (const hash of hashes) {
    const piece = pieceOf(hash)
    ends[piece] = (ends[piece] ?? 0) + 1
  }
  let largest = 0
  let sum = 0
  for (const [piece, count] of ends.entries()) {
    largest = Math.max(largest, count)
    ends[piece] = sum
    sum += count
  }
  const ordered = new Float64Array(hashes.length)
  for (const hash of hashes) {
    const piece = pieceOf(hash)
    const at = ends[piece] ?? 0
    ordered[at] = hash
    ends[piece] = at + 1
  }
  const table = new Float64Array(2 ** Math.ceil(Math.log2(largest * 2 + 1)))
  const found = new Set<number>()
  let start = 0
  for (const end of ends) {
    searchPiece(ordered.subarray(start, end), table, found)
    start = end
  }
  return found
}

function searchPiece(piece: Float64Array, table: Float64Array, found: Set<number>): void {
  // Only as much of the table as this piece needs. Clearing all of it for every piece would take quadratic time if one piece is large.
  const size = 2 ** Math.ceil(Math.log2(piece.length * 2 + 1))
  const mask = size - 1
  table.fill(-1, 0, size)
  for (const hash of piece) {
    let slot = (hash | 0) & mask
    for (; table[slot] !== -1; slot = (slot + 1) & mask) {
      if (table[slot] !== hash) continue
      found.add(hash)
      break
    }
    table[slot] = hash
  }
}

/**
 * A checksum of rows, whatever their order. By it a later run notices that a row was edited after it was sent. The ledger stores this one
 * sum and not a hash of each row, because somebody could find the national id of a row by computing the hashes of all national ids.
 */
export interface RowSum {
  add(values: Values): void
  value(): string
}

/** Returns a checksum to which no row has been added yet. */
export function createRowSum(): RowSum {
  let sum = 0n
  return {
    add(values) {
      const text = values.map((value) => value ?? '').join('\u0000')
      const hash = (BigInt(idHash(text)) << 53n) | BigInt(idHash(`\u0001${text}`))
      sum = BigInt.asUintN(128, sum + hash)
    },
    value: () => sum.toString(16),
  }
}
