import type { Context } from '../../context.ts'
import type { Loan } from '../../contract/loan.ts'
import { newTransactionId } from '../../domain/identifiers.ts'
import { SANDBOX } from '../../domain/sandbox-accounts.ts'
import { shellQuoted } from '../../domain/shell-word.ts'
import { BnplError } from '../../errors.ts'
import { formatAmount, formatTime } from '../../terminal/format.ts'
import { renderFields } from '../../terminal/table.ts'
import { type Define, examples } from '../command.ts'
import { renderEvaluation } from '../evaluation-table.ts'
import { nextCommand } from '../global-options.ts'
import { renderLoan } from '../loan-table.ts'
import { readIdentifier, readPublicKey, readWait } from '../option-values.ts'
import {
  type Evaluation,
  entityOf,
  evaluateCustomer,
  reportSelection,
  startWidget,
  type WidgetSession,
} from '../payment-steps.ts'
import { verifyTransaction } from '../verification.ts'
import {
  addWalkthroughOptions,
  askAmount,
  askEmail,
  askInstallments,
  askRut,
  shownRut,
  type WalkthroughOptions,
} from './answers.ts'
import { createNarrator, type Narrator } from './narrator.ts'
import { type PaymentStep, pay } from './payment.ts'

/** The summary on stdout. Amounts in currency units, times ISO 8601; the token itself is part of nothing. */
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
          hint: `Nothing was lent. Try again with the same command, or look: bnpl history show ${shellQuoted(summary.externalTrxId)}`,
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
      'the same without questions',
      'bnpl walkthrough -p sandbox --no-input --rut 11111111-1 --amount 250000 --installments 6 --json',
    ],
  ])
}

async function walk(context: Context, options: WalkthroughOptions, tell: Narrator): Promise<Summary> {
  const rut = await askRut(context, options)
  const amount = await askAmount(context, options)
  const externalTrxId =
    options.externalTrxId === undefined
      ? newTransactionId(context.clock.now(), context.world.random)
      : readIdentifier('--trx', options.externalTrxId)
  const entityId = await entityOf(context, options.entityId)
  const { publicKey } = await context.settings()
  // Before anything is made whose page could not be opened.
  if (publicKey !== undefined) readPublicKey(publicKey.value)
  const profile = context.options.profile === undefined ? '' : ` -p ${context.options.profile}`
  const trx = `--trx ${shellQuoted(externalTrxId)}`

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
  const session = await startWidget(context, { amount, email, externalTrxId, entityId })
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
  evaluation: Evaluation,
  installments: number | undefined,
  which: string,
): Promise<void> {
  tell.step(
    'Report the choice',
    installments === undefined ? 'left to the payment page' : `bnpl select --installments ${installments} ${which}`,
  )
  if (installments === undefined) return
  const { externalTrxId, amount, preApproveId } = evaluation
  if (preApproveId === null) {
    tell.show('Without the pre-approval id the choice cannot be reported; the payment page will ask.')
    return
  }
  const request = await reportSelection(context, { externalTrxId, amount, preApproveId, installments })
  tell.show(`${installments} instalments, loan request ${request.loanRequestId}.`)
}

async function payStep(
  context: Context,
  tell: Narrator,
  session: WidgetSession,
  options: WalkthroughOptions,
  which: string,
): Promise<PaymentStep> {
  const reject = options.reject === true
  const byItself = !context.options.input && (await context.settings()).environment.value === SANDBOX
  const command = byItself
    ? `bnpl sandbox pay ${shellQuoted(session.externalTrxId)}${reject ? ' --reject' : ''}`
    : `bnpl pay-url ${which} --email … --success-url … --error-url … --open`
  tell.step('Pay on the payment page', command)
  return pay(context, session, { reject, wait: options.wait !== undefined })
}

async function verifyStep(
  context: Context,
  tell: Narrator,
  externalTrxId: string,
  payment: PaymentStep,
  options: WalkthroughOptions,
  profile: string,
): Promise<Loan | null> {
  // Where the customer landed proves nothing: the verification does, also after a rejection.
  const waitMs =
    payment === 'rejected' ? undefined : (readWait(options.wait) ?? (payment === 'paid' ? 10_000 : undefined))
  tell.step('Verify the loan', `bnpl verify ${shellQuoted(externalTrxId)}${profile}`)
  const verification = await verifyTransaction(context, externalTrxId, {}, waitMs)
  if ('loan' in verification) return verification.loan
  const unpaid = payment === 'rejected' || (payment === 'pending' && options.wait === undefined)
  if (unpaid && verification.error.kind === 'not-found') return null
  throw leftToVerify(verification.error, nextCommand(context, `bnpl verify ${shellQuoted(externalTrxId)} --wait`))
}

/**
 * A verification may be repeated, and the walkthrough around it may not: that would evaluate and pay once more. So what is lost here
 * leaves it unknown how the payment ended, and the rest is one command.
 */
function leftToVerify(error: BnplError, command: string): BnplError {
  if (!['network', 'service', 'rate-limited'].includes(error.kind)) return error
  const lost = error.kind === 'network'
  const { code, exchange, retryAfterMs } = error
  return new BnplError(lost ? 'outcome-unknown' : error.kind, error.message, {
    ...(code === undefined ? {} : { code }),
    hint: `Do not begin again: the steps before this one are done. To find out: ${command}`,
    ...(exchange === undefined ? {} : { exchange: lost ? { ...exchange, outcome: 'unknown' } : exchange }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    cause: error,
  })
}

function renderPending(context: Context, summary: Summary): Promise<string> {
  return renderFields(
    [
      ['Transaction', summary.externalTrxId],
      ['Amount', formatAmount(summary.amount)],
      ['Payment', 'pending: the customer has not paid yet'],
      ['Token dies', formatTime(summary.tokenExpiresAt)],
      ['To find out', nextCommand(context, `bnpl verify ${shellQuoted(summary.externalTrxId)} --wait`)],
    ],
    context.output,
  )
}
