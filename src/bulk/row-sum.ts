import { idHash } from './id-hashes.ts'
import type { Values } from './row.ts'

/** A checksum of rows, whatever their order. It reveals nothing about a row, so it may be stored although rows contain national ids. */
export interface RowSum {
  add(values: Values): void
  value(): string
}

/** Creates the sum of no rows. */
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
