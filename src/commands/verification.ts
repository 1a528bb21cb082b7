import type { Context } from '../context.ts'
import { answerOf, answerProblem, isKnown, SPECIFICATION, sourceInWords } from '../contract/description.ts'
import type { Loan } from '../contract/endpoints.ts'
import { EMPTY_DATA } from '../contract/statuses.ts'
import { formatDuration } from '../domain/clock.ts'
import { findPreApproveId, looksLikeUuid, looksUnset } from '../domain/identifiers.ts'
import { loanDoubts } from '../domain/installments.ts'
import { BnplError, config } from '../errors.ts'
import type { TransactionRecord } from '../history/history.ts'
import { knownAnswer } from '../profiles/resolve.ts'
import { formatTime } from '../terminal/numbers.ts'
import { type Progress, startProgress, waitShown } from '../terminal/progress.ts'
import { type Expected, expectationWords, insteadOf, isSameInLowerCase, unmetBy } from './expectations.ts'
import { nextCommand } from './global-options.ts'
import { historyKey, remember } from './history-notes.ts'
import { evaluateFirst, linkCommand, sandboxPayment, UNEVALUATED } from './payment-steps.ts'

export type Verification =
  | { externalTrxId: string; loan: Loan; differences: string[]; hint?: string | undefined; doubts: string[] }
  /** `isFinal`: the same call would fail again, for example because the payment was rejected. */
  | { externalTrxId: string; error: BnplError; isFinal: boolean }

const POLL_FIRST_MS = 1000
const POLL_LAST_MS = 10_000

/**
 * Verifies one transaction, and waits up to `waitMs` for its loan. The error of a failed call is returned, so that the
 * caller can still verify other transactions. Throws `usage`, `config` and interruptions.
 * @param given the id of the transaction, or a preApproveId that the history of this machine contains
 */
export async function verifyTransaction(
  context: Context,
  given: string,
  expected: Expected,
  waitMs: number | undefined,
): Promise<Verification> {
  const { externalTrxId, mayBePreApproval } = await verifiedId(context, given)
  try {
    const loan = await loanOf(context, { externalTrxId, mayBePreApproval, expected, waitMs })
    const accepted = await answersPreApproval(context, externalTrxId, loan)
    if (accepted) context.output.note(`The service read ${given} as the preApproveId of ${loan.externalTrxId}.`)
    const verified = accepted ? loan.externalTrxId : externalTrxId
    const isOther = loan.externalTrxId !== verified
    if (!isOther) {
      const verifiedAt = new Date(context.clock.now()).toISOString()
      await remember(context, verified, { loanState: loan.state, verifiedAt })
    }
    const ended = waitMs !== undefined && (await isCancelled(context, loan))
    return {
      externalTrxId: verified,
      loan,
      differences: checkLoan(loan, verified, expected),
      doubts: loanDoubts(loan),
      hint: isOther ? hintOfOther(context, externalTrxId, loan, expected) : ended ? cancelledInWords(loan) : undefined,
    }
  } catch (error) {
    if (error instanceof BnplError && !['usage', 'config'].includes(error.kind)) {
      const { isNotYet } = await noLoanAnswers(context)
      const known = isNotYet(error) ? asNoLoan(error) : error
      return {
        externalTrxId,
        ...(await withNextStep(
          context,
          { externalTrxId, mayBePreApproval, expected, hasWaited: waitMs !== undefined },
          known,
        )),
      }
    }
    throw error
  }
}

function hintOfOther(context: Context, asked: string, loan: Loan, expected: Expected): string {
  const next = nextCommand(context, 'bnpl verify', [loan.externalTrxId], expectationWords(expected))
  return `If ${asked} is the preApproveId of ${loan.externalTrxId}, run: ${next}`
}

