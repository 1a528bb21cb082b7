import { rutCheckCharacter } from '../../src/domain/identifiers.ts'

/** Returns a national id with the right check character. */
export function rut(n: number): string {
  return `${10_000_000 + n}-${rutCheckCharacter(String(10_000_000 + n))}`
}

/** Returns rows for `evaluate --from`, as CSV: transactions t-1, t-2, … */
export function customers(count: number): string {
  const rows = Array.from({ length: count }, (_, i) => `${rut(i)},${1000 + i},t-${i + 1}`)
  return `rut,amount,externalTrxId\n${rows.join('\n')}\n`
}
