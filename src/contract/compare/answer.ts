import { DATE } from '../../domain/dates.ts'
import { isRecord } from '../../text/json-text.ts'
import type { Endpoint } from '../calls/call.ts'
import { answerOf, type ServiceDescription } from '../description.ts'
import { EVENTS, eventWith } from '../events.ts'
import { findProblem } from '../problem.ts'
import { compareData, isEmpty, valueAt, withImplied } from './data.ts'
import {
  type Difference,
  headerIn,
  type PlainBody,
  type PlainRequest,
  type PlainResponse,
  timesIn,
  whyUnread,
} from './exchange.ts'
import type { Findings } from './request.ts'
import { bodyKind, collector, FORMATS, kindSeen, shownName, shownPath, wantedBy } from './words.ts'

/** `tell` receives each field or error code that the specification does not show. */
interface AnswerFindings extends Findings {
  tell(place: string): void
}

/** Compares an answer with the contract of its call. Passes fields that the specification does not show to `tell`, not to `add`. */
export function compareAnswer(
  endpoint: Endpoint,
  answer: PlainResponse,
  findings: AnswerFindings,
  description: ServiceDescription,
): void {
  const { success } = endpoint
  const { status } = answer
  if (!isOfTheContract(endpoint, status)) findings.add('answer status', wantedStatuses(endpoint), String(status))
  const isSuccess = status === success.status || (status >= 200 && status < 300)
  if (!isSuccess) compareCode(endpoint, answer, findings)
  else if (success.status !== REDIRECT) compareSuccess(endpoint, answer, findings, description)
  else if (status === REDIRECT) {
    const wrong = FORMATS.link.wrong(headerIn(answer.headers, 'location'), {})
    if (wrong !== undefined) findings.add('answer header location', FORMATS.link.expected, wrong)
  }
}

const REDIRECT = 302

const UNAVAILABLE = 503

/**
 * Whether the contract allows a status. A status that the call does not list is allowed in two cases: a 2xx if the specification does not
 * show the status of success (gap 46), and a 4xx or 503 if it does not show all refusals (gaps 15, 16, 29).
 */
function isOfTheContract({ success, statuses, notShown, allStatusesShown }: Endpoint, status: number): boolean {
  if (status === success.status || Object.hasOwn(statuses, status)) return true
  if (status >= 200 && status < 300) return notShown.status !== undefined
  return !allStatusesShown && ((status >= 400 && status < 500) || status === UNAVAILABLE)
}

function wantedStatuses({ success, statuses, notShown, allStatusesShown }: Endpoint): string {
  const first = notShown.status === undefined ? String(success.status) : '2xx'
  return allStatusesShown
    ? [first, ...Object.keys(statuses)].join(', ')
    : `${first}, a refusal (4xx), or ${UNAVAILABLE}`
}

function compareCode({ statuses }: Endpoint, { status, body }: PlainResponse, { add, tell }: AnswerFindings) {
  if (whyUnread(body) !== undefined) return
  const own = statuses[status]
  const { code } = findProblem(textOf(body))
  const isKnown = code !== undefined && Object.values(statuses).some(({ codes }) => codes && Object.hasOwn(codes, code))
  if (own?.codes !== undefined && own.onlyWithCode !== true && !isKnown)
    add('answer code', Object.keys(own.codes).join(' or '), code === undefined ? 'no code' : shownName(code))
  else if (code !== undefined && !isKnown) tell(`answer code ${shownName(code)} (${status})`)
}

function textOf(body: PlainBody | undefined): string {
  if (body === undefined) return ''
  if ('json' in body) return JSON.stringify(body.json) ?? ''
  return 'text' in body ? body.text : ''
}

const ENVELOPE = 'an object whose only key is data'

function compareSuccess(
  endpoint: Endpoint,
  { body }: PlainResponse,
  findings: AnswerFindings,
  description: ServiceDescription,
) {
  if (!endpoint.bodyShown) return
  if (body === undefined) {
    if (endpoint.emptyData === undefined) findings.add('answer body', ENVELOPE, 'nothing')
    return
  }
  if (whyUnread(body) !== undefined) return
  if (!('json' in body)) return findings.add('answer body', ENVELOPE, bodyKind(body))
  const { json } = body
  if (!isRecord(json)) return findings.add('answer body', ENVELOPE, kindSeen(json))
  for (const name of Object.keys(json).filter((each) => each !== 'data'))
    findings.add(`answer ${shownName(name)}`, ENVELOPE, 'one more key')
  if (!Object.hasOwn(json, 'data')) return findings.add('answer data', ENVELOPE, 'nothing')
  compareAnswerData(endpoint, json.data, findings, description)
  if (answerOf(description, 'loanDates') === 'day') compareDays(json.data, [], findings)
}