async function withNextStep(
  context: Context,
  {
    externalTrxId,
    mayBePreApproval,
    expected,
    hasWaited,
  }: { externalTrxId: string; mayBePreApproval: boolean; expected: Expected; hasWaited: boolean },
  error: BnplError,
): Promise<{ error: BnplError; isFinal: boolean }> {
  const later = (hint: string) => ({ error: error.withHint(hint), isFinal: false })
  const next = nextCommand(context, 'bnpl verify', [externalTrxId], ['--wait', ...expectationWords(expected)])
  if (error.kind === 'not-found') {
    if (looksUnset(externalTrxId))
      return {
        error: error.withHint(`Check your script: “${externalTrxId}” is probably a variable that has no value.`),
        isFinal: true,
      }
    const payment = await sandboxPayment(context, externalTrxId)
    const { state = '', evaluated = true, step, reason } = payment ?? {}
    const end =
      evaluated || state !== 'rejected' ? withReason(ENDS[state], reason) : `${ENDS[state]}, because ${UNEVALUATED}`
    if (end !== undefined)
      return {
        error: endedWithoutLoan(
          error,
          externalTrxId,
          end,
          evaluated ? await linkCommand(context, externalTrxId) : evaluateFirst(externalTrxId),
        ),
        isFinal: true,
      }
    if (state === 'open' && step && !hasWaited)
      return later(`The payment is open at the step ${step}. Wait until the customer has paid: ${next}`)
    // The clock of a sandbox may be ahead of that of this machine, and a sandbox tells itself that a link has expired.
    const expiredAt = payment === undefined ? await expiryOfLink(context, externalTrxId) : undefined
    if (expiredAt !== undefined)
      return later(
        `The last link that this machine made for ${externalTrxId} expired at ${formatTime(expiredAt)}. If the customer has not paid, send a new link: ${await linkCommand(context, externalTrxId)}`,
      )
    if (hasWaited) return { error, isFinal: false }
    return mayBePreApproval
      ? later(`${GIVE_TRANSACTION_ID} Otherwise wait for the payment: ${next}`)
      : later(
          `A payment that was rejected has no loan. Wait for the payment, if the customer has not paid yet: ${next}`,
        )
  }
  const { status } = error.exchange ?? {}
  return error.kind === 'refused' && (status === 409 || status === 422) && !hasWaited
    ? later(
        `Wait for the payment, if the customer has not paid yet. Until then, the service may answer ${status}. Run: ${next}`,
      )
    : { error, isFinal: error.kind === 'refused' && !MAY_PASS.includes(status) }
}

/** Refusals that a later call may not get: before the payment, or because the service is busy. */
const MAY_PASS: readonly unknown[] = [408, 409, 422, 423, 425]

/** Returns when the last link of a transaction expired, ISO 8601; undefined if it is still valid, or if the history has no link. */
async function expiryOfLink(context: Context, externalTrxId: string): Promise<string | undefined> {
  const { own } = await inHistory(context, externalTrxId)
  const until = own?.tokenExpiresAt
  return until && Date.parse(until) <= context.clock.now() ? until : undefined
}

/** Payments that ended without a loan, and why. Only the sandbox tells how a payment ended. */
const ENDS: Readonly<Record<string, string>> = {
  rejected: 'the payment was rejected',
  cancelled: 'the customer cancelled the payment',
  expired: 'the link expired before the customer paid',
}

/** Adds the reason of a rejection, if it says more than that the customer is a risk. */
const withReason = (end: string | undefined, reason: string | null | undefined): string | undefined =>
  end === undefined || !reason || reason === 'RISK_REJECTED' ? end : `${end} (${reason})`

/** Returns the error of a transaction whose payment ended without a loan, so that to wait for the loan would not help. */
function endedWithoutLoan(error: BnplError, externalTrxId: string, end: string, link: string): BnplError {
  return new BnplError(error.kind, `${externalTrxId} has no loan: ${end}`, {
    code: error.code,
    hint: `To offer the customer another attempt, run: ${link}`,
    exchange: error.exchange,
    cause: error,
  })
}

const GIVE_TRANSACTION_ID = 'If the given id is a preApproveId, give your own transaction id (externalTrxId) instead.'

interface Wanted {
  externalTrxId: string
  mayBePreApproval: boolean
  expected: Expected
  waitMs: number | undefined
}

