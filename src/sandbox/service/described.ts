import {
  answerOf,
  type FieldName,
  isDescribed,
  isKnown,
  PATH_SETTINGS,
  type ServiceDescription,
} from '../../contract/description.ts'
import { type EndpointName, endpointOf, type OwnPaths } from '../../contract/endpoints.ts'
import { FORM_TYPE } from '../../contract/form.ts'
import type { EventType } from '../../contract/integrations.ts'
import { WIDGET_TOKEN_LIFE_MS } from '../../contract/time-limits.ts'
import type { WireFailure, WireRequest, WireResponse } from '../../contract/wire.ts'
import { deliveryText } from '../../domain/body-bytes.ts'
import { sign, signWithTime } from '../../domain/signature.ts'
import { isRecord } from '../../text/json-text.ts'
import { newId } from '../store/store.ts'
import { WINDOW_KEY_HEADER } from './access.ts'
import { CutAnswer } from './faults.ts'
import { json } from './refusal.ts'
import type { Service } from './service.ts'

/** Returns the paths of the described service, for the calls whose path the specification does not show (gap 14). */
export const pathsOf = ({ answers }: ServiceDescription): OwnPaths =>
  Object.fromEntries(PATH_SETTINGS.map((name) => [name, answers[name].text]))

/** Returns a function that says whether a path is that of a call of the described service, or would be in its place. */
export function callAddresses(description: ServiceDescription): (path: string) => boolean {
  const beginnings = Object.values(pathsOf(description)).map((path = '') => path.replace(/\{.*/, ''))
  return (path) => path.startsWith('/partner/') || beginnings.some((beginning) => path.startsWith(beginning))
}

/** Returns whether a request comes from the sandbox's window. The window always gets answers in the sandbox's own form. */
export function isOfWindow({ windowKeys }: Pick<Service, 'windowKeys'>, { headers }: WireRequest): boolean {
  const key = headers[WINDOW_KEY_HEADER]
  return key !== undefined && windowKeys.isInside(key)
}

interface Asked {
  /** Undefined for a request that is no call of the service. */
  name: EndpointName | undefined
  url: string
  /** The sandbox's time, in ms since 1970. */
  now: number
}

/** Returns an answer of the sandbox as the described service would write it. */
export function answerAs(
  description: ServiceDescription,
  asked: Asked,
  answer: WireResponse | WireFailure,
): WireResponse | WireFailure {
  if (answer instanceof CutAnswer) return new CutAnswer(responseAs(description, asked, answer.response), answer.bytes)
  return answer instanceof Error ? answer : responseAs(description, asked, answer)
}

function responseAs(description: ServiceDescription, asked: Asked, answer: WireResponse): WireResponse {
  const body = jsonOf(answer)
  if (!isRecord(body)) return answer
  if (answer.status >= 400) return refusalAs(description, asked, answer, body.error)
  const data = dataAs(description, asked, body.data)
  return data === body.data ? answer : { ...answer, body: Buffer.from(JSON.stringify({ ...body, data })) }
}

function dataAs(description: ServiceDescription, { name, now }: Asked, data: unknown): unknown {
  if (Array.isArray(data)) return data.map((row) => dataAs(description, { name, now, url: '' }, row))
  if (!isRecord(data)) return data
  switch (name) {
    case 'evaluate':
      return renamed(data, 'preApproveId', answerOf(description, 'preApproveIdField'))
    case 'select': {
      const steps = answerOf(description, 'steps')
      return { ...data, step: steps.find((step) => step === data.step) ?? steps[0] }
    }
    case 'startWidget': {
      const { accepted, ...rest } = data
      // Only this field says that a session was not accepted, so it is then shown by every service.
      const isShown = accepted === false || answerOf(description, 'accepted') === 'yes'
      const until = accepted === true && answerOf(description, 'validUntil')
      return { ...(isShown && { accepted }), ...rest, ...(until && { validUntil: now + WIDGET_TOKEN_LIFE_MS }) }
    }
    case 'verifyLoan':
      return loanAs(description, data)
    case 'registerWebhook':
    case 'subscribeWebhook':
    case 'listWebhooks':
      return renamed(data, 'projectId', answerOf(description, 'projectField'))
    default:
      return data
  }
}

const renamed = (record: Record<string, unknown>, from: string, to: string): Record<string, unknown> =>
  from === to
    ? record
    : Object.fromEntries(Object.entries(record).map(([name, value]) => [name === from ? to : name, value]))

/** Returns a loan with the dates and the states of the described service. */
function loanAs(description: ServiceDescription, loan: Record<string, unknown>): Record<string, unknown> {
  const isDay = answerOf(description, 'loanDates') === 'day'
  const dateOf = (day: unknown) => (isDay || typeof day !== 'string' ? day : `${day}T00:00:00Z`)
  const [active] = answerOf(description, 'loanStates')
  const [open] = answerOf(description, 'installmentStates')
  const stateOf = (state: unknown, own: string | undefined) =>
    state === 'ACTIVE' ? own : state === 'PAID' ? answerOf(description, 'paidState') : state
  const { installments } = loan
  return {
    ...loan,
    state: stateOf(loan.state, active),
    transferDate: dateOf(loan.transferDate),
    ...(Array.isArray(installments) && {
      installments: installments.map((each) => ({
        ...each,
        state: stateOf(each.state, open),
        expirationDate: dateOf(each.expirationDate),
      })),
    }),
  }
}

function refusalAs(description: ServiceDescription, asked: Asked, answer: WireResponse, error: unknown): WireResponse {
  if (!isRecord(error)) return answer
  const code = String(error.code)
  const first = code === 'ERR_LOAN_NOT_FOUND' ? answerOf(description, 'notYet').first : undefined
  if (first === 'empty') return json(200, { data: {} })
  const isKeyRefused =
    code === 'ERR_UNAUTHORIZED' && asked.name !== undefined && endpointOf(asked.name).notShown.status !== undefined
  const status = first ?? (isKeyRefused ? answerOf(description, 'wrongKeyStatus') : answer.status)
  const headers = withRetryAfter(description, answer.headers, asked.now)
  const { code: _code, message: _message, ...details } = error
  const message = String(error.message)
  switch (answerOf(description, 'errorForm')) {
    case 'error':
      return { ...answer, status, headers }
    case 'flat':
      return { ...json(status, { code, message, ...details }), headers }
    case 'data':
      return {
        ...json(status, { data: { status, code, message, ...details, url: asked.url, ip: '127.0.0.1' } }),
        headers,
      }
    case 'text':
      return {
        status,
        headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
        body: Buffer.from(`${code}: ${message}\n`),
      }
  }
}

/**
 * Returns the headers with which the described service says how many calls an account may still make; none if it says nothing.
 * @param resetMs the time until the account may make all calls again
 */
export function limitHeaders(
  description: ServiceDescription,
  { limit, left, resetMs }: { limit: number; left: number; resetMs: number },
): Record<string, string> {
  const prefix = answerOf(description, 'rateHeaders')
  if (prefix === 'absent') return {}
  return {
    [`${prefix}-limit`]: String(limit),
    [`${prefix}-remaining`]: String(left),
    [`${prefix}-reset`]: String(Math.ceil(resetMs / 1000)),
  }
}

const BODY_OF: Readonly<Partial<Record<EndpointName, FieldName>>> = {
  registerWebhook: 'bodies.registration',
  subscribeWebhook: 'bodies.subscription',
}

/** Whether a service that is known to take JSON for a call refuses a body, because it is a form. */
export function refusesForm(
  { answers }: ServiceDescription,
  name: EndpointName,
  contentType: string | undefined,
): boolean {
  const field = BODY_OF[name]
  const endpoint = endpointOf(name)
  const isJson =
    field === undefined
      ? 'writesJson' in endpoint && endpoint.writesJson === true && isKnown(answers.entities)
      : answers[field].text === 'json' && isKnown(answers[field])
  return isJson && contentType?.split(';')[0]?.trim().toLowerCase() === FORM_TYPE
}

function withRetryAfter(
  description: ServiceDescription,
  headers: WireResponse['headers'],
  now: number,
): WireResponse['headers'] {
  const { 'retry-after': seconds, ...others } = headers
  if (seconds === undefined) return headers
  const form = answerOf(description, 'retryAfter')
  if (form === 'absent') return others
  return form === 'seconds'
    ? headers
    : { ...others, 'retry-after': new Date(now + 1000 * Number(seconds)).toUTCString() }
}

function jsonOf({ headers, body }: WireResponse): unknown {
  if (!headers['content-type']?.includes('json')) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

/** Returns an id for an event of the described service. @param now ms since 1970 */
export const newEventId = (description: ServiceDescription, now: number): string =>
  `${answerOf(description, 'eventIdPrefix')}${newId(now)}`

/** Returns the body of a delivery as the described service would write it. For its unusual spaces and escapes, see `deliveryText`. */
export function deliveryAs(description: ServiceDescription, type: EventType, body: Uint8Array): Uint8Array {
  if (type !== 'loan_approved' || !isDescribed(description)) return body
  const own: unknown = JSON.parse(new TextDecoder().decode(body))
  if (!isRecord(own) || !isRecord(own.data)) return body
  const { preApproveId, ...loan } = loanAs(description, own.data)
  const data = answerOf(description, 'eventPreApproveId') ? { preApproveId, ...loan } : loan
  return Buffer.from(deliveryText(JSON.stringify({ ...own, data })))
}

/**
 * Returns the header with which a receiver verifies a delivery.
 * @param now the sandbox's time, in ms since 1970
 */
export function proofAs(
  description: ServiceDescription,
  scheme: 'hmac' | 'token',
  body: Uint8Array,
  secret: string,
  now: number,
): [header: string, value: string] {
  if (scheme === 'token') return [answerOf(description, 'tokenHeader'), secret]
  const settings = {
    algorithm: answerOf(description, 'hmacAlgorithm'),
    encoding: answerOf(description, 'hmacEncoding'),
  }
  const isTimed = answerOf(description, 'signatureForm') === 'timestamp'
  const signature = isTimed
    ? signWithTime(body, secret, settings, Math.floor(now / 1000))
    : sign(body, secret, settings)
  return [answerOf(description, 'signatureHeader'), signature]
}
