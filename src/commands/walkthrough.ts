import type { Context } from '../context.ts'
import type { Loan } from '../contract/endpoints.ts'
import { formatRut, newTransactionId } from '../domain/identifiers.ts'
import { SANDBOX } from '../domain/sandbox-accounts.ts'
import { BnplError, usage } from '../errors.ts'
import { countOf, formatTime } from '../terminal/numbers.ts'
import { renderFields } from '../terminal/table.ts'
import { continuedCommand } from '../terminal/wrap.ts'
import { commandLine, optionWords } from '../text/shell-word.ts'
import { visible } from '../text/visible.ts'
import { type Command, type Define, examples, type OptionsOf } from './command.ts'
import { nextCommand, noteOtherRequests } from './global-options.ts'
import {
  ask,
  readAmount,
  readEmail,
  readIdentifier,
  readInstallments,
  readPublicKey,
  readRut,
  readWait,
  SANDBOX_ANSWERS,
} from './option-values.ts'
import {
  entityOf,
  evaluateCustomer,
  type IssuedToken,
  issueToken,
  type PrintedEvaluation,
  reportSelection,
} from './payment-steps.ts'
import { moneyOf, renderEvaluation, renderLoan } from './payment-tables.ts'
import { noLoanAnswers, unmet, verifyTransaction } from './verification.ts'
import { makePayment, type PaymentStep, pageSettings } from './walkthrough-payment.ts'

/** The summary must not contain the token. Amounts are in currency units. */
interface Summary {
  externalTrxId: string
  amount: number
  entityId: string
  preApproveId: string | null
  installments: number | null
  tokenExpiresAt: string
  payment: PaymentStep
  loan: Loan | null
}

export const define: Define = (command, act) => {
  addWalkthroughOptions(command).action(
    act(async (context, options) => {
      const summary = await walk(context, options, createNarrator(context))
      const { loan } = summary
      if (summary.payment === 'rejected') {
        throw new BnplError('refused', `the payment of ${summary.externalTrxId} was rejected or cancelled`, {
          code: 'PAYMENT_REJECTED',
          hint: `Run the same command to try again, or look at the transaction: ${nextCommand(context, 'bnpl history show', [summary.externalTrxId])}`,
        })
      }
      await context.output.result(summary, async () =>
        loan ? await renderLoan(context, loan) : renderPending(context, summary),
      )
      if (loan) context.output.note(`Done: ${summary.externalTrxId} is ${loan.state}.`)
    }),
  )
  examples(command, [
    ['the whole payment on this machine, no keys needed', 'bnpl walkthrough -p sandbox'],
    [
      'a whole payment without questions',
      'bnpl walkthrough -p sandbox --no-input --rut 11222333-9 --amount 250000 --installments 6 --json',
    ],
  ])
}

async function walk(context: Context, options: WalkthroughOptions, tell: Narrator): Promise<Summary> {
  // Check the settings before the questions, because without them the answers could not be sent.
  const entityId = await entityOf(context, options.entityId)
  if (context.options.input) pageSettings(context, await context.settings())
  const rut = await askRut(context, options)
  const amount = await askAmount(context, options)
  await checkLaterAnswers(context, options)
  const externalTrxId =
    options.externalTrxId === undefined
      ? newTransactionId(context.clock.now(), context.world.random)
      : readIdentifier('--trx', options.externalTrxId)
  const { publicKey } = await context.settings()
  // Check the public key before the first request, because the payment page cannot be opened without a valid public key.
  if (publicKey !== undefined) readPublicKey(publicKey.value)
  const profile = context.options.profile === undefined ? '' : ` -p ${context.options.profile}`
  const trx = optionWords('--trx', externalTrxId)

  tell.step(
    'Evaluate the customer',
    `bnpl evaluate --rut ${await shownRut(context, rut)} --amount ${amount} ${trx}${profile}`,
  )
  noteOtherRequests(context)
  const evaluation = await evaluateCustomer(context, { idNumber: rut, amount, entityId, externalTrxId })
  const offered = await renderEvaluation(context, evaluation)
  tell.show(context.options.input ? `${offered}\n` : offered)

  const installments = await askInstallments(context, options, evaluation)
  await choose(context, tell, evaluation, installments, `${trx}${profile}`)

  const email = await askEmail(context, options)
  const isSandbox = (await context.settings()).environment.value === SANDBOX
  tell.step('Create a widget token', `bnpl widget-token ${trx} --email ${isSandbox ? email : '"$EMAIL"'}${profile}`)
  const session = await issueToken(context, { amount, email, externalTrxId, entityId })
  tell.show(`The token is valid until ${formatTime(session.expiresAt)}.`)

  const payment = await payStep(context, tell, session, options, `${trx}${profile}`)
  const loan = payment === 'rejected' ? null : await verifyStep(context, tell, externalTrxId, payment, options, profile)
  return {
    externalTrxId,
    amount,
    entityId,
    preApproveId: evaluation.preApproveId,
    installments: installments ?? null,
    tokenExpiresAt: session.expiresAt,
    payment: loan ? 'paid' : payment,
    loan,
  }
}

