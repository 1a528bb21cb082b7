import type { Context } from '../context.ts'
import type { Loan } from '../contract/endpoints.ts'
import { formatDuration } from '../domain/duration.ts'
import { loanDoubts } from '../domain/loan-check.ts'
import { BnplError } from '../errors.ts'
import { type Progress, startProgress, waitShown } from '../terminal/progress.ts'
import { nextCommand } from './global-options.ts'
import { remember } from './history-notes.ts'

/** What the user expects of a loan. Amounts in currency units. */
export interface Expectations {
  state?: string
  amount?: number
  periods?: number
}

/** The result of one verification: the loan and its differences from the expectations, or the error. */
export type Verification =
  | { externalTrxId: string; loan: Loan; differences: string[]; doubts: string[] }
  | { externalTrxId: string; error: BnplError }

const POLL_FIRST_MS = 1000
const POLL_LAST_MS = 10_000

/**
 * Verifies one transaction, and waits for its loan when `waitMs` is given. A failed call is returned, so that the other transactions are
 * still verified. Throws `usage`, `config` and interruptions, which would end every other call too.
 */
export async function verifyTransaction(
  context: Context,
  externalTrxId: string,
  expected: Expectations,
  waitMs: number | undefined,
): Promise<Verification> {
  try {
    const loan = await loanOf(context, externalTrxId, expected, waitMs)
    await remember(context, externalTrxId, {
      loanState: loan.state,
      verifiedAt: new Date(context.clock.now()).toISOString(),
    })
    return { externalTrxId, loan, differences: checkLoan(loan, externalTrxId, expected), doubts: loanDoubts(loan) }
  } catch (error) {
    if (error instanceof BnplError && !['usage', 'config'].includes(error.kind))
      return { externalTrxId, error: withNextStep(context, externalTrxId, error, waitMs) }
    throw error
  }
}

/** Adds the command that waits for the loan to an error that says it does not exist yet. */
function withNextStep(
  context: Context,
  externalTrxId: string,
  error: BnplError,
  waitMs: number | undefined,
): BnplError {
  if (error.kind !== 'not-found' || waitMs !== undefined) return error
  const next = nextCommand(context, 'bnpl verify', [externalTrxId], ['--wait'])
  return new BnplError(error.kind, error.message, {
    ...(error.code === undefined ? {} : { code: error.code }),
    hint: `Wait for the payment, in case the customer has not paid yet: ${next}`,
    ...(error.exchange === undefined ? {} : { exchange: error.exchange }),
    cause: error,
  })
}

async function loanOf(
  context: Context,
  externalTrxId: string,
  expected: Expectations,
  waitMs: number | undefined,
): Promise<Loan> {
  const { clock, signal, output, io, options } = context
  const api = await context.api()
  const started = clock.monotonic()
  let pause = POLL_FIRST_MS
  let progress: Progress | undefined
  try {
    for (;;) {
      const answer = await api.call('verifyLoan', { params: { externalTrxId }, body: {} }).catch((error: unknown) => {
        if (waitMs !== undefined && error instanceof BnplError && error.kind === 'not-found') return error
        throw error
      })
      const missing = answer instanceof BnplError
      if (!missing && (waitMs === undefined || expected.state === undefined || answer.data.state === expected.state))
        return answer.data
      const left = (waitMs ?? 0) - (clock.monotonic() - started)
      if (left <= 0) {
        if (!missing) return answer.data
        throw stillMissing(externalTrxId, waitMs ?? 0, answer)
      }
      const what = missing
        ? `Waiting for the loan of ${externalTrxId}`
        : `${externalTrxId} is ${answer.data.state}; waiting for ${expected.state}`
      const step = Math.min(pause, left)
      const words = (rest: number) => `${what} · ${formatDuration(left - step + rest)} left`
      if (progress === undefined) {
        progress = await startProgress(io, options.quiet, words(step))
        if (!progress.isShown) output.note(`Waiting up to ${formatDuration(waitMs ?? 0)} for ${externalTrxId} …`)
      }
      await waitShown(clock, progress, step, words, signal)
      pause = Math.min(POLL_LAST_MS, Math.round(pause * 1.5))
    }
  } finally {
    progress?.stop()
  }
}

function stillMissing(externalTrxId: string, waitMs: number, answer: BnplError): BnplError {
  return new BnplError('not-found', `still no loan for ${externalTrxId} after ${formatDuration(waitMs)}`, {
    code: answer.code ?? 'NO_LOAN',
    hint: 'Ask the customer: the payment was not made, or it was rejected.',
    exchange: answer.exchange,
  })
}

/** The differences between a loan and the expectations, one clause each. States are compared literally (gap 3). */
function checkLoan(loan: Loan, externalTrxId: string, expected: Expectations): string[] {
  const differences: string[] = []
  const differ = (what: string, wanted: string | number | undefined, got: string | number) => {
    if (wanted === undefined || wanted === got) return
    const onlyCase = String(wanted).toLowerCase() === String(got).toLowerCase() ? ' (the case differs)' : ''
    differences.push(`${what} of ${externalTrxId} is ${got}, expected ${wanted}${onlyCase}`)
  }
  differ('state', expected.state, loan.state)
  differ('amount', expected.amount, loan.loanAmount)
  differ('number of installments', expected.periods, loan.periods)
  if (loan.externalTrxId !== externalTrxId)
    differences.push(`the answer is about ${loan.externalTrxId}, not about ${externalTrxId}`)
  return differences
}