async function loanOf(context: Context, wanted: Wanted): Promise<Loan> {
  const { externalTrxId, waitMs } = wanted
  const { expectedState } = wanted.expected
  const { clock, signal, output, io, options } = context
  const api = await context.api()
  const mayBeNotYet = waitMs === undefined ? () => false : (await noLoanAnswers(context)).mayBeNotYet
  const started = clock.monotonic()
  let pause = POLL_FIRST_MS
  let progress: Progress | undefined
  try {
    for (;;) {
      const answer = await api.call('verifyLoan', { params: { externalTrxId }, body: {} }).catch((error: unknown) => {
        if (error instanceof BnplError && mayBeNotYet(error)) return error
        throw error
      })
      const missing = answer instanceof BnplError
      if (!missing && (waitMs === undefined || !mayChangeTo(expectedState, answer.data.state))) return answer.data
      if (!missing && (await isCancelled(context, answer.data))) return answer.data
      const left = (waitMs ?? 0) - (clock.monotonic() - started)
      if (left <= 0) {
        if (!missing) return answer.data
        throw stillMissing(externalTrxId, waitMs ?? 0, answer)
      }
      const what = missing
        ? `Waiting for the loan of ${externalTrxId}${expectedState === undefined ? '' : ` to have the state ${expectedState}`}`
        : `The state of ${externalTrxId} is ${answer.data.state}; waiting for the state ${expectedState}`
      const step = Math.min(pause, left)
      const words = (rest: number) => `${what} · ${formatDuration(left - step + rest)} left`
      if (progress === undefined) {
        progress = await startProgress(io, options.quiet, words(step))
        if (!progress.isShown) {
          const until = expectedState === undefined ? '' : `, until its loan has the state ${expectedState}`
          output.note(`Waiting up to ${formatDuration(waitMs ?? 0)} for ${externalTrxId}${until} …`)
        }
        // The service may have refused the request. Show its answer, so that the user can decide whether to wait
        // longer.
        if (missing && answer.kind !== 'not-found') output.note(`The last answer: ${answer.message}`)
        if (missing && wanted.mayBePreApproval) output.note(GIVE_TRANSACTION_ID)
      }
      await waitShown(clock, progress, step, words, signal)
      pause = Math.min(POLL_LAST_MS, Math.round(pause * 1.5))
    }
  } finally {
    progress?.stop()
  }
}

/**
 * Whether it makes sense to wait until the state of a loan changes from `current` to `wanted`. If the two differ only in upper and lower
 * case, `wanted` is a typing mistake, so a wait would not help.
 */
const mayChangeTo = (wanted: Expected['expectedState'], current: string): boolean =>
  wanted !== undefined && !isSameInLowerCase(wanted, current)

/** Whether a loan is cancelled, so that its state does not change any more. */
export const isCancelled = async (context: Context, { state }: Loan): Promise<boolean> =>
  state === answerOf((await context.settings()).service, 'cancelledState')

export const cancelledInWords = ({ externalTrxId }: Loan): string =>
  `The loan of ${externalTrxId} is cancelled. The customer pays no more installments of it.`

function stillMissing(externalTrxId: string, waitMs: number, last: BnplError): BnplError {
  const said = last.kind === 'not-found' ? '' : `; the last answer: ${last.message}`
  return new BnplError('not-found', `still no loan for ${externalTrxId} after ${formatDuration(waitMs)}${said}`, {
    code: last.code ?? 'NO_LOAN',
    hint: 'Ask the customer. Either the payment was not made, or it was rejected.',
    exchange: last.exchange,
  })
}

function checkLoan(loan: Loan, externalTrxId: string, expected: Expected): string[] {
  const differences = unmetBy(loan, expected).map(
    ({ words, field, as }) => `${words} of ${externalTrxId} is ${insteadOf(loan[field], expected[as])}`,
  )
  if (loan.externalTrxId !== externalTrxId)
    differences.push(`the answer is about ${loan.externalTrxId}, not about ${externalTrxId}`)
  return differences
}

/** Returns the error for a loan that does not meet the expectations. */
export function unmet(differences: readonly string[], hint?: string): BnplError {
  return new BnplError('check-failed', `not as expected: ${differences.join('; ')}`, {
    code: 'EXPECTATION_FAILED',
    hint,
  })
}

interface Verified {
  externalTrxId: string
  /** True if the id may be a preApproveId that the history of this machine does not contain. */
  mayBePreApproval: boolean
}

/**
 * Returns the id to verify. If the given id is a preApproveId in the history, returns the externalTrxId of the same
 * payment. Otherwise, or if the history cannot be read, returns the given id.
 */
