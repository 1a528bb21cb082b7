import { parseAmount } from '../domain/amount.ts'
import { parseDuration } from '../domain/duration.ts'
import { identifierProblem, looksLikeEmail, presentPreApproveId } from '../domain/identifiers.ts'
import { parseRut } from '../domain/rut.ts'
import { usage } from '../errors.ts'
import { maskTypedId } from '../text/masking.ts'

/**
 * Readers of option values. Each takes the text as it was typed and throws `usage` when it is not valid, before anything is sent.
 * `option` begins the error message: an option such as `--amount`, or the words of a question.
 */

/**
 * Reads a national id. Throws `usage`, with the id masked.
 * @param checkDigit false accepts a wrong check digit
 * @param hasSkipOption whether the command has the option --skip-rut-check, so that the hint may name it
 * @returns the RUT as it is sent
 */
export function readRut(text: string, checkDigit: boolean, hasSkipOption = false): string {
  const result = parseRut(text, checkDigit)
  if (result.ok) return result.rut
  if (result.problem === 'shape')
    throw usage(`“${maskTypedId(text)}” is not a RUT`, 'Write it as 12345678-5 (dots are fine).', 'INVALID_RUT')
  throw usage(
    `the check digit of “${maskTypedId(text)}” is wrong: for this number it is ${result.expected}`,
    [
      'Check the number with the customer.',
      ...(text.includes('-') ? [] : ['Without a dash its last character is read as the check digit.']),
      ...(hasSkipOption ? ['Add --skip-rut-check to send it unchanged.'] : []),
    ].join(' '),
    'INVALID_RUT',
  )
}

/** Reads an amount. Throws `usage`. @returns currency units */
export function readAmount(text: string, option = '--amount'): number {
  const result = parseAmount(text)
  if (result.ok) return result.amount
  throw usage(`${option} “${text}” is not valid: ${result.reason}`, undefined, 'INVALID_AMOUNT')
}

/** Reads a whole number of things, from 1 on. Throws `usage`. */
export function readCount(option: string, text: string): number {
  const count = parseCount(text)
  if (count !== undefined) return count
  throw usage(`${option} “${text}” is not a count`, 'Use a whole number from 1 on.', 'INVALID_COUNT')
}

/** More than fifty years of monthly payments are a typing mistake. */
const MAX_INSTALLMENTS = 600

/** Reads a number of installments. Throws `usage`. */
export function readInstallments(text: string): number {
  const count = parseCount(text)
  if (count !== undefined && count <= MAX_INSTALLMENTS) return count
  throw usage(
    `--installments “${text}” is not a number of installments`,
    'Use one of the numbers that evaluate offered.',
    'INVALID_INSTALLMENTS',
  )
}

function parseCount(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) && Number(text) > 0 ? Number(text) : undefined
}

/** Reads an id that goes into a path or a form. Throws `usage`. @returns it unchanged */
export function readIdentifier(option: string, text: string): string {
  const problem = identifierProblem(text)
  if (problem !== undefined) throw usage(`${option} is not valid: ${problem}`, undefined, 'INVALID_IDENTIFIER')
  return text
}

/** Reads a pre-approval id. Throws `usage`, also for the word “undefined”, which on the return address means that there is no id (gap 22). @returns it unchanged */
export function readPreApproveId(option: string, text: string): string {
  if (text !== '' && presentPreApproveId(text) === undefined) {
    throw usage(
      `${option} is “${text}”, which means on the return address that there is no pre-approval`,
      'Take the id from the evaluation: bnpl history show TRX',
      'NO_PRE_APPROVAL',
    )
  }
  return readIdentifier(option, text)
}

/** Reads an e-mail address. Throws `usage`, without the text. @returns it unchanged */
export function readEmail(text: string, option = '--email'): string {
  if (looksLikeEmail(text)) return text
  throw usage(`${option} is not an e-mail address`, 'Write it as name@example.com.', 'INVALID_EMAIL')
}

/** Reads a duration. Throws `usage`. @returns ms */
export function readDuration(option: string, text: string): number {
  const ms = parseDuration(text)
  if (ms !== undefined) return ms
  throw usage(`${option} “${text}” is not a duration`, 'Write it as 500ms, 30s, 10m, 2h or 7d.', 'INVALID_DURATION')
}

/** How long `--wait` without a duration waits: the life of a widget token, and one minute more. */
const DEFAULT_WAIT_MS = 11 * 60_000

/** Reads `--wait [duration]`. Throws `usage`. @returns ms, undefined without the option */
export function readWait(wait: string | true | undefined): number | undefined {
  if (wait === undefined) return undefined
  if (wait === true) return DEFAULT_WAIT_MS
  const ms = parseDuration(wait)
  if (ms !== undefined) return ms
  throw usage(
    `--wait “${wait}” is not a duration`,
    'Write it as 30s, 5m or 1h; put it after the transaction ids.',
    'INVALID_DURATION',
  )
}

/** Reads a port; 0 is any free port. Throws `usage`. */
export function readPort(option: string, text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw usage(`${option} “${text}” is not a port`, 'Use a number from 0 (any free port) to 65535.', 'INVALID_PORT')
}

/** Reads a public key from an option or a setting. Throws `usage` unless it is printable ASCII, which an address can carry. @returns it */
export function readPublicKey(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw usage(
    'the public key contains a character that no key contains',
    'Copy the key again, without blanks and quotes.',
    'INVALID_PUBLIC_KEY',
  )
}
