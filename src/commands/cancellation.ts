import type { ApiClient } from '../client/client.ts'
import type { Context } from '../context.ts'
import { answerOf, isKnown } from '../contract/description.ts'
import type { Loan } from '../contract/endpoints.ts'
import { CANCEL_DAYS } from '../contract/time-limits.ts'
import { dayInChile } from '../domain/clock.ts'
import { dayOf, daysBetween } from '../domain/dates.ts'
import { paymentOf } from '../domain/installments.ts'
import { SANDBOX } from '../domain/sandbox-accounts.ts'
import { BnplError, Interrupted } from '../errors.ts'
import { countOf } from '../terminal/numbers.ts'
import { agree, nextCommand } from './global-options.ts'
import { remember } from './history-notes.ts'
import { moneyOf } from './payment-tables.ts'

interface LoanToCancel {
  externalTrxId: string
  loan: Loan
  /** The installments that the customer has paid: how many, and their sum in currency units. */
  paid: { count: number; amount: number }
}

export interface Cancelled extends LoanToCancel {
  /** What the service sent, with the id of the transaction. `refundAmount` is null if no answer says it. */
  answer: { externalTrxId: string; refundAmount: unknown; [field: string]: unknown }
  /** Whether the answer was lost, and a verification showed that the loan is cancelled. */
  wasUnclear: boolean
}

/**
 * Verifies a loan, asks, and cancels it. The cancellation is sent once. If its answer is unclear, the loan is verified, and the result or the
 * error says what is so. Throws `refused` for a loan that is already cancelled, `outcome-unknown` if the verification does not settle it, and
 * the errors of both calls.
 * @param confirm asks the user, and throws if the answer is no
 */
export async function cancelLoan(
  context: Context,
  api: ApiClient,
  externalTrxId: string,
  confirm: (loan: LoanToCancel) => Promise<void>,
): Promise<Cancelled> {
  const { service } = await context.settings()
  const cancelledState = answerOf(service, 'cancelledState')
  const { data: loan } = await api
    .call('verifyLoan', { params: { externalTrxId }, body: {} })
    .catch((error: unknown) => {
      throw error instanceof BnplError ? notCancelled(context, error) : error
    })
  if (loan.externalTrxId !== externalTrxId)
    throw new BnplError('check-failed', `the answer is about ${loan.externalTrxId}, not about ${externalTrxId}`, {
      code: 'EXPECTATION_FAILED',
      hint: `Give the id of the transaction itself: ${loan.externalTrxId}. Nothing was cancelled.`,
    })
  if (loan.state === cancelledState)
    throw new BnplError('refused', `the loan of ${externalTrxId} is already cancelled; nothing was sent`, {
      code: 'ALREADY_CANCELLED',
      hint: `See the loan: ${nextCommand(context, 'bnpl verify', [externalTrxId])}`,
    })
  const found = {
    externalTrxId,
    loan,
    paid: paidOf(loan, answerOf(service, 'paidState')),
  }
  await confirm(found)
  const params = { externalTrxId }
  try {
    const { data } = await api.call('cancelLoan', { params, body: {} })
    await remember(context, externalTrxId, { loanState: cancelledState })
    const { refundAmount = null, ...rest } = data
    return { ...found, wasUnclear: false, answer: { externalTrxId, refundAmount, ...rest } }
  } catch (error) {
    if (!(error instanceof BnplError) || error.kind !== 'outcome-unknown') throw error
    await settled(context, api, loan, cancelledState, error).catch((failure: unknown) => {
      throw failure instanceof Interrupted ? interruptedAfter(context, externalTrxId, failure) : failure
    })
    await remember(context, externalTrxId, { loanState: cancelledState })
    return { ...found, wasUnclear: true, answer: { externalTrxId, refundAmount: null, state: cancelledState } }
  }
}

