import { headerIn } from '../../contract/differences/exchange.ts'
import { type EndpointName, endpointOf } from '../../contract/endpoints.ts'
import { INTEGRATIONS } from '../../contract/integrations.ts'
import { isRecord } from '../../contract/reading.ts'
import { looksLikeEmail } from '../../domain/identifiers.ts'
import { parseRut } from '../../domain/rut.ts'
import { likeness } from './forms.ts'
import { readRefusal } from './refusal-body.ts'
import type { SeenCall } from './sightings.ts'

interface Cause {
  key: string
  shows?(call: SeenCall, all: readonly SeenCall[]): boolean
}

const BAD_RUT: Cause = { key: '422 ERR_INVALID_ID_NUMBER', shows: (call) => !parseRut(rutOf(call)).ok }
const PAID: Cause = { key: '409 ERR_TRANSACTION_ALREADY_PAID', shows: isPaidBefore }
const BOUNDS: Cause = { key: '422 ERR_AMOUNT_OUT_OF_BOUNDS', shows: ({ asked }) => !isUsualAmount(asked.amount) }
const MISMATCH: Cause = { key: '422 ERR_AMOUNT_MISMATCH', shows: isOtherAmount }
const ENTITY: Cause = { key: '422 ERR_ENTITY_NOT_FOUND', shows: isOtherEntity }
const NO_APPROVAL: Cause = { key: '404 ERR_PRE_APPROVAL_NOT_FOUND' }
const PLAIN_URL: Cause = {
  key: '422 ERR_WEBHOOK_URL_NOT_HTTPS',
  shows: ({ asked }) => /^http:/.test(String(asked.url)),
}
const LIMIT: Cause = { key: '422 ERR_WEBHOOK_LIMIT_REACHED' }
const PRIVATE: Cause = { key: '422 ERR_WEBHOOK_URL_PRIVATE' }
const NO_EVALUATION: Cause = { key: '404 ERR_EVALUATION_NOT_FOUND' }
const INVALID: Cause = { key: '400 ERR_INVALID_REQUEST' }

/**
 * The refusals of each call, besides those of `generalCause`, in the order of the sandbox's checks. A call that is not in this table has
 * the refusals of its contract. If no refusal fits a recorded answer, the last one of the list is assumed, but only if it has no
 * condition (`shows`).
 */
const CAUSES: Readonly<Partial<Record<EndpointName, readonly Cause[]>>> = {
  evaluate: [BAD_RUT, BOUNDS, ENTITY, PAID, { key: '422 ERR_CUSTOMER_NOT_APPROVED' }],
  select: [
    PAID,
    MISMATCH,
    { key: '422 ERR_TRANSACTION_MISMATCH' },
    { key: '422 ERR_INSTALLMENT_OPTION_NOT_OFFERED', shows: isNotOffered },
    NO_APPROVAL,
  ],
  startWidget: [
    BOUNDS,
    ENTITY,
    { key: '422 ERR_INVALID_EMAIL', shows: ({ asked }) => !looksLikeEmail(String(asked.email)) },
    MISMATCH,
  ],
  verifyLoan: [{ key: '404 ERR_LOAN_NOT_FOUND' }],
  registerWebhook: [PLAIN_URL, PRIVATE, LIMIT],
  subscribeWebhook: [
    PLAIN_URL,
    PRIVATE,
    LIMIT,
    { key: '422 ERR_INVALID_EVENT_TYPES', shows: hasUnknownEvent },
    { key: '422 ERR_INVALID_FILTERS', shows: hasUnknownFilter },
    { key: '403 ERR_PARTNER_MODULE_REQUIRED' },
    { key: '422 ERR_PARTNER_PRODUCT_CANNOT_RECEIVE_WEBHOOKS' },
  ],
  deleteWebhook: [{ key: '404 ERR_WEBHOOK_NOT_FOUND' }],
  getInforme: [NO_APPROVAL],
  openInforme: [
    {
      key: '400 ERR_API_TOKEN_NOT_ACCEPTED',
      shows: ({ requestHeaders }) => headerIn(requestHeaders, 'authorization') !== undefined,
    },
    NO_APPROVAL,
  ],
  evaluationByRut: [BAD_RUT, NO_EVALUATION],
  evaluationByLead: [NO_EVALUATION],
  getLead: [{ key: '404 ERR_LEAD_NOT_FOUND' }],
}

/** Finds out why a call was refused. Returns the status and code with which the sandbox refuses for this reason; undefined if unknown. */
export function causeOf(name: EndpointName, call: SeenCall, all: readonly SeenCall[]): string | undefined {
  const { code = '' } = readRefusal(call)
  const general = generalCause(name, call, code)
  if (general !== undefined) return general
  const causes = CAUSES[name] ?? documentedCauses(name)
  const codeIn = ({ key }: Cause) => key.split(' ')[1] ?? ''
  const exact = [...causes, INVALID].find((cause) => codeIn(cause) === code)
  if (exact !== undefined) return exact.key
  if (isMalformed(name, call)) return INVALID.key
  const shown = causes.find((cause) => cause.shows?.(call, all))
  if (shown !== undefined) return shown.key
  const alike = causes
    .map((cause) => ({ cause, like: likeness(codeIn(cause).replace(/^ERR_/, ''), code.replace(/^ERR_/, '')) }))
    .sort((a, b) => b.like - a.like)[0]
  if (alike !== undefined && alike.like >= 0.6) return alike.cause.key
  const last = causes.at(-1)
  return last?.shows === undefined ? last?.key : undefined
}

