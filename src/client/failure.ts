import type { Call, StatusMeaning } from '../contract/calls/call.ts'
import { findProblem } from '../contract/problem.ts'
import { statusMeaning } from '../contract/statuses.ts'
import type { WireFault, WireResponse } from '../contract/wire.ts'
import { formatDuration } from '../domain/duration.ts'
import { BnplError, type ErrorDetails, type Exchange, Interrupted } from '../errors.ts'
import { maskWords } from '../text/masking.ts'
import { describeFault } from './fault-words.ts'

/** What to do next, in neutral words and as data. */
type Guidance = Pick<ErrorDetails, 'hint' | 'advice'>

/** What an error needs to know of the call it is about. */
export type Step = Pick<Call, 'summary' | 'statuses' | 'repeat' | 'reconcile'>

/** The error for an answer that is not the success the endpoint documents. One line: what was asked, what came, what it means here. */
export function answerFailure(
  endpoint: Step,
  response: WireResponse,
  exchange: Exchange,
  retryAfterMs: number | undefined,
): BnplError {
  const problem = findProblem(new TextDecoder().decode(response.body.subarray(0, 100_000)))
  const status: StatusMeaning = statusMeaning(endpoint, response.status, problem.code)
  const unclear = response.status >= 500 && endpoint.repeat !== 'safe'
  const meaning = (problem.code && status.codes?.[problem.code]) ?? status.meaning
  const said = tells(problem.message, meaning) ? `: “${clip(maskWords(String(problem.message)))}”` : ''
  const named = problem.code === undefined ? '' : ` ${problem.code}`
  return new BnplError(
    unclear ? 'outcome-unknown' : status.outcome,
    unclear
      ? `could not ${endpoint.summary}: ${response.status}${named}, and the service may have done it all the same${said}`
      : `could not ${endpoint.summary}: ${meaning} (${response.status}${named})${said}`,
    {
      code: problem.code ?? `HTTP_${response.status}`,
      ...(unclear ? findOut(endpoint) : status.outcome === 'rate-limited' ? waiting(retryAfterMs) : nextStep(status)),
      exchange: { ...exchange, outcome: unclear ? 'unknown' : 'rejected' },
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
  )
}

/** Whether the service's own words say more than we do. */
function tells(message: string | undefined, meaning: string): boolean {
  return message !== undefined && message.toLowerCase().replace(/\.$/, '') !== meaning.toLowerCase()
}

/** A call as it was made. */
export interface Asked {
  endpoint: Step & Pick<Call, 'method' | 'path'>
  /** The path that was asked, under the base address. */
  path: string
  exchange: Exchange
}

/** The error for an answer whose body is not what the specification shows. On a call that may not be repeated its outcome is unknown. */
export function shapeFailure(asked: Asked, reason: string): BnplError {
  const { endpoint, exchange } = asked
  const unclear = endpoint.repeat === 'never'
  return new BnplError(
    unclear ? 'outcome-unknown' : 'service',
    `could not read the answer to “${endpoint.summary}”: ${reason}`,
    {
      code: 'UNEXPECTED_ANSWER',
      ...(unclear ? findOut(endpoint) : lookAgain(asked)),
      exchange: { ...exchange, outcome: unclear ? 'unknown' : 'rejected' },
    },
  )
}

/** To make a call again only to see its answer, it must be safe; the path of one that names a person is that of the contract. */
function lookAgain({ endpoint: { repeat, method, path: template }, path }: Asked): Guidance {
  if (repeat !== 'safe') return { hint: 'Check the base address.', advice: { id: 'check-base-address' } }
  return {
    hint: 'Check the base address, and look at the answer as it is.',
    advice: { id: 'see-raw-answer', method, path: maskWords(path) === path ? path : template },
  }
}

/**
 * The error for a call without a whole answer: safe to repeat, or (when it left this machine and may not be repeated) of unknown
 * outcome.
 */
export function faultFailure(endpoint: Step, fault: WireFault, exchange: Exchange): BnplError {
  const unclear = fault.sent && endpoint.repeat !== 'safe'
  const { kind, what, ...guidance } = describeFault(fault)
  const where = new URL(exchange.url).host
  return new BnplError(
    unclear ? 'outcome-unknown' : kind,
    unclear
      ? `“${endpoint.summary}” was sent to ${where} and no answer came: ${what}; it may have been done`
      : `could not ${endpoint.summary}: ${where}: ${what}`,
    {
      code: fault.kind.toUpperCase().replace('-', '_'),
      ...(unclear ? findOut(endpoint) : guidance),
      exchange: { ...exchange, sent: fault.sent, outcome: unclear ? 'unknown' : fault.sent ? 'rejected' : 'not_sent' },
      cause: fault,
    },
  )
}

/**
 * The error for a call that was ended before its answer: by Ctrl-C or a signal of the caller's, whose reason it is, or by closing the
 * network, without a reason. What may already have been done is said.
 */
export function interruption(endpoint: Step, fault: WireFault, exchange: Exchange, reason: unknown): unknown {
  if (reason !== undefined && (!fault.sent || endpoint.repeat === 'safe')) return reason
  if (!(reason instanceof Interrupted)) return faultFailure(endpoint, fault, exchange)
  return new Interrupted(
    reason.exitCode,
    `interrupted while waiting for the answer to “${endpoint.summary}”: it may have been done`,
  )
}

/** What to do about a call that may have been done. */
function findOut({ reconcile }: Step): Guidance {
  const again = 'Do not simply run it again.'
  return reconcile === undefined
    ? { hint: again }
    : { hint: `${again} To find out: ${reconcile.how}`, advice: reconcile.advice }
}

function waiting(ms: number | undefined): Guidance {
  if (ms === undefined) return { hint: 'Wait a minute and run it again.', advice: { id: 'wait' } }
  return { hint: `The service asks to wait ${formatDuration(ms)}; nothing was done.`, advice: { id: 'wait', ms } }
}

/** What to do about a status, as the contract has it. */
const nextStep = ({ hint, advice }: StatusMeaning): Guidance => ({
  ...(hint === undefined ? {} : { hint }),
  ...(advice === undefined ? {} : { advice }),
})
const clip = (text: string) => (text.length > 200 ? `${text.slice(0, 199)}…` : text)