/** Returns the error of the verification before a cancellation, with what it means for the cancellation. */
function notCancelled(context: Context, error: BnplError): BnplError {
  const found = error.kind === 'not-found' && error.exchange !== undefined
  return new BnplError(error.kind, `${error.message}; nothing was cancelled`, {
    ...error,
    ...(found && {
      hint: `Check the transaction id. A transaction has a loan only after the customer has paid. See the transactions of this machine: ${nextCommand(context, 'bnpl history')}`,
      advice: undefined,
    }),
    cause: error.cause,
  })
}

function paidOf(loan: Loan, paidState: string): LoanToCancel['paid'] {
  const paid = loan.installments.filter(({ state }) => state === paidState)
  return { count: paid.length, amount: paid.reduce((sum, { period }) => sum + paymentOf(loan, period), 0) }
}

/** The waits before each verification after an unclear answer, in ms. The service may still be processing the call. */
const LOOKS_MS = [0, 1000, 3000]

/**
 * Verifies a loan whose cancellation got no clear answer, until it is cancelled. Throws `network` or `service` if the loan is unchanged and
 * the call has ended at the service, and otherwise `outcome-unknown`.
 */
async function settled(
  context: Context,
  api: ApiClient,
  { externalTrxId, state: before }: Loan,
  cancelledState: string,
  unclear: BnplError,
): Promise<void> {
  let state: string | undefined
  for (const ms of LOOKS_MS) {
    if (ms > 0) await context.clock.sleep(ms, context.signal)
    state = (await loanNow(api, externalTrxId))?.state
    if (state === cancelledState) return
  }
  const verify = nextCommand(context, 'bnpl verify', [externalTrxId])
  if (state === undefined)
    throw unclear.withHint(`Find out whether the loan was cancelled before you run the command again: ${verify}`)
  if (state !== before) throw await otherState(context, externalTrxId, state, cancelledState, unclear)
  const { exchange, code } = unclear
  if (mayStillHappen(unclear))
    throw new BnplError(
      'outcome-unknown',
      `${unclear.message}. The loan of ${externalTrxId} is still ${state}, but the service may still be cancelling it`,
      {
        code,
        hint: `Wait some minutes, then verify the loan: ${verify}\nIf it is still ${state}, run the command again.`,
        exchange,
        cause: unclear,
      },
    )
  throw new BnplError(
    exchange?.status === undefined ? 'network' : 'service',
    `the loan of ${externalTrxId} was not cancelled: the call got no clear answer (${exchange?.status ?? code}), and the loan is still ${state}`,
    {
      code: 'NOT_CANCELLED',
      hint: 'Run the command again. That is safe, because it verifies the loan first.',
      exchange,
      cause: unclear,
    },
  )
}

/** Returns the interruption of the verification after a cancellation without a clear answer. It says that the loan may be cancelled. */
const interruptedAfter = (context: Context, externalTrxId: string, { exitCode }: Interrupted): Interrupted =>
  new Interrupted(
    exitCode,
    `interrupted after the cancellation of ${externalTrxId} got no clear answer; the loan may be cancelled`,
    {
      hint: `Find out whether the loan was cancelled before you run the command again: ${nextCommand(context, 'bnpl verify', [externalTrxId])}`,
    },
  )

/** Returns the loan of a transaction; undefined if it cannot be verified. */
async function loanNow(api: ApiClient, externalTrxId: string): Promise<Loan | undefined> {
  const seen = await api.call('verifyLoan', { params: { externalTrxId }, body: {} }).catch((error: unknown) => {
    if (!(error instanceof BnplError)) throw error
  })
  return seen?.data.externalTrxId === externalTrxId ? seen.data : undefined
}

/** Whether the service, or a server before it, may still be working on a call without an answer. A loan that is unchanged proves nothing then. */
const mayStillHappen = ({ code, exchange }: BnplError): boolean =>
  exchange?.status === undefined ? code === 'TIMEOUT' || code === 'ABORTED' : exchange.status === 504