async function choose(
  context: Context,
  tell: Narrator,
  evaluation: PrintedEvaluation,
  installments: number | undefined,
  which: string,
): Promise<void> {
  tell.step(
    'Report the choice',
    installments === undefined
      ? `# ${context.output.inLanguage('the customer chooses on the payment page')}`
      : `bnpl select --installments ${installments} ${which}`,
  )
  if (installments === undefined) return
  const { externalTrxId, amount, preApproveId } = evaluation
  if (preApproveId === null) {
    tell.show(
      'The choice cannot be reported without a pre-approval id. Instead, the customer chooses on the payment page.',
    )
    return
  }
  const request = await reportSelection(context, { externalTrxId, amount, preApproveId, installments })
  tell.show(`${countOf(installments, 'installment')}, loan request ${request.loanRequestId}.`)
}

async function payStep(
  context: Context,
  tell: Narrator,
  session: IssuedToken,
  options: WalkthroughOptions,
  which: string,
): Promise<PaymentStep> {
  const reject = options.reject === true
  const paysByItself = !context.options.input && (await context.settings()).environment.value === SANDBOX
  const command = paysByItself
    ? commandLine('bnpl sandbox pay', [session.externalTrxId], reject ? '--reject' : '')
    : `bnpl pay-url ${which} --email … --success-url … --error-url … --open`
  tell.step('Pay on the payment page', command)
  return makePayment(context, session, { reject, wait: options.wait !== undefined })
}

async function verifyStep(
  context: Context,
  tell: Narrator,
  externalTrxId: string,
  payment: Exclude<PaymentStep, 'rejected'>,
  options: WalkthroughOptions,
  profile: string,
): Promise<Loan | null> {
  // The customer's return does not prove a payment, because anybody who knows the return address can open it.
  const waitMs = readWait(options.wait) ?? (payment === 'paid' ? 10_000 : undefined)
  tell.step('Verify the loan', commandLine('bnpl verify', [externalTrxId], profile.trim()))
  const verification = await verifyTransaction(context, externalTrxId, {}, waitMs)
  if ('loan' in verification) {
    if (verification.differences.length > 0) throw unmet(verification.differences, verification.hint)
    return verification.loan
  }
  if (payment === 'pending' && options.wait === undefined && (await mayBeUnpaid(context, verification.error)))
    return null
  throw leftToVerify(verification.error, nextCommand(context, 'bnpl verify', [externalTrxId], ['--wait']))
}

async function mayBeUnpaid(context: Context, error: BnplError): Promise<boolean> {
  return error.kind === 'not-found' || (await noLoanAnswers(context)).mayBeNotYet(error)
}

/** Tells the user to repeat only the verification, because a new walkthrough would evaluate and pay again. */
function leftToVerify(error: BnplError, command: string): BnplError {
  if (!['network', 'service', 'rate-limited'].includes(error.kind)) return error
  const lost = error.kind === 'network'
  const { code, exchange, retryAfterMs } = error
  return new BnplError(lost ? 'outcome-unknown' : error.kind, error.message, {
    code,
    hint: `Find out how the payment ended: ${command} (do not start again, because the earlier steps are done)`,
    exchange: exchange && lost ? { ...exchange, outcome: 'unknown' } : exchange,
    retryAfterMs,
    cause: error,
  })
}

