import type { ResultTextOptions } from '../../bulk/result-rows.ts'
import { harmlessCell } from '../../terminal/csv.ts'
import { visible } from '../../text/visible.ts'

type ToCell = ResultTextOptions['cell']

const rawCell: ToCell = (value) => {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value ?? '')
}

/** Returns the function that converts values to cells. On a terminal, control characters are always made visible. */
export function cellsFor(csvRaw: boolean, isTerminal: boolean): ToCell {
  const chosen = csvRaw ? rawCell : harmlessCell
  if (!isTerminal) return chosen
  return (value) => {
    const text = chosen(value)
    return typeof text === 'string' ? visible(text) : text
  }
}