/** Returns the error for a loan that changed to another state than that of a cancelled loan, after a cancellation without a clear answer. */
async function otherState(
  context: Context,
  externalTrxId: string,
  state: string,
  cancelledState: string,
  { exchange, code, cause }: BnplError,
): Promise<BnplError> {
  const { profile, service } = await context.settings()
  const unclear = `the cancellation of ${externalTrxId} got no clear answer (${exchange?.status ?? code}), and the loan is now ${state}`
  const set = nextCommand(context, 'bnpl profiles set cancelledState', [state])
  return new BnplError(
    'outcome-unknown',
    isKnown(service.answers.cancelledState)
      ? [unclear, `The state of a cancelled loan is ${cancelledState}`].join('. ')
      : [unclear, `The state of a cancelled loan is assumed to be ${cancelledState}`].join('. '),
    {
      code,
      hint:
        profile === undefined
          ? 'Ask the support of the service whether this loan is cancelled. If so, use a profile with the setting cancelledState.'
          : `Ask the support of the service whether this loan is cancelled. If so, run: ${set}`,
      exchange,
      cause,
    },
  )
}

/**
 * Returns the loan of a transaction, and whether it is cancelled; undefined if it cannot be verified. With this, a later run finds out what
 * became of a cancellation without an answer.
 */
export async function loanAfterCancel(
  context: Context,
  api: ApiClient,
  externalTrxId: string,
): Promise<(Pick<LoanToCancel, 'loan' | 'paid'> & { isCancelled: boolean }) | undefined> {
  const { service } = await context.settings()
  const loan = await loanNow(api, externalTrxId)
  if (loan === undefined) return undefined
  const isCancelled = loan.state === answerOf(service, 'cancelledState')
  if (isCancelled) await remember(context, externalTrxId, { loanState: loan.state })
  return { loan, paid: paidOf(loan, answerOf(service, 'paidState')), isCancelled }
}

/**
 * Returns how many days are left to cancel a loan, by the time of the service; negative when they are over. NaN if the transfer date is not a
 * date.
 */
async function daysToCancel(context: Context, { transferDate }: Loan): Promise<number> {
  const isSandbox = (await context.settings()).environment.value === SANDBOX
  const now = isSandbox ? Date.parse((await (await context.sandbox()).control('status')).now) : context.clock.now()
  // A transfer date is a day in Chile. A moment may be a day or, in the evening there, the next one.
  return Math.min(CANCEL_DAYS, CANCEL_DAYS - daysBetween(transferDate, dayInChile(now)))
}

/** Says which loan is to be cancelled and what was paid, and asks. In production, the question about a change is asked in place of this one. */
export async function askForCancel(context: Context, found: LoanToCancel): Promise<void> {
  const { externalTrxId, loan, paid } = found
  const money = await moneyOf(context)
  const daysLeft = await daysToCancel(context, loan)
  context.output.note(
    `The loan of ${externalTrxId}: ${money(loan.loanAmount)}, ${loan.state}, transferred on ${dayOf(loan.transferDate)}.`,
  )
  context.output.note(
    paid.count === 0
      ? 'The customer has paid no installment, so there is nothing to give back.'
      : `The customer has paid ${paid.count} of ${countOf(loan.periods, 'installment')}: ${money(paid.amount)}.`,
  )
  if (daysLeft >= 0) context.output.note(`${daysLeft} of ${CANCEL_DAYS} days are left to cancel it.`)
  else if (daysLeft < 0)
    context.output.warn(
      `the ${CANCEL_DAYS} days in which a loan can be cancelled were over ${countOf(-daysLeft, 'day')} ago, so the service will probably refuse`,
    )
  context.change = `cancel the loan of ${externalTrxId}`
  if ((await context.settings()).environment.value !== 'production')
    await agree(context, `Cancel the loan of ${externalTrxId}?`)
}
