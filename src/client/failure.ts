import type { Call, StatusMeaning } from '../contract/calls/call.ts'
import { findProblem } from '../contract/problem.ts'
import { statusMeaning } from '../contract/statuses.ts'
import type { WireFault, WireResponse } from '../contract/wire.ts'
import { formatDuration } from '../domain/duration.ts'
import { maskWords } from '../domain/masking.ts'
import { BnplError, type Exchange, Interrupted } from '../errors.ts'
import { describeFault } from './fault-words.ts'

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
      ...hintOf(
        unclear ? unclearHint(endpoint) : status.outcome === 'rate-limited' ? waitHint(retryAfterMs) : status.hint,
      ),
      exchange: { ...exchange, outcome: unclear ? 'unknown' : 'rejected' },
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
  )
}

/** Whether the service's own words say more than we do. */
function tells(message: string | undefined, meaning: string): boolean {
  return message !== undefined && message.toLowerCase().replace(/\.$/, '') !== meaning.toLowerCase()
}

/** The error for an answer whose body is not what the specification shows. On a call that may not be repeated its outcome is unknown. */
export function shapeFailure(endpoint: Step, exchange: Exchange, reason: string): BnplError {
  const unclear = endpoint.repeat === 'never'
  return new BnplError(
    unclear ? 'outcome-unknown' : 'service',
    `could not read the answer to “${endpoint.summary}”: ${reason}`,
    {
      code: 'UNEXPECTED_ANSWER',
      hint: unclear
        ? unclearHint(endpoint)
        : 'Is the base address right? `bnpl api METHOD PATH --include` shows the answer as it came.',
      exchange: { ...exchange, outcome: unclear ? 'unknown' : 'rejected' },
    },
  )
}

/**
 * The error for a call without a whole answer: safe to repeat, or (when it left this machine and may not be repeated) of unknown
 * outcome.
 */
export function faultFailure(endpoint: Step, fault: WireFault, exchange: Exchange): BnplError {
  const unclear = fault.sent && endpoint.repeat !== 'safe'
  const { kind, what, hint } = describeFault(fault)
  const where = new URL(exchange.url).host
  return new BnplError(
    unclear ? 'outcome-unknown' : kind,
    unclear
      ? `“${endpoint.summary}” was sent to ${where} and no answer came: ${what}; it may have been done`
      : `could not ${endpoint.summary}: ${where}: ${what}`,
    {
      code: fault.kind.toUpperCase().replace('-', '_'),
      hint: unclear ? unclearHint(endpoint) : hint,
      exchange: { ...exchange, sent: fault.sent, outcome: unclear ? 'unknown' : fault.sent ? 'rejected' : 'not_sent' },
      cause: fault,
    },
  )
}

/** Ctrl-C, or a signal of the caller's, ends a call at once; what may already have been done is said. */
export function interruption(endpoint: Step, fault: WireFault, exchange: Exchange, reason: unknown): unknown {
  if (!fault.sent || endpoint.repeat === 'safe') return reason
  if (!(reason instanceof Interrupted)) return faultFailure(endpoint, fault, exchange)
  return new Interrupted(
    reason.exitCode,
    `interrupted while waiting for the answer to “${endpoint.summary}”: it may have been done`,
  )
}

function unclearHint(endpoint: Step): string {
  const how = endpoint.reconcile === undefined ? '' : ` To find out: ${endpoint.reconcile}`
  return `Do not simply run it again.${how}`
}

function waitHint(retryAfterMs: number | undefined): string {
  return retryAfterMs === undefined
    ? 'Wait a minute and run it again.'
    : `The service asks to wait ${formatDuration(retryAfterMs)}; nothing was done.`
}

const hintOf = (hint: string | undefined) => (hint === undefined ? {} : { hint })
const clip = (text: string) => (text.length > 200 ? `${text.slice(0, 199)}…` : text)
