/**
 * Ids that were seen, as 53 bits of a hash each: 8 bytes an id, written one after the other and compared at the end, piece by piece,
 * which is faster than any table that would have to be looked into for every row. Two ids can have one hash: `repeated` names suspects.
 */
export interface IdHashes {
  add(id: string): void
  /** The hashes that came more than once. */
  repeated(): ReadonlySet<number>
  /** All of them, in the order in which they were added. Nothing can be added afterwards. */
  all(): Float64Array
}

/** 53 bits of an id: two hashes of 32 bits over its UTF-16 units, finished as MurmurHash3 does. */
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

/** Hashes that are compared at a time: few enough for the processor's nearest memory. */
const PIECE = 256
const HIGH_BITS = 21

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

/** Puts hashes with the same highest bits beside each other, then looks through each such piece with a table of its own. */
function repeatedIn(hashes: Float64Array): Set<number> {
  const bits = Math.min(HIGH_BITS, Math.max(0, Math.ceil(Math.log2(hashes.length / PIECE))))
  const pieceOf = (hash: number) => (hash / 2 ** 32) >>> (HIGH_BITS - bits)
  const ends = new Uint32Array(2 ** bits)
  for (const hash of hashes) ends[pieceOf(hash)] = (ends[pieceOf(hash)] as number) + 1
  let largest = 0
  let sum = 0
  // From how many there are to where each piece begins; putting the hashes there makes it where the piece ends.
  for (const [piece, count] of ends.entries()) {
    largest = Math.max(largest, count)
    ends[piece] = sum
    sum += count
  }
  const ordered = new Float64Array(hashes.length)
  for (const hash of hashes) {
    const piece = pieceOf(hash)
    const at = ends[piece] as number
    ordered[at] = hash
    ends[piece] = at + 1
  }
  const table = new Float64Array(2 ** Math.ceil(Math.log2(largest * 2 + 1)))
  const found = new Set<number>()
  let start = 0
  for (const end of ends) {
    lookThrough(ordered.subarray(start, end), table, found)
    start = end
  }
  return found
}

function lookThrough(piece: Float64Array, table: Float64Array, found: Set<number>): void {
  const mask = table.length - 1
  table.fill(-1)
  for (let i = 0; i < piece.length; i++) {
    const hash = piece[i] as number
    let slot = (hash | 0) & mask
    for (; table[slot] !== -1; slot = (slot + 1) & mask) {
      if (table[slot] !== hash) continue
      found.add(hash)
      break
    }
    table[slot] = hash
  }
}
