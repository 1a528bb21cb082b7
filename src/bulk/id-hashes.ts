/**
 * Ids that were seen, as 53 bits of a hash each: 8 bytes an id, written one after the other and sorted once at the end, which is faster
 * than any table that would have to be looked into for every row. Two ids can have one hash: `repeated` names suspects.
 */
export interface IdHashes {
  add(id: string): void
  /** The hashes that came more than once. Nothing can be added afterwards. */
  repeated(): ReadonlySet<number>
}

/** Ids are 10 kB at most (`identifierProblem`); what is longer is hashed by its beginning. */
const BYTES = new Uint8Array(12 * 1024)
const ROOM = BYTES.subarray(0, BYTES.length - 4)
const WORDS = new Uint32Array(BYTES.buffer)
const ENCODER = new TextEncoder()

/** 53 bits of an id's UTF-8: two hashes of 32 bits, four bytes at a time, finished as MurmurHash3 does. */
export function idHash(id: string): number {
  const { written } = ENCODER.encodeInto(id, ROOM)
  BYTES.fill(0, written, written + 3)
  let high = written
  let low = ~written
  for (let i = 0; i * 4 < written; i++) {
    const word = WORDS[i] as number
    high = Math.imul(high ^ word, 2654435761)
    low = Math.imul(low ^ word, 1597334677)
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
    repeated() {
      const sorted = hashes.subarray(0, size).sort()
      const found = new Set<number>()
      for (let i = 1; i < size; i++) if (sorted[i] === sorted[i - 1]) found.add(sorted[i] as number)
      return found
    },
  }
}
