/** How many pieces of any size a body may have. Only a body of more pieces is checked for their size. */
const FREE_PIECES = 4096

/** The same number for a body that nobody needs. */
const FREE_SKIPPED = 256

/** The smallest average size of a piece, in bytes. Programs that write each word of a JSON text separately stay above it. */
const LEAST_AVERAGE = 8

const NOTHING = Buffer.alloc(0)

/**
 * The bytes of a body that arrives in pieces. A sender may cut a body into millions of pieces of one byte, and an object for each of them
 * would take a hundred times the memory of the bytes. Therefore the pieces are copied into one buffer as they arrive.
 */
export class BodyBytes {
  /** How many bytes have arrived, including those that were skipped. */
  size = 0
  #pieces = 0
  #held: Uint8Array = NOTHING
  #used = 0

  /** Adds a piece. The first piece is kept as it is, so its memory must not be used for other bytes until a second piece is added. */
  add(piece: Uint8Array): void {
    this.skip(piece)
    if (this.#used === 0) this.#held = piece
    else this.#copy(piece)
    this.#used += piece.length
  }

  /** Counts a piece whose bytes are not needed. */
  skip(piece: Uint8Array): void {
    this.size += piece.length
    this.#pieces++
  }

  /**
   * Whether the sender cuts the body into so many small pieces that reading the rest would cost far more than its bytes. No program sends
   * a body in this way by intent.
   */
  get isShredded(): boolean {
    return this.#pieces > FREE_PIECES && this.size < this.#pieces * LEAST_AVERAGE
  }

  /** The same for a body that nobody needs, after fewer pieces. */
  get isWaste(): boolean {
    return this.#pieces > FREE_SKIPPED && this.size < this.#pieces * LEAST_AVERAGE
  }

  /** Returns the bytes that were added. */
  bytes(): Buffer {
    const { buffer, byteOffset } = this.#held
    return Buffer.from(buffer, byteOffset, this.#used)
  }

  /** Forgets the bytes that were added, but not how many there were. */
  drop(): void {
    this.#held = NOTHING
    this.#used = 0
  }

  #copy(piece: Uint8Array): void {
    const size = this.#used + piece.length
    if (size > this.#held.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * size, 512))
      larger.set(this.#held.subarray(0, this.#used))
      this.#held = larger
    }
    this.#held.set(piece, this.#used)
  }
}
