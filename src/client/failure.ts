import type { Call, StatusMeaning } from '../contract/calls/call.ts'
import { guidance, UNKNOWN_OUTCOME } from '../contract/failures/advice.ts'
import { describeWireFailure, wireFailureCode } from '../contract/failures/connections.ts'
import { findProblem } from '../contract/problem.ts'
import { EMPTY_DATA, statusMeaning } from '../contract/statuses.ts'
import type { WireFailure, WireResponse } from '../contract/wire.ts'
import { maskTarget } from '../domain/addresses.ts'
import { BnplError, type ErrorDetails, type ErrorKind, type Exchange, Interrupted } from '../errors.ts'
import { maskWords } from '../text/masking.ts'
import { shortened } from '../text/visible.ts'

type Guidance = Pick<ErrorDetails, 'hint' | 'advice'>

export type Step = Pick<Call, 'summary' | 'statuses' | 'repeat' | 'reconcile'>

/** Returns the error for an answer that is not a success. Its message names the call, the status, and what the status means. */
export function answerFailure(
  endpoint: Step,
  response: WireResponse,
  exchange: Exchange,
  retryAfterMs: number | undefined,
): BnplError {
  const body = new TextDecoder().decode(response.body.subarray(0, 100_000))
  const problem = findProblem(body)
  const status: StatusMeaning = statusMeaning(endpoint, response.status, problem.code)
  if (WEB_PAGE.test(body) && SAYS_NOTHING.includes(status.outcome))
    return elsewhere(endpoint, exchange, response.status)
  const unclear = response.status >= 500 && endpoint.repeat !== 'safe'
  const meaning = (problem.code && status.codes?.[problem.code]) ?? status.meaning
  const said = tells(problem.message, meaning) ? `: “${shortened(maskWords(String(problem.message)), 200)}”` : ''
  const named = problem.code === undefined ? '' : ` ${problem.code}`
  return new BnplError(
    unclear ? 'outcome-unknown' : status.outcome,
    unclear
      ? `could not ${endpoint.summary}: ${response.status}${named}, but the service may have carried out the call${said}`
      : `could not ${endpoint.summary}: ${meaning} (${response.status}${named})${said}`,
    {
      code: problem.code ?? `HTTP_${response.status}`,
      ...(unclear ? findOut(endpoint) : status.outcome === 'rate-limited' ? waiting(retryAfterMs) : nextStep(status)),
      exchange: { ...exchange, outcome: unclear ? 'unknown' : 'rejected' },
      retryAfterMs,
    },
  )
}

/** An XML declaration, or a comment of up to a few lines, may precede the page. */
const WEB_PAGE = /^\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^>]{0,1000}-->\s*)?<(?:!doctype html|html)\b/i

/** What a refusal would mean if it were from the service. A server at a wrong address answers with the same statuses. */
const SAYS_NOTHING: readonly ErrorKind[] = ['not-found', 'refused']

/** Returns the error for a refusal that is a web page. The service answers with JSON, so this is probably another server. */
function elsewhere(endpoint: Step, exchange: Exchange, status: number): BnplError {
  return new BnplError(
    'service',
    `could not ${endpoint.summary}: the answer (${status}) is a web page, so this is probably not the address of the service`,
    { code: 'UNEXPECTED_ANSWER', ...guidance({ id: 'check-base-address' }), exchange },
  )
}

function tells(message: string | undefined, meaning: string): boolean {
  return message !== undefined && message.toLowerCase().replace(/\.$/, '') !== meaning.toLowerCase()
}

export interface Asked {
  endpoint: Step & Pick<Call, 'method' | 'path'>
  path: string
  exchange: () => Exchange
}

/** Returns the error for an answer whose body differs from the specification. If the call must not be repeated, its outcome is unknown. */
export function shapeFailure(asked: Asked, reason: string): BnplError {
  const { endpoint, exchange } = asked
  const unclear = endpoint.repeat === 'never'
  return new BnplError(
    unclear ? 'outcome-unknown' : 'service',
    `could not read the answer to “${endpoint.summary}”: ${reason}`,
    {
      code: 'UNEXPECTED_ANSWER',
      ...(unclear ? findOut(endpoint) : lookAgain(asked)),
      exchange: { ...exchange(), outcome: unclear ? 'unknown' : 'rejected' },
    },
  )
}

/** Returns the error for an answer with a status of success and empty `data`. `meant` is the contract's meaning of an empty `data`. */
export function emptyFailure({ endpoint, exchange: made }: Asked, meant: StatusMeaning): BnplError {
  const exchange = made()
  return new BnplError(
    meant.outcome,
    `could not ${endpoint.summary}: ${meant.meaning} (${exchange.status ?? 200}, with nothing in \`data\`)`,
    { code: EMPTY_DATA, ...nextStep(meant), exchange },
  )
}

/**
 * Returns what to do about an answer that cannot be used. If the path contains personal data, the advice has the contract's path with
 * placeholders.
 */
function lookAgain({ endpoint: { repeat, method, path: template }, path }: Asked): Guidance {
  if (repeat !== 'safe') return guidance({ id: 'check-base-address' })
  return guidance({ id: 'see-raw-answer', method, path: maskTarget(path) === path ? path : template })
}

/** Returns the error for a call without a complete answer. If the request was sent and is not safe to repeat, its outcome is unknown. */
export function noAnswerFailure(endpoint: Step, failure: WireFailure, exchange: Exchange): BnplError {
  const unclear = failure.sent && endpoint.repeat !== 'safe'
  const { kind, what, ...guidance } = describeWireFailure(failure)
  const where = new URL(exchange.url).host
  return new BnplError(
    unclear ? 'outcome-unknown' : kind,
    unclear
      ? `no answer from ${where} to “${endpoint.summary}”: ${what}; the call may have been carried out`
      : `could not ${endpoint.summary}: ${where}: ${what}`,
    {
      code: wireFailureCode(failure.kind),
      ...(unclear ? findOut(endpoint) : guidance),
      exchange: {
        ...exchange,
        sent: failure.sent,
        outcome: unclear ? 'unknown' : failure.sent ? 'rejected' : 'not_sent',
      },
      cause: failure,
    },
  )
}

/**
 * Returns the error for a call that was interrupted before its answer. If the call may have been carried out, the error says so.
 * @param reason the abort reason of the signal that interrupted the call; undefined if bnpl closed its HTTP client
 */
export function interruption(endpoint: Step, failure: WireFailure, exchange: Exchange, reason: unknown): unknown {
  if (reason !== undefined && (!failure.sent || endpoint.repeat === 'safe')) return reason
  if (!(reason instanceof Interrupted)) return noAnswerFailure(endpoint, failure, exchange)
  return new Interrupted(
    reason.exitCode,
    `interrupted while waiting for the answer to “${endpoint.summary}”; the call may have been carried out`,
    findOut(endpoint),
  )
}

const findOut = ({ reconcile }: Step): Guidance =>
  reconcile === undefined ? UNKNOWN_OUTCOME : guidance(reconcile.advice)

const waiting = (ms: number | undefined): Guidance => guidance(ms === undefined ? { id: 'wait' } : { id: 'wait', ms })

const nextStep = ({ hint, advice }: StatusMeaning): Guidance => ({ hint, advice })
