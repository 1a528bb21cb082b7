import type { Context } from '../context.ts'
import { answerOf, answerProblem, isKnown, SPECIFICATION, sourceInWords } from '../contract/description.ts'
import { EMPTY_DATA } from '../contract/statuses.ts'
import { BnplError, config } from '../errors.ts'
import { nextCommand } from './global-options.ts'

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
export function asNoLoan(error: BnplError): BnplError {
  if (error.kind === 'not-found') return error
  const { status } = error.exchange ?? {}
  return new BnplError('not-found', `could not verify a transaction: no loan for this transaction (${status})`, {
    ...(error.code === undefined ? {} : { code: error.code }),
    ...(error.exchange === undefined ? {} : { exchange: error.exchange }),
    cause: error,
  })
}
