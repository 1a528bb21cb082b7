import type { Context } from '../../context.ts'
import type { Loan } from '../../contract/endpoints.ts'
import { newTransactionId } from '../../domain/identifiers.ts'
import { SANDBOX } from '../../domain/sandbox-accounts.ts'
import { BnplError } from '../../errors.ts'
import { countOf, formatTime } from '../../terminal/numbers.ts'
import { renderFields } from '../../terminal/table.ts'
import { commandLine, optionWords } from '../../text/shell-word.ts'
import { type Define, examples } from '../command.ts'
import { renderEvaluation } from '../evaluation-table.ts'
import { nextCommand } from '../global-options.ts'
import { renderLoan } from '../loan-table.ts'
import { noLoanAnswers } from '../no-loan.ts'
import { readIdentifier, readPublicKey, readWait } from '../option-values.ts'
import {
  entityOf,
  evaluateCustomer,
  type IssuedToken,
  issueToken,
  type PrintedEvaluation,
  reportSelection,
} from '../payment-steps.ts'
import { unmet, verifyTransaction } from '../verification.ts'
import {
  addWalkthroughOptions,
  askAmount,
  askEmail,
  askInstallments,
  askRut,
  checkLaterAnswers,
  shownRut,
  type WalkthroughOptions,
} from './answers.ts'
import { createNarrator, type Narrator } from './narrator.ts'
import { makePayment, type PaymentStep, pageSettings } from './payment.ts'

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
  // At a terminal, check the settings before the questions, because without them the answers could not be sent.
  if (context.options.input) {
    await entityOf(context, options.entityId)
    pageSettings(context, await context.settings())
  }
  const rut = await askRut(context, options)
  const amount = await askAmount(context, options)
  await checkLaterAnswers(context, options)
  const externalTrxId =
    options.externalTrxId === undefined
      ? newTransactionId(context.clock.now(), context.world.random)
      : readIdentifier('--trx', options.externalTrxId)
  const entityId = await entityOf(context, options.entityId)
  const { publicKey } = await context.settings()
  // Check the public key before the first request, because the payment page cannot be opened without a valid public key.
  if (publicKey !== undefined) readPublicKey(publicKey.value)
  const profile = context.options.profile === undefined ? '' : ` -p ${context.options.profile}`
  const trx = optionWords('--trx', externalTrxId)

  tell.step(
    'Evaluate the customer',
    `bnpl evaluate --rut ${await shownRut(context, rut)} --amount ${amount} ${trx}${profile}`,
  )
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
      ? '# the customer chooses on the payment page'
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
    ...(code === undefined ? {} : { code }),
    hint: `Find out how the payment ended: ${command} (do not start again, because the earlier steps are done)`,
    ...(exchange === undefined ? {} : { exchange: lost ? { ...exchange, outcome: 'unknown' } : exchange }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
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