export async function verifiedId(context: Context, given: string): Promise<Verified> {
  const { own, byPreApproval } = await inHistory(context, given)
  // Do not send the preApproveId, because the service may find a loan only by its externalTrxId (the specification is not clear).
  if (byPreApproval !== undefined) {
    const { externalTrxId } = byPreApproval
    context.output.note(
      `In the history of this machine, ${given} is the preApproveId of ${externalTrxId}. Verifying ${externalTrxId}.`,
    )
    return { externalTrxId, mayBePreApproval: false }
  }
  return { externalTrxId: given, mayBePreApproval: own === undefined && looksLikeUuid(given) }
}

/**
 * Returns a function that finds the id to verify for each row of a file, as `verifiedId` does. It prints at most one
 * note for all rows, and looks up only ids that look like a preApproveId.
 */
export function verifiedRows(context: Context): (id: string) => Promise<string> {
  let isNoted = false
  return async (id) => {
    const { byPreApproval } = looksLikeUuid(id) ? await inHistory(context, id) : {}
    if (byPreApproval === undefined) return id
    if (!isNoted)
      context.output.note(
        'Some ids are preApproveIds of transactions in the history of this machine. The service is asked about the externalTrxIds of these transactions instead.',
      )
    isNoted = true
    return byPreApproval.externalTrxId
  }
}

async function inHistory(
  context: Context,
  id: string,
): Promise<{ own?: TransactionRecord | undefined; byPreApproval?: TransactionRecord | undefined }> {
  const key = historyKey(await context.settings())
  try {
    const history = await context.history()
    const own = await history.find(key, id)
    return own === undefined ? { byPreApproval: await history.findByPreApproval(key, id) } : { own }
  } catch (error) {
    if (error instanceof BnplError) return {}
    throw error
  }
}

/** Whether `asked` is not the externalTrxId but the preApproveId of a loan. */
export async function answersPreApproval(context: Context, asked: string, loan: Loan): Promise<boolean> {
  if (loan.externalTrxId === asked) return false
  const { service } = await context.settings()
  return findPreApproveId(loan, knownAnswer(service, 'preApproveIdField')).preApproveId === asked
}

interface NoLoanAnswers {
  /** Whether the error may mean “no loan yet”. If so, a wait continues. */
  mayBeNotYet(error: BnplError): boolean
  /** Whether the error certainly means “no loan yet”, by the contract or by the profile. */
  isNotYet(error: BnplError): boolean
}

/**
 * Reads from the profile setting `notYet` which answers mean “no loan yet”. Without the setting, 409 and 422 may mean
 * this, but it is not certain. Throws `config` if the setting is not valid.
 */
export async function noLoanAnswers(context: Context): Promise<NoLoanAnswers> {
  const { service } = await context.settings()
  const answer = service.answers.notYet
  const problem = answerProblem('notYet', answer.text)
  if (problem !== undefined) {
    throw config(
      `the setting notYet of ${sourceInWords(answer.source)} is not valid: ${problem}`,
      `Set a valid value: ${nextCommand(context, `bnpl profiles set notYet ${SPECIFICATION.answers.notYet.text}`)}`,
      'BAD_SETTING',
    )
  }
  const answers = answerOf(service, 'notYet')
  const isCertain = isKnown(answer)
  const mayBeNotYet = ({ kind, code, exchange }: BnplError) => {
    if (code === EMPTY_DATA) return answers.empty
    // A web page is not an answer of the service, unless the profile says so.
    if (kind === 'service' && !isCertain) return false
    return exchange?.status !== undefined && answers.statuses.has(exchange.status)
  }
  return {
    mayBeNotYet,
    isNotYet: (error) => error.kind === 'not-found' || (isCertain && mayBeNotYet(error)),
  }
}

/** Returns the `not-found` error for an answer that means “no loan yet” according to the profile. */
function asNoLoan(error: BnplError): BnplError {
  if (error.kind === 'not-found') return error
  const { status } = error.exchange ?? {}
  return new BnplError('not-found', `could not verify a transaction: no loan for this transaction (${status})`, {
    code: error.code,
    exchange: error.exchange,
    cause: error,
  })
}
