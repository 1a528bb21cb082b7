import { parseRut } from '../../../domain/rut.ts'
import { Refusal } from '../refusal.ts'

/**
 * A national id in the form of the specification: digits without dots, a dash, the check character in either case (gap 24). Throws a 422
 * `Refusal` for any other text.
 * @returns it with the check character in upper case
 */
export function checkRut(idNumber: string): string {
  const parsed = /^\d+-[\dkK]$/.test(idNumber) ? parseRut(idNumber) : undefined
  if (parsed?.ok) return parsed.rut
  throw new Refusal(
    422,
    'ERR_INVALID_ID_NUMBER',
    'a national id must be <digits>-<check character>, without dots, and the check character must fit',
  )
}
