import type { Context } from '../context.ts'
import { gitBashValueAdvice, parseReturnAddress } from '../domain/addresses.ts'
import { parseTypedAmount } from '../domain/amount.ts'
import { formatDuration, parseDuration } from '../domain/clock.ts'
import {
  identifierProblem,
  looksLikeEmail,
  parseTypedRut,
  presentPreApproveId,
  rutCheckCharacter,
} from '../domain/identifiers.ts'
import { SANDBOX } from '../domain/sandbox-accounts.ts'
import { readSecretText } from '../domain/secret.ts'
import { BnplError, usage } from '../errors.ts'
import { publicKeyProblem } from '../profiles/profile.ts'
import { maskAddress, maskTypedId } from '../text/masking.ts'
import { trimmed } from '../text/visible.ts'
import { nextCommand } from './global-options.ts'

/** The suggested answers to questions about a payment in the sandbox. The sandbox always approves this customer. */
export const SANDBOX_ANSWERS = { rut: '11222333-9', amount: '250000', email: 'ana@example.com' } as const

const QUESTIONS = {
  rut: "The customer's national id (RUT)",
  amount: 'Amount to finance',
  email: "The customer's e-mail",
  successUrl: 'Address to which the customer returns after the payment',
  errorUrl: 'Address to which the customer returns when the payment fails or is cancelled',
  trx: 'Your transaction id',
  receiver: 'Address of your receiver, such as https://shop.example/webhooks',
  destination: 'Id of the destination',
  report: 'Id of the pre-approval',
} as const

/**
 * Asks for a value until it is valid. Throws `Interrupted` on Ctrl-C, `usage` when questions are not allowed, and `config` when no service is
 * configured.
 * @param read converts the typed text to the value. Its second parameter is the word for the value in error messages
 */
export async function ask<T>(
  context: Context,
  what: keyof typeof QUESTIONS,
  read: (text: string, name: string) => T,
): Promise<T> {
  const { environment, baseUrl } = await context.settings()
  // Every value that is asked for is sent to the service. If no service is configured, `api` says so before the user types anything.
  if (baseUrl === undefined) await context.api()
  const isSandbox = environment.value === SANDBOX
  const answers: Partial<Record<keyof typeof QUESTIONS, string>> = isSandbox ? SANDBOX_ANSWERS : {}
  const suggested = answers[what] === undefined ? {} : { default: answers[what] }
  const prompts = await context.prompts()
  const text = await prompts.input({
    message: QUESTIONS[what],
    ...suggested,
    validate: (value) => problemOf(() => read(value, 'this')) ?? true,
  })
  return read(text, 'this')
}

/** Returns what is wrong with a typed value, as a sentence; undefined if it can be read. */
export function problemOf(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    const message = error instanceof BnplError ? (error.atTerminal ?? error.message) : 'this value is not valid'
    return message.charAt(0).toUpperCase() + message.slice(1)
  }
}

/**
 * Reads a national id. Throws `usage`. The message contains the whole id only on the terminal where it was typed.
 * @param checkDigit false accepts a wrong check digit
 * @param hasSkipOption whether the command has the option --skip-rut-check, so that the hint may name it
 * @returns the RUT as it is sent
 */
export function readRut(text: string, checkDigit: boolean, hasSkipOption = false): string {
  const result = parseTypedRut(text, checkDigit)
  if (result.ok) return result.rut
  const refuse = (messageOf: (shown: string) => string, hint: string) =>
    new BnplError('usage', messageOf(maskTypedId(text)), { code: 'INVALID_RUT', hint, atTerminal: messageOf(text) })
  if (result.problem === 'shape') throw refuse((shown) => `“${shown}” is not a RUT`, 'Write a RUT such as 12345678-5.')
  throw refuse(
    (shown) => `the check digit (dígito verificador) of “${shown}” is wrong: for this number it is ${result.expected}`,
    [
      'Check the number with the customer.',
      ...missingCheckDigit(text),
      ...(hasSkipOption ? ['Add --skip-rut-check to send the number with this check digit.'] : []),
    ].join(' '),
  )
}

