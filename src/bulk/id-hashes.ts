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

/** Creates an empty collection of hashes. */
export function createIdHashes(): IdHashes {
  const hashes: number[] = []
  return {
    add: (id) => void hashes.push(idHash(id)),
    repeated: () => repeatedIn(Float64Array.from(hashes)),
    all: () => Float64Array.from(hashes),
  }
}

function repeatedIn(hashes: Float64Array): Set<number> {
  const sorted = hashes.sort()
  const found = new Set<number>()
  for (let i = 1; i < sorted.length; i++) if (sorted[i] === sorted[i - 1]) found.add(sorted[i] ?? 0)
  return found
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
