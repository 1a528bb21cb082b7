import type { Context } from '../../context.ts'
import { formatRut } from '../../domain/rut.ts'
import { SANDBOX } from '../../domain/sandbox-accounts.ts'
import { BnplError, usage } from '../../errors.ts'
import { formatAmount } from '../../terminal/format.ts'
import type { Command, OptionsOf } from '../command.ts'
import { readAmount, readEmail, readInstallments, readRut } from '../option-values.ts'
import type { Evaluation } from '../payment-steps.ts'

export const addWalkthroughOptions = (command: Command) =>
  command
    .option('--rut <rut>', "the customer's national id (else asked)")
    .option('--amount <units>', 'amount to finance (else asked)')
    .option('--email <address>', "the customer's e-mail (else asked)")
    .option('--installments <n>', 'the option the customer chooses (else asked)')
    .option('--entity-id <id>', 'merchant entity id (else from the profile)')
    .option('--trx, --external-trx-id <id>', 'your transaction id (else one is made)')
    .option('--wait [duration]', 'without a terminal: wait for the payment (default: 11m)')
    .option('--reject', 'sandbox without a terminal: the payment is rejected')
    .option('--skip-rut-check', 'accept a check character that does not fit')

export type WalkthroughOptions = OptionsOf<ReturnType<typeof addWalkthroughOptions>>

/** What stands in for a person who is not there: the sandbox's approved customer. Never used on a real account. */
const SANDBOX_DEFAULTS = { rut: '11111111-1', amount: '250000', email: 'ana@example.com' } as const

type Asked = keyof typeof SANDBOX_DEFAULTS

const QUESTIONS: Record<Asked, string> = {
  rut: "The customer's national id (RUT)",
  amount: 'Amount to finance',
  email: "The customer's e-mail",
}

/** An answer: from its flag, else asked on a terminal, else the sandbox's default. Throws `usage` on a real account without either. */
export async function answer<T>(
  context: Context,
  name: Asked,
  given: string | undefined,
  read: (text: string) => T,
): Promise<T> {
  if (given !== undefined) return read(given)
  const isSandbox = (await context.settings()).environment.value === SANDBOX
  if (context.options.input) {
    const prompts = await context.prompts()
    const text = await prompts.input({
      message: QUESTIONS[name],
      ...(isSandbox ? { default: SANDBOX_DEFAULTS[name] } : {}),
      validate: (value) => problemOf(() => read(value)) ?? true,
    })
    return read(text)
  }
  if (isSandbox) return read(SANDBOX_DEFAULTS[name])
  throw usage(`--${name} is missing, and there is no terminal to ask on`, `Give it: --${name} …`, 'NO_INPUT')
}

export const askRut = (context: Context, options: WalkthroughOptions) =>
  answer(context, 'rut', options.rut, (text) => readRut(text, !options.skipRutCheck))
export const askAmount = (context: Context, options: WalkthroughOptions) =>
  answer(context, 'amount', options.amount, (text) => readAmount(text))
export const askEmail = (context: Context, options: WalkthroughOptions) =>
  answer(context, 'email', options.email, readEmail)

/** The option to report; undefined leaves the choice to the payment page. */
export async function askInstallments(
  context: Context,
  options: WalkthroughOptions,
  evaluation: Evaluation,
): Promise<number | undefined> {
  const offered = evaluation.installmentOptions
  if (options.installments !== undefined) return readInstallments(options.installments)
  if (offered.length === 0)
    throw new BnplError('refused', 'no instalment options were offered to this customer', { code: 'NO_OPTIONS' })
  if (!context.options.input) return offered[Math.floor((offered.length - 1) / 2)]?.installments
  const currency = (await context.settings()).currency?.value
  const prompts = await context.prompts()
  return prompts.select<number | undefined>({
    message: 'Which option does the customer choose?',
    choices: [
      ...offered.map((each) => ({
        name: `${each.installments} × ${formatAmount(each.amount, currency)}  (total ${formatAmount(each.total, currency)})`,
        value: each.installments,
      })),
      { name: 'let the payment page ask', value: undefined },
    ],
    default: offered[0]?.installments,
  })
}

/** How a RUT may stand in a printed command: as it is for the sandbox's test customers, else as a variable. */
export async function shownRut(context: Context, rut: string): Promise<string> {
  return (await context.settings()).environment.value === SANDBOX ? formatRut(rut) : '"$RUT"'
}

function problemOf(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : 'this cannot be used'
  }
}