const documentedCauses = (name: EndpointName): readonly Cause[] =>
  Object.entries(endpointOf(name).statuses).flatMap(([status, { codes = {} }]) =>
    Object.keys(codes).map((code) => ({ key: `${status} ${code}` })),
  )

function generalCause(name: EndpointName, { status, requestHeaders }: SeenCall, code: string): string | undefined {
  const takesKey = name !== 'openInforme'
  const unauthorized = name === 'getInforme' ? 400 : 401
  const hasKey = headerIn(requestHeaders, 'authorization') !== undefined
  if (status === 429) return '429 ERR_RATE_LIMIT_EXCEEDED'
  if (takesKey && (!hasKey || status === unauthorized || /UNAUTHORI[SZ]|API_?KEY|CREDENTIAL/i.test(code)))
    return `${unauthorized} ERR_UNAUTHORIZED`
  if (name === 'getInforme' && status === 401) return '401 ERR_PRE_APPROVAL_OF_ANOTHER_PARTNER'
  if (/INACTIVE/i.test(code) || (status === 403 && name === 'getInforme')) return '403 ERR_PARTNER_INACTIVE'
  if (status === 415) return '415 ERR_UNSUPPORTED_MEDIA_TYPE'
  if (status < 500) return undefined
  if (name === 'getInforme' && /RENDER/i.test(code)) return '503 ERR_UNABLE_TO_RENDER_INFORME'
  if (name === 'getInforme' && /PRESIGN|S3|STORAGE/i.test(code)) return '503 ERR_STORAGE_S3_PRESIGNED_GET'
  return '503 ERR_SERVICE_UNAVAILABLE'
}

const REQUIRED: Partial<Record<EndpointName, readonly string[]>> = {
  evaluate: ['idNumber', 'amount', 'entityId', 'externalTrxId'],
  select: ['preApproveId', 'installmentOption', 'externalTrxId', 'amount'],
  startWidget: ['amount', 'externalTrxId', 'entityId', 'email'],
  registerWebhook: ['url'],
  subscribeWebhook: ['url', 'eventTypes'],
}

/** Returns whether a body is neither a form nor JSON, a required field is missing, or the amount is not a whole number. */
export function isMalformed(name: EndpointName, { asked, encoding }: SeenCall): boolean {
  if (encoding === 'other') return true
  const { amount } = asked
  const isAmount = amount === undefined || /^\d{1,16}$/.test(String(amount))
  return !isAmount || (REQUIRED[name] ?? []).some((field) => asked[field] === undefined || asked[field] === '')
}

const rutOf = ({ asked, params }: SeenCall) => String(asked.idNumber ?? params.rut ?? '')

/** Whether an amount is within the bounds of the sandbox. */
const isUsualAmount = (amount: unknown) => Number(amount) >= 1_000 && Number(amount) <= 50_000_000

const succeeded = (all: readonly SeenCall[], name: EndpointName) =>
  all.filter((each) => each.name === name && each.status < 300)

function isPaidBefore({ asked, at }: SeenCall, all: readonly SeenCall[]): boolean {
  const trx = asked.externalTrxId
  return succeeded(all, 'verifyLoan').some(
    (each) => each.at <= at && each.params.externalTrxId === trx && hasLoan(each.json),
  )
}

const hasLoan = (json: unknown): boolean =>
  JSON.stringify(json ?? null).length > 60 && isRecord(json) && Object.values(json).some((value) => value !== null)

function isOtherAmount({ asked }: SeenCall, all: readonly SeenCall[]): boolean {
  const evaluated = succeeded(all, 'evaluate').filter((each) => each.asked.externalTrxId === asked.externalTrxId)
  return evaluated.length > 0 && evaluated.every((each) => String(each.asked.amount) !== String(asked.amount))
}

function isOtherEntity({ asked }: SeenCall, all: readonly SeenCall[]): boolean {
  const known = [...succeeded(all, 'evaluate'), ...succeeded(all, 'startWidget')]
  return known.length > 0 && known.every((each) => each.asked.entityId !== asked.entityId)
}

function isNotOffered({ asked }: SeenCall, all: readonly SeenCall[]): boolean {
  const evaluated = succeeded(all, 'evaluate').filter((each) => each.asked.externalTrxId === asked.externalTrxId)
  const offered = new RegExp(`":${Number(asked.installmentOption)}[,}]`)
  return evaluated.length > 0 && evaluated.every(({ json }) => !offered.test(JSON.stringify(json) ?? ''))
}

function hasUnknownEvent({ asked }: SeenCall): boolean {
  const events = Array.isArray(asked.eventTypes) ? asked.eventTypes : []
  return events.some((event) => !INTEGRATIONS['real-estate'].events.some((each) => each === event))
}

function hasUnknownFilter({ asked }: SeenCall): boolean {
  if (!isRecord(asked.filters)) return false
  const { outcome, ...others } = asked.filters
  return Object.keys(others).length > 0 || (outcome !== undefined && outcome !== 'approved' && outcome !== 'rejected')
}
