import { parseAmount } from '../domain/amount.ts'
import { identifierProblem, looksLikeEmail } from '../domain/identifiers.ts'
import { maskTypedId } from '../domain/masking.ts'
import { parseRut } from '../domain/rut.ts'
import { usage } from '../errors.ts'

/** Readers of what people type, shared by the commands of a payment. Each throws `usage` before anything is sent. */

/** @returns the RUT in the form that is sent */
export function readRut(text: string, checkDigit: boolean): string {
  const result = parseRut(text, checkDigit)
  if (result.ok) return result.rut
  if (result.problem === 'shape')
    throw usage(`“${maskTypedId(text)}” is not a RUT`, 'Write it as 12345678-5 (dots are fine).', 'INVALID_RUT')
  throw usage(
    `the check character of “${maskTypedId(text)}” does not fit: it would be ${result.expected}`,
    'Check the number with the customer, or add --skip-rut-check to send it as it is.',
    'INVALID_RUT',
  )
}

/** @returns the amount in currency units */
export function readAmount(text: string, option = '--amount'): number {
  const result = parseAmount(text)
  if (result.ok) return result.amount
  throw usage(`${option} “${text}” cannot be sent: ${result.reason}`, undefined, 'INVALID_AMOUNT')
}

/** @returns a count of instalments */
export function readInstallments(text: string): number {
  const result = parseAmount(text)
  if (result.ok && result.amount <= 600) return result.amount
  throw usage(
    `--installments “${text}” is not a number of instalments`,
    'Use one of the numbers that evaluate offered.',
    'INVALID_INSTALLMENTS',
  )
}

/** @returns the id as it was given */
export function readIdentifier(name: string, text: string): string {
  const problem = identifierProblem(text)
  if (problem !== undefined) throw usage(`${name} cannot be sent: ${problem}`, undefined, 'INVALID_IDENTIFIER')
  return text
}

export function readEmail(text: string): string {
  if (looksLikeEmail(text)) return text
  throw usage('--email is not an e-mail address', 'Write it as name@example.com.', 'INVALID_EMAIL')
}