/** Returns a hint for a number without a dash, because the user may have left the check digit out. */
function missingCheckDigit(text: string): string[] {
  const digits = text.replace(/[\s.,]/g, '')
  if (!/^\d{1,9}$/.test(digits)) return []
  return [
    `Add -${rutCheckCharacter(digits)} if the check digit was left out. Without a dash, the last digit is read as the check digit.`,
  ]
}

/** Reads an amount in currency units, also with separators of thousands. Throws `usage`. */
export function readAmount(text: string, option = '--amount'): number {
  const result = parseTypedAmount(text)
  if (result.ok) return result.amount
  throw usage(`${typed(option, text)} is not valid: ${result.reason}`, undefined, 'INVALID_AMOUNT')
}

/** Reads a whole number, 1 or more. Throws `usage`. */
export function readCount(option: string, text: string): number {
  const count = parseCount(text)
  if (count !== undefined) return count
  throw usage(`${option} “${text}” is not a valid number`, 'Use a whole number, 1 or more.', 'INVALID_COUNT')
}

/** Names a value as the user typed it. At a prompt, where `option` is “this”, the value needs no other name. */
const typed = (option: string, text: string) => (option === 'this' ? `“${text}”` : `${option} “${text}”`)

const MAX_INSTALLMENTS = 600

/** Reads a number of installments. Throws `usage`. */
export function readInstallments(text: string, option = '--installments'): number {
  const count = parseCount(text)
  if (count !== undefined && count <= MAX_INSTALLMENTS) return count
  throw usage(
    `${typed(option, text)} is not a valid number of installments`,
    'Use a number of installments that `bnpl evaluate` offered.',
    'INVALID_INSTALLMENTS',
  )
}

function parseCount(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) && Number(text) > 0 ? Number(text) : undefined
}

/**
 * Reads an id that becomes part of a path or a form. Removes blanks and invisible characters at its ends, as cells of a file are read.
 * Throws `usage`.
 */
export function readIdentifier(option: string, given: string): string {
  const text = trimmed(given)
  const problem = identifierProblem(text)
  if (problem !== undefined) throw usage(`${option} is not valid: ${problem}`, undefined, 'INVALID_IDENTIFIER')
  return text
}

/**
 * Reads a pre-approval id. Throws `usage`, also for the word “undefined”, which a return address contains when there
 * is no id.
 */
export function readPreApproveId(context: Context, option: string, given: string): string {
  const text = trimmed(given)
  if (text !== '' && presentPreApproveId(text) === undefined) {
    throw usage(
      `${option} is “${text}”. The payment page puts this word in the return address when there is no pre-approval id`,
      `Take the id from the evaluation: ${nextCommand(context, 'bnpl history show TRX')}`,
      'NO_PRE_APPROVAL',
    )
  }
  return readIdentifier(option, text)
}

/** Reads an e-mail address. Throws `usage`; the error does not repeat the text. */
export function readEmail(text: string, option = '--email'): string {
  if (looksLikeEmail(text)) return text
  throw usage(`${option} is not an e-mail address`, 'Write an address such as name@example.com.', 'INVALID_EMAIL')
}

const BARE_SECONDS = 'A number without a unit means seconds.'

/**
 * Reads a duration such as `10m`, and returns it in ms. A number without a unit means seconds. Throws `usage`.
 * @param limit the longest duration that is accepted
 */
export function readDuration(option: string, text: string, limit?: { ms: number; words: string }): number {
  const ms = parseDuration(text)
  if (ms !== undefined && limit !== undefined && ms > limit.ms)
    throw usage(
      `${option} “${text}” is more than ${limit.words}`,
      `Use ${formatDuration(limit.ms)} or less.`,
      'INVALID_DURATION',
    )
  if (ms !== undefined) return ms
  throw usage(
    `${option} “${text}” is not a duration`,
    `Write the duration as 500ms, 30s, 10m, 2h or 7d. ${BARE_SECONDS}`,
    'INVALID_DURATION',
  )
}

const TIME_FORMS = 'Write the time as 2h, 7d or 2026-03-01.'