function renderPending(context: Context, summary: Summary): Promise<string> {
  return renderFields(
    [
      ['Transaction', summary.externalTrxId],
      ['Amount', context.numbers.amount(summary.amount)],
      ['Payment', 'pending: the customer has not paid yet'],
      ['Token expires', formatTime(summary.tokenExpiresAt)],
      ['Next', nextCommand(context, 'bnpl verify', [summary.externalTrxId], ['--wait'])],
    ],
    context.output,
  )
}

const addWalkthroughOptions = (command: Command) =>
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

type WalkthroughOptions = OptionsOf<ReturnType<typeof addWalkthroughOptions>>

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
const askRut = (context: Context, options: WalkthroughOptions) =>
  answer(context, 'rut', options.rut, (text) => readRut(text, !options.skipRutCheck, true))

/** Returns the amount to finance, in currency units. Throws `usage`. */
const askAmount = (context: Context, options: WalkthroughOptions) =>
  answer(context, 'amount', options.amount, readAmount)

/** Returns the customer's e-mail address. Throws `usage`. */
const askEmail = (context: Context, options: WalkthroughOptions) => answer(context, 'email', options.email, readEmail)

/**
 * Checks the options that are needed only after the evaluation. Call this before the first call to the service, because nothing may be sent
 * if an option is wrong. Throws `usage` if one is wrong, or is missing and cannot be asked for.
 */
async function checkLaterAnswers(context: Context, options: WalkthroughOptions): Promise<void> {
  if (options.installments !== undefined) readInstallments(options.installments)
  readWait(options.wait)
  if (options.email !== undefined || !context.options.input) await askEmail(context, options)
}

/**
 * Returns the number of installments to report; undefined if the customer will choose on the payment page. Throws
 * `refused` when no option is offered.
 */
async function askInstallments(
  context: Context,
  options: WalkthroughOptions,
  evaluation: PrintedEvaluation,
): Promise<number | undefined> {
  const offered = evaluation.installmentOptions
  if (options.installments !== undefined) return readInstallments(options.installments)
  if (offered.length === 0)
    throw new BnplError('refused', 'no installment options were offered to this customer', { code: 'NO_OPTIONS' })
  if (!context.options.input) return offered[Math.floor((offered.length - 1) / 2)]?.installments
  const money = await moneyOf(context)
  const prompts = await context.prompts()
  return prompts.select<number | undefined>({
    message: 'Which option does the customer choose?',
    choices: [
      ...offered.map((each) => ({
        name: `${each.installments} × ${money(each.amount)}  (total ${money(each.total)})`,
        value: each.installments,
      })),
      { name: 'let the customer choose on the payment page', value: undefined },
    ],
    default: offered[0]?.installments,
  })
}

/** Returns the RUT to print in a command. Outside the sandbox it may be a real person's, so `"$RUT"` is printed instead. */
async function shownRut(context: Context, rut: string): Promise<string> {
  return (await context.settings()).environment.value === SANDBOX ? formatRut(rut) : '"$RUT"'
}

interface Narrator {
  step(title: string, command: string): void
  show(text: string): void
}

const STEPS = 5
const PROMPT = '$ '

/** Returns the functions that print the steps of the walkthrough. With `--quiet` they print nothing. */
function createNarrator(context: Context): Narrator {
  const { io, options, output } = context
  const style = output.errStyle
  let number = 0
  return {
    step(title, command) {
      number++
      if (options.quiet) return
      io.err(`\n${style.bold(`${number}/${STEPS} ${output.inLanguage(title)}`)}\n`)
      const lines = io.stderrIsTty ? continuedCommand(visible(command), io.columns - PROMPT.length) : [visible(command)]
      for (const [i, line] of lines.entries()) io.err(`${style.dim(`${i === 0 ? PROMPT : ''}${line}`)}\n`)
    },
    show(text) {
      if (!options.quiet) io.err(`${output.inLanguage(text)}\n`)
    },
  }
}