function compareAnswerData(
  endpoint: Endpoint,
  whole: unknown,
  { add, tell, isHidden }: AnswerFindings,
  description: ServiceDescription,
) {
  const isOptional = answerOf(description, 'accepted') !== 'yes'
  const sent = isOptional ? withImplied(endpoint, whole).data : whole
  if (endpoint.emptyData !== undefined && isEmpty(sent)) return
  const data = endpoint.dataShapeShown ? sent : compareData(endpoint, sent, 'lenient').data
  const { differences } = compareData(endpoint, data, 'strict')
  const issues = differences.flatMap(({ issue }) => issue ?? [])
  for (const issue of issues) {
    const value = valueAt(data, issue.path)
    if (typeof value === 'string' && isHidden(value)) continue
    add(placeIn(issue.path), wantedBy(issue), kindSeen(value))
  }
  for (const [name, format] of Object.entries(endpoint.formats.answer ?? {})) {
    if (!isRecord(data) || issues.some(({ path }) => path[0] === name)) continue
    const value = data[name]
    if (typeof value === 'string' && isHidden(value)) continue
    const wrong = FORMATS[format].wrong(value, data)
    if (wrong !== undefined) add(placeIn([name]), FORMATS[format].expected, wrong)
  }
  if (endpoint.notShown.answer !== undefined) return
  for (const { kind, path } of differences) if (kind === 'new') tell(placeIn(path))
}

const DATES = ['transferDate', 'expirationDate']

/** Reports the dates that are written as times, if the service writes days. */
function compareDays(value: unknown, at: readonly PropertyKey[], findings: AnswerFindings): void {
  if (Array.isArray(value)) {
    for (const [i, each] of value.entries()) compareDays(each, [...at, i], findings)
  }
  if (!isRecord(value)) return
  for (const [name, inner] of Object.entries(value)) {
    const isTime = DATES.includes(name) && typeof inner === 'string' && DATE.test(inner) && inner.length > 10
    if (isTime) findings.add(placeIn([...at, name]), 'a date such as 2026-03-01', kindSeen(inner))
    else compareDays(inner, [...at, name], findings)
  }
}

const placeIn = (path: readonly PropertyKey[]) => {
  const inside = shownPath(path)
  return `answer data${inside === '' || inside.startsWith('[') ? '' : '.'}${inside}`
}

/**
 * Returns how a delivery of the service differs from the contract in its method, header, envelope, or number of fields in `data`. Of the
 * field names, only `idPreAprobacion` and `urlInforme` are compared, because the specification shows no others (gap 11).
 */
export function compareDelivery(
  { method, headers, body }: PlainRequest,
  description: ServiceDescription,
): Difference[] {
  const { problems, add } = collector()
  if (method !== 'POST') add('delivery method', 'POST', ['GET', 'PUT'].includes(method) ? method : 'another method')
  const [signatureHeader, tokenHeader] = [
    answerOf(description, 'signatureHeader'),
    answerOf(description, 'tokenHeader'),
  ]
  const isSigned = timesIn(headers, signatureHeader) > 0
  const hasToken = timesIn(headers, tokenHeader) > 0
  if (isSigned === hasToken)
    add('delivery headers', `${signatureHeader} or ${tokenHeader}`, isSigned ? 'both of them' : 'none of them')
  if (whyUnread(body) !== undefined) return problems
  const json = body !== undefined && 'json' in body ? body.json : undefined
  if (!isRecord(json)) {
    add('delivery body', EVENT_ENVELOPE, json === undefined ? bodyKind(body) : kindSeen(json))
    return problems
  }
  for (const name of Object.keys(json).filter((each) => each !== 'eventId' && each !== 'data'))
    add(`delivery ${shownName(name)}`, EVENT_ENVELOPE, 'one more key')
  const { eventId, data } = json
  if (eventId === undefined || eventId === null || eventId === '') add('delivery eventId', 'an id', kindSeen(eventId))
  if (!isRecord(data)) add('delivery data', 'an object', kindSeen(data))
  else if (hasToken && !isSigned) compareEvent(data, add)
  return problems
}

const EVENT_ENVELOPE = 'an object whose only keys are eventId and data'

function compareEvent(data: Record<string, unknown>, add: ReturnType<typeof collector>['add']): void {
  const event = eventWith('token', (name) => Object.hasOwn(data, name))
  const { fields, own = [] } = EVENTS[event]
  for (const name of own) if (!Object.hasOwn(data, name)) add(`delivery data.${name}`, 'text', 'nothing')
  const count = Object.keys(data).length
  if (count !== fields) add('delivery data', `${fields} fields of a ${event}`, `${count} fields`)
}