/**
 * Reads a time: a date, which means midnight in local time, or a duration before `now`, such as `2h`. The duration must
 * have a unit, because a bare number could mean days or seconds. Throws `usage`.
 * @returns ms since 1970
 */
export function readSince(option: string, text: string, now: number): number {
  const ms = parseDuration(text)
  if (ms !== undefined && /[a-z]/.test(text)) return now - ms
  if (ms !== undefined)
    throw usage(
      `${option} “${text}” is a number without a unit`,
      'Add a unit (s, m, h or d), or write a date: 2026-03-01.',
    )
  const [date] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? []
  // Add the hour, because JavaScript reads a date without an hour as midnight UTC, but every table shows local times.
  const at = date === undefined ? Number.NaN : Date.parse(date === text ? `${text}T00:00` : text)
  if (date === undefined || Number.isNaN(at))
    throw usage(`${option} “${text}” is neither a duration nor a date`, TIME_FORMS)
  if (!dayExists(date)) throw usage(`${option} “${text}” is not valid: the day ${date} does not exist`, TIME_FORMS)
  return at
}

/** Whether a date such as 2026-02-30 exists. JavaScript does not refuse this date, but reads it as 2 March. */
const dayExists = (date: string) => new Date(`${date}T00:00Z`).toISOString().startsWith(date)

/** The default wait for a payment: one minute longer than a widget token is valid. */
const DEFAULT_WAIT_MS = 11 * 60_000

/**
 * Reads `--wait [duration]`. Returns the duration in ms, or undefined without the option. Throws `usage`.
 * @param takesIds whether the command takes transaction ids as arguments. If so, the hint says that an id must be written before `--wait`
 */
export function readWait(wait: string | true | undefined, takesIds = false): number | undefined {
  if (wait === undefined) return undefined
  if (wait === true) return DEFAULT_WAIT_MS
  const ms = parseDuration(wait)
  if (ms !== undefined) return ms
  throw usage(
    `--wait “${wait}” is not a duration`,
    `Write the duration as 30s, 5m or 1h. ${BARE_SECONDS}${takesIds ? ` If “${wait}” is a transaction id, write it before --wait.` : ''}`,
    'INVALID_DURATION',
  )
}

/** Reads a port, where 0 means any free port. Throws `usage`. */
export function readPort(option: string, text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw usage(`${option} “${text}” is not a port`, 'Use a number from 0 (any free port) to 65535.', 'INVALID_PORT')
}

/** Reads a public key. Throws `usage` unless it can be part of an address. */
export function readPublicKey(text: string): string {
  const read = readSecretText(text, 'key')
  if (read.ok) return read.secret
  throw usage(
    `the public key is not valid: it ${read.reason}`,
    'Copy the key again, without spaces and quotes.',
    'INVALID_PUBLIC_KEY',
  )
}

/** Throws `usage` if an option gives a secret key as the public key. The error never contains the key. */
export function refuseSecretKey(option: string, text: string, apiKey?: string): void {
  const problem = publicKeyProblem(text, apiKey)
  if (problem === undefined) return
  throw usage(
    `the public key from ${option} is not valid: ${problem}`,
    'Use the public key of the account, and keep the API key on your servers. Nothing was sent.',
    'KEY_IS_PUBLIC',
  )
}

/** Reads an address to which the customer returns. Throws `usage`. */
export function readReturnAddress(option: string, text: string): string {
  const parsed = parseReturnAddress(text)
  if (parsed.ok) return text
  throw usage(`${typed(option, maskAddress(text))} is not valid: ${parsed.reason}`, undefined, 'INVALID_RETURN_URL')
}

/** Throws `usage` if Git Bash has changed the value of an option of the form `name=value`, because it would be sent as it is now. */
export function refuseChangedValue(option: string, pair: string): void {
  const advice = gitBashValueAdvice(pair.slice(pair.indexOf('=') + 1))
  if (advice !== undefined) throw usage(`the value of ${option} is the name of a file of Git Bash`, advice, 'BAD_PATH')
}
