import { groupDigits } from '../../domain/amount.ts'
import type { Texts } from './texts.ts'

/** An amount as it is read: digits grouped in the language's way, no currency (gap 19). */
export function figure(amount: number, texts: Texts): string {
  return groupDigits(amount, texts.thousands)
}

/** A share as it is read: `0.0587` → `5,9 %`. */
export function percentage(share: number, texts: Texts): string {
  return `${(share * 100).toFixed(1).replace('.', texts.decimal)}${texts.percent}`
}
