import type { Context } from '../../context.ts'
import { formatRut } from '../../domain/identifiers.ts'
import { SANDBOX } from '../../domain/sandbox-accounts.ts'
import { BnplError, usage } from '../../errors.ts'
import { ask, SANDBOX_ANSWERS } from '../asking.ts'
import type { Command, OptionsOf } from '../command.ts'
import { readAmount, readEmail, readInstallments, readRut, readWait } from '../option-values.ts'
import type { PrintedEvaluation } from '../payment-steps.ts'

/** Adds the options of the walkthrough. */
export const addWalkthroughOptions = (command: Command) =>
  command
    .option('--rut <rut>', "the customer's national id (default: the command asks)")
    .option('--amount <units>', 'amount to finance (default: the command asks)')
    .option('--email <address>', "the customer's e-mail (default: the command asks)")
    .option('--installments <n>', 'number of installments that the customer chooses (default: the command asks)')
    .option('--entity-id <id>', 'merchant entity id (default: from the profile)')
    .option('--trx, --external-trx-id <id>', 'your transaction id (default: a new one is created)')
    .option(
      '--wait [duration]',
      'wait for the loan, at most this long (--wait without a value: 11m); on a terminal, the command waits for the customer anyway',
    )
    .option('--reject', 'in the sandbox, without a terminal: reject the payment')
    .option('--skip-rut-check', 'accept a RUT with a wrong check digit')

export type WalkthroughOptions = OptionsOf<ReturnType<typeof addWalkthroughOptions>>

/**
 * Returns the value of the option, otherwise the answer to a question on the terminal, otherwise the sandbox's
 * default. Throws `usage` if the account is real, the option is missing, and no question can be asked.
 * @param read converts a text to the value. Its second parameter is the word for the value in error messages
 */
async function answer<T>(
  context: Context,
  name: keyof typeof SANDBOX_ANSWERS,
  given: string | undefined,
  read: (text: string, name: string) => T,
): Promise<T> {
  if (given !== undefined) return read(given, `--${name}`)
  if (context.options.input) return ask(context, name, read)
  if ((await context.settings()).environment.value === SANDBOX) return read(SANDBOX_ANSWERS[name], name)
  throw usage(`--${name} is missing, and this run cannot ask for it`, `Add --${name} …`, 'NO_INPUT')
}

/** Returns the customer's national id in the form that is sent. Throws `usage`. */
export const askRut = (context: Context, options: WalkthroughOptions) =>
  answer(context, 'rut', options.rut, (text) => readRut(text, !options.skipRutCheck, true))

/** Returns the amount to finance, in currency units. Throws `usage`. */
export const askAmount = (context: Context, options: WalkthroughOptions) =>
  answer(context, 'amount', options.amount, readAmount)

/** Returns the customer's e-mail address. Throws `usage`. */
export const askEmail = (context: Context, options: WalkthroughOptions) =>
  answer(context, 'email', options.email, readEmail)

/**
 * Checks the options that are needed only after the evaluation. Call this before the first call to the service, because nothing may be sent
 * if an option is wrong. Throws `usage` if one is wrong, or is missing and cannot be asked for.
 */
export async function checkLaterAnswers(context: Context, options: WalkthroughOptions): Promise<void> {
  if (options.installments !== undefined) readInstallments(options.installments)
  readWait(options.wait)
  if (options.email !== undefined || !context.options.input) await askEmail(context, options)
}

/**
 * Returns the number of installments to report; undefined if the customer will choose on the payment page. Throws
 * `refused` when no option is offered.
 */
export async function askInstallments(
  context: Context,
  options: WalkthroughOptions,
  evaluation: PrintedEvaluation,
): Promise<number | undefined> {
  const offered = evaluation.installmentOptions
  if (options.installments !== undefined) return readInstallments(options.installments)
  if (offered.length === 0)
    throw new BnplError('refused', 'no installment options were offered to this customer', { code: 'NO_OPTIONS' })
  if (!context.options.input) return offered[Math.floor((offered.length - 1) / 2)]?.installments
  const currency = (await context.settings()).currency?.value
  const prompts = await context.prompts()
  return prompts.select<number | undefined>({
    message: 'Which option does the customer choose?',
    choices: [
      ...offered.map((each) => ({
        name: `${each.installments} × ${context.numbers.amount(each.amount, currency)}  (total ${context.numbers.amount(each.total, currency)})`,
        value: each.installments,
      })),
      { name: 'let the customer choose on the payment page', value: undefined },
    ],
    default: offered[0]?.installments,
  })
}

/** Returns the RUT to print in a command. Outside the sandbox it may be a real person's, so `"$RUT"` is printed instead. */
export async function shownRut(context: Context, rut: string): Promise<string> {
  return (await context.settings()).environment.value === SANDBOX ? formatRut(rut) : '"$RUT"'
}
