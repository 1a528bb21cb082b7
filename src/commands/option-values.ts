import { parseTypedAmount } from '../domain/amount.ts'
import { parseDuration } from '../domain/duration.ts'
import { identifierProblem, looksLikeEmail, presentPreApproveId } from '../domain/identifiers.ts'
import { parseReturnAddress } from '../domain/origin.ts'
import { parseTypedRut, rutCheckCharacter } from '../domain/rut.ts'
import { BnplError, usage } from '../errors.ts'
import { maskText, maskTypedId } from '../text/masking.ts'

/**
 * Readers of option values. Each takes the text as it was typed and throws `usage` when it is not valid, before anything is sent.
 * `option` begins the error message: an option such as `--amount`, or the words of a question.
 */

/**
 * Reads a national id. Throws `usage`, with the id masked, except at the terminal on which it was typed.
 * @param checkDigit false accepts a wrong check digit
 * @param hasSkipOption whether the command has the option --skip-rut-check, so that the hint may name it
 * @returns the RUT as it is sent
 */
export function readRut(text: string, checkDigit: boolean, hasSkipOption = false): string {
  const result = parseTypedRut(text, checkDigit)
  if (result.ok) return result.rut
  const refuse = (messageOf: (shown: string) => string, hint: string) =>
    new BnplError('usage', messageOf(maskTypedId(text)), { code: 'INVALID_RUT', hint, atTerminal: messageOf(text) })
  if (result.problem === 'shape') throw refuse((shown) => `“${shown}” is not a RUT`, 'Write it as 12345678-5.')
  throw refuse(
    (shown) => `the check digit (dígito verificador) of “${shown}” is wrong: for this number it is ${result.expected}`,
    [
      'Check the number with the customer.',
      ...missingCheckDigit(text),
      ...(hasSkipOption ? ['Add --skip-rut-check to send it unchanged.'] : []),
    ].join(' '),
  )
}

/** The guess for a number without a dash: its last digit was read as the check digit, and may be a digit of the number. */
function missingCheckDigit(text: string): string[] {
  const digits = text.replace(/[\s.,]/g, '')
  if (!/^\d{1,9}$/.test(digits)) return []
  return [
    `Without a dash its last digit is read as the check digit. If that was left out, add -${rutCheckCharacter(digits)}.`,
  ]
}

/** Reads an amount, also with separators of thousands. Throws `usage`. @returns currency units */
export function readAmount(text: string, option = '--amount'): number {
  const result = parseTypedAmount(text)
  if (result.ok) return result.amount
  throw usage(`${option} “${text}” is not valid: ${result.reason}`, undefined, 'INVALID_AMOUNT')
}

/** Reads a whole number of things, from 1 on. Throws `usage`. */
export function readCount(option: string, text: string): number {
  const count = parseCount(text)
  if (count !== undefined) return count
  throw usage(`${option} “${text}” is not a count`, 'Use a whole number, 1 or more.', 'INVALID_COUNT')
}

/** More than fifty years of monthly payments is a typing mistake. */
const MAX_INSTALLMENTS = 600

/** Reads a number of installments. Throws `usage`. */
export function readInstallments(text: string, option = '--installments'): number {
  const count = parseCount(text)
  if (count !== undefined && count <= MAX_INSTALLMENTS) return count
  throw usage(
    `${option} “${text}” is not a number of installments`,
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
      `${option} is “${text}”, which a return address contains if there is no pre-approval`,
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

/** Reads a time such as `2h` or `7d` back from now, or a date, which begins at midnight here. Throws `usage`. @returns ms since 1970 */
export function readSince(option: string, text: string, now: number): number {
  const ms = parseDuration(text)
  if (ms !== undefined) return now - ms
  const [date] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? []
  // Without an hour, JavaScript reads a date as midnight in Greenwich; every table shows local times.
  const at = date === undefined ? Number.NaN : Date.parse(date === text ? `${text}T00:00` : text)
  if (!Number.isNaN(at)) return at
  throw usage(`${option} “${text}” is neither a duration nor a date`, 'Write it as 2h, 7d or 2026-03-01.')
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
    'the public key contains a character that is not allowed in a key',
    'Copy the key again, without spaces and quotes.',
    'INVALID_PUBLIC_KEY',
  )
}

/** Reads an address that the customer returns to. Throws `usage`. @returns it unchanged */
export function readReturnAddress(option: string, text: string): string {
  const parsed = parseReturnAddress(text)
  if (parsed.ok) return text
  throw usage(`${option} “${maskText(text)}” is not valid: ${parsed.reason}`, undefined, 'INVALID_RETURN_URL')
}
