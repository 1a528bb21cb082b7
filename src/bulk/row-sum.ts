import { idHash } from './id-hashes.ts'
import type { Values } from './row.ts'

/**
 * A checksum of rows, whatever their order. The ledger stores this one sum and not a hash of each row, because somebody could find the
 * national id of a row by computing the hashes of all national ids.
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
