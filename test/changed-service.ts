import { createHmac } from 'node:crypto'
import { ALL_PARTS, type Part, SANDBOX_PATHS, type Sent, type Visit, type Walked } from './service-walk.ts'

/**
 * A service that is the sandbox with one change. The changes are plain functions of what the sandbox answers and sends. They use none of
 * the sandbox's own settings for other services.
 */

/** An answer with its body as JSON; the body is undefined if it is not JSON. */
interface Answer {
  status: number
  headers: Readonly<Record<string, string>>
  body: any
}

/** The parts of an answer that a change replaces. `text` replaces the body without being written as JSON. */
type Changed = Partial<Answer> & { text?: string }

/** A delivery before it is signed. */
interface Unsigned {
  body: any
  contentType: string
  /** Returns the header and the value of the signature or of the token. */
  proof(body: Uint8Array, secret: string): readonly [header: string, value: string]
}

export interface Change {
  name: string
  /** The group to which the change belongs. */
  kind: string
  answer?(visit: Visit, answer: Answer): Changed
  delivery?(sent: Sent, unsigned: Unsigned): Partial<Unsigned>
  waits?: readonly number[]
  ms?: number
  paths?: typeof SANDBOX_PATHS
  /** Set when the specification leaves this open. Then `contract check` reports nothing, and only the learner finds the change. */
  silent?: true
}

const isSuccess = ({ status, body }: Answer) => status < 300 && body !== undefined
const isOf = (steps: string) => (visit: Visit) => steps.split('|').includes(visit.step)

/** Returns a value with one place changed. `*` stands for every item of a list. Places that do not exist are left out. */
function at(value: any, place: string, change: (own: any) => any): any {
  const [name = '', ...rest] = place.split('.')
  if (name === '*') return Array.isArray(value) ? value.map((item) => inside(item, rest, change)) : value
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value
  return { ...value, [name]: inside(value[name], rest, change) }
}

const inside = (value: any, rest: string[], change: (own: any) => any) =>
  rest.length === 0 ? change(value) : at(value, rest.join('.'), change)

/** Returns an object in which one field has another name. The order of the fields stays. */
const renamed = (value: any, from: string, to: string): any =>
  Object.fromEntries(Object.entries(value).map(([name, own]) => [name === from ? to : name, own]))

const without = (value: any, name: string): any =>
  Object.fromEntries(Object.entries(value).filter(([each]) => each !== name))

/** Splits a place into the path of the object and the name of the field in it. */
function holder(place: string): [holder: string, name: string] {
  const parts = place.split('.')
  return [parts.slice(0, -1).join('.'), parts.at(-1) ?? '']
}

const success = (
  kind: string,
  name: string,
  steps: string,
  body: (own: any) => any,
  more: Partial<Change> = {},
): Change => ({
  kind,
  name,
  answer: (visit, answer) => (isOf(steps)(visit) && isSuccess(answer) ? { body: body(answer.body) } : {}),
  ...more,
})

/** A change that gives a field of an answer another name. */
function rename(steps: string, place: string, to: string, more: Partial<Change> = {}): Change {
  const [of, name] = holder(place)
  const body = (own: any) => at(own, of, (object) => renamed(object, name, to))
  return success('a field renamed', `${place} is ${to} (${steps})`, steps, body, more)
}

/** A change that gives a field of an answer another type. */
const retype = (
  steps: string,
  place: string,
  to: (own: any) => any,
  words: string,
  more: Partial<Change> = {},
): Change => success('a type', `${place} is ${words} (${steps})`, steps, (own) => at(own, place, to), more)

/** A change of one step's refusal. */
const refusal = (
  kind: string,
  name: string,
  steps: string,
  change: (answer: Answer) => Changed,
  more: Partial<Change> = {},
): Change => ({
  kind,
  name: `${name} (${steps})`,
  answer: (visit, answer) => (isOf(steps)(visit) ? change(answer) : {}),
  ...more,
})

const code = (steps: string, to: string, more: Partial<Change> = {}): Change =>
  refusal('a code', `the code is ${to}`, steps, ({ body }) => ({ body: at(body, 'error.code', () => to) }), more)

const status = (steps: string, to: number, more: Partial<Change> = {}): Change =>
  refusal('a status', `the status is ${to}`, steps, () => ({ status: to }), more)

const everySuccess = (
  kind: string,
  name: string,
  change: (answer: Answer) => Changed,
  more: Partial<Change> = {},
): Change => ({
  kind,
  name,
  answer: (_, answer) => (isSuccess(answer) ? change(answer) : {}),
  ...more,
})

const everyRefusal = (
  kind: string,
  name: string,
  change: (answer: Answer) => Changed,
  more: Partial<Change> = {},
): Change => ({
  kind,
  name,
  answer: (_, answer) => (answer.status >= 400 ? change(answer) : {}),
  ...more,
})

const LISTS = 'list destinations|list leads'
const listed = (name: string, wrap: (rows: any[]) => any): Change =>
  success('the shape of a list', name, LISTS, ({ data }) => ({ data: wrap(data) }), { silent: true })

const SIGNED = ['sha256', 'hex'] as const
const signature =
  (header: string, [algorithm, encoding]: readonly [string, 'hex' | 'base64'], prefix = ''): Unsigned['proof'] =>
  (body, secret) => [header, prefix + createHmac(algorithm, secret).update(body).digest(encoding)]

const signed = (name: string, proof: Unsigned['proof'], more: Partial<Change> = {}): Change => ({
  kind: 'a signature',
  name,
  delivery: ({ type }) => (type === 'loan_approved' ? { proof } : {}),
  ...more,
})

const delivered = (
  name: string,
  change: (body: any) => any,
  types = 'loan_approved pre_approve',
  more: Partial<Change> = {},
): Change => ({
  kind: 'the body of a delivery',
  name,
  delivery: ({ type }, { body }) => (types.includes(type) ? { body: change(body) } : {}),
  ...more,
})

const silent = { silent: true } as const
const VERIFY = 'verify'
const REGISTER = 'register'
const NOT_YET = 'verify before the payment'

/** One hundred changes, each of which is tried alone. */
export const CHANGES: readonly Change[] = [
  rename('evaluate', 'data.preApproveId', 'idPreAprobacion', silent),
  rename('evaluate', 'data.preApproveId', 'evaluationId', silent),
  rename('evaluate', 'data.installmentOptions', 'opciones'),
  rename('evaluate', 'data.installmentOptions.*.installments', 'cuotas'),
  rename('evaluate', 'data.installmentOptions.*.amount', 'monto'),
  rename('evaluate', 'data.installmentOptions.*.total', 'montoTotal'),
  rename('select', 'data.loanRequestId', 'solicitudId'),
  rename('select', 'data.step', 'paso'),
  rename('select', 'data.preApproveId', 'pre_approve_id'),
  rename('start the widget', 'data.widgetToken', 'token', silent),
  rename('start the widget', 'data.accepted', 'aceptado'),
  rename(VERIFY, 'data.loanAmount', 'montoCredito'),
  rename(VERIFY, 'data.interestRate', 'tasaInteres'),
  rename(VERIFY, 'data.state', 'estado'),
  rename(VERIFY, 'data.transferDate', 'fechaTransferencia'),
  rename(VERIFY, 'data.installments', 'cuotas'),
  rename(VERIFY, 'data.installments.*.expirationDate', 'vencimiento'),
  rename(VERIFY, 'data.installments.*.period', 'numero'),
  rename(VERIFY, 'data.lastInstallmentAmount', 'last_installment_amount'),
  rename('get the report', 'data.url', 'link'),
  rename(REGISTER, 'data.id', 'webhookId', silent),
  rename(REGISTER, 'data.secret', 'signingSecret', silent),
  rename('list destinations', 'data.*.url', 'address'),
  rename('list destinations', 'data.*.verificationScheme', 'scheme', silent),
  rename('list leads', 'data.*.leadId', 'id', silent),
  rename('read a lead', 'data.email', 'correo', silent),
  retype('evaluate', 'data.installmentOptions.*.amount', String, 'text'),
  retype('evaluate', 'data.installmentOptions.*.total', String, 'text'),
  retype('evaluate', 'data.preApproveId', () => 4711, 'a number', silent),
  retype('select', 'data.loanRequestId', () => 41, 'a number'),
  retype('start the widget', 'data.accepted', String, 'text'),
  retype('start the widget', 'data.accepted', Number, 'a number'),
  retype(VERIFY, 'data.loanAmount', String, 'text'),
  retype(VERIFY, 'data.interestRate', String, 'text'),
  retype(VERIFY, 'data.periods', String, 'text'),
  retype(VERIFY, 'data.transferDate', Date.parse, 'milliseconds'),
  retype(VERIFY, 'data.state', (own) => [own], 'a list'),
  retype('list destinations', 'data.*.id', (own: string) => own.length + 4700, 'a number', silent),
  retype('list leads', 'data.*.leadId', () => 17, 'a number', silent),
  retype(VERIFY, 'data.state', () => 'VIGENTE', 'VIGENTE', { kind: 'a word', ...silent }),
  retype('select', 'data.step', () => 'DISBURSEMENT', 'DISBURSEMENT', { kind: 'a word', ...silent }),
  retype('list destinations', 'data.*.verificationScheme', () => 'HMAC_SHA256', 'HMAC_SHA256', {
    kind: 'a word',
    ...silent,
  }),
  retype('list leads', 'data.*.estado', () => 'FINALIZADO', 'FINALIZADO', {
    kind: 'a word',
    ...silent,
  }),
  success(
    'more or fewer fields',
    'an evaluation has a currency',
    'evaluate',
    (own) => at(own, 'data', (data) => ({ ...data, currency: 'CLP' })),
    silent,
  ),
  success(
    'more or fewer fields',
    'a loan has its fees',
    VERIFY,
    (own) => at(own, 'data', (data) => ({ ...data, fees: { total: 0 } })),
    silent,
  ),
  success('more or fewer fields', 'a loan has no rate', VERIFY, (own) =>
    at(own, 'data', (data) => without(data, 'interestRate')),
  ),
  success('more or fewer fields', 'an installment has no period', VERIFY, (own) =>
    at(own, 'data.installments.*', (each) => without(each, 'period')),
  ),
  success(
    'more or fewer fields',
    'a registration has no secret',
    REGISTER,
    (own) => at(own, 'data', (data) => without(data, 'secret')),
    silent,
  ),
  success(
    'more or fewer fields',
    'a destination has no date',
    'list destinations',
    (own) => at(own, 'data.*', (each) => without(each, 'createdAt')),
    silent,
  ),
  code('evaluate a customer who is not approved', 'ERR_RISK_REJECTED', silent),
  code('evaluate without an amount', 'ERR_VALIDATION', silent),
  code(NOT_YET, 'ERR_NO_LOAN', silent),
  code('list with a wrong key', 'ERR_INVALID_API_KEY', silent),
  code('get a report that does not exist', 'ERR_NOT_FOUND', silent),
  code('delete one that does not exist', 'ERR_DESTINATION_UNKNOWN', silent),
  code('evaluate too often', 'ERR_THROTTLED', silent),
  status('evaluate', 201, silent),
  status('start the widget', 202, silent),
  status(REGISTER, 200),
  status('delete a destination', 202, silent),
  status('open a report', 307),
  status('evaluate a customer who is not approved', 400, silent),
  status('evaluate without an amount', 422, silent),
  status(NOT_YET, 409, silent),
  status('list with a wrong key', 403, silent),
  status('get a report that does not exist', 410),
  status('delete one that does not exist', 410, silent),
  refusal('a status', '204 without a body', 'delete a destination', () => ({ status: 204, text: '' }), silent),
  refusal('a status', '200 with null', NOT_YET, () => ({ status: 200, body: { data: null } }), silent),
  refusal('a status', '200 with nothing', NOT_YET, () => ({ status: 200, body: { data: {} } }), silent),
  everySuccess('an envelope', 'data in data', ({ body }) => ({ body: { data: { data: body.data } } })),
  everySuccess('an envelope', 'result in the place of data', ({ body }) => ({ body: { result: body.data } })),
  everySuccess('an envelope', 'no envelope', ({ body }) => ({ body: body.data })),
  everySuccess('an envelope', 'a flag beside data', ({ body }) => ({ body: { success: true, ...body } })),
  everyRefusal(
    'an envelope',
    'refusals are flat',
    ({ body }) => ({ body: { code: body.error.code, message: body.error.message } }),
    silent,
  ),
  everyRefusal(
    'an envelope',
    'refusals are a list',
    ({ body }) => ({ body: { errors: [{ code: body.error.code, detail: body.error.message }] } }),
    silent,
  ),
  everyRefusal(
    'an envelope',
    'refusals are problems',
    ({ status: type, headers, body }) => ({
      headers: { ...headers, 'content-type': 'application/problem+json' },
      body: { title: body.error.code, status: type },
    }),
    silent,
  ),
  everyRefusal('an envelope', 'refusals have no body', () => ({ text: '' }), silent),
  listed('lists in items, with a page', (items) => ({ items, page: 1, total: items.length })),
  listed('lists two objects deep', (content) => ({ result: { content } })),
  listed('lists under a name of their own', (misFilas) => ({ misFilas })),
  everySuccess(
    'a content type',
    'JSON without a charset',
    () => ({ headers: { 'content-type': 'application/json' } }),
    silent,
  ),
  everySuccess(
    'a content type',
    'a type of the vendor',
    () => ({ headers: { 'content-type': 'application/vnd.partner+json' } }),
    silent,
  ),
  refusal(
    'a header',
    'Retry-After is 30',
    'evaluate too often',
    ({ headers }) => ({ headers: { ...headers, 'retry-after': '30' } }),
    silent,
  ),
  {
    kind: 'a content type',
    name: 'deliveries have a charset',
    delivery: () => ({ contentType: 'application/json; charset=utf-8' }),
    silent: true,
  },
  signed('the signature is in x-signature', signature('x-signature', SIGNED)),
  signed('the signature is SHA-1', signature('service-signature', ['sha1', 'hex']), silent),
  signed('the signature is SHA-512 in Base64', signature('service-signature', ['sha512', 'base64']), silent),
  signed('the signature is in Base64', signature('service-signature', ['sha256', 'base64']), silent),
  signed('the signature has a prefix', signature('service-signature', SIGNED, 'sha256='), silent),
  {
    kind: 'a signature',
    name: 'the token is in x-webhook-token',
    delivery: ({ type }) => (type === 'loan_approved' ? {} : { proof: (_, secret) => ['x-webhook-token', secret] }),
  },
  delivered('eventId is id', (body) => renamed(body, 'eventId', 'id')),
  delivered('data is payload', (body) => renamed(body, 'data', 'payload')),
  delivered('a delivery names its type', (body) => ({ type: 'loan_approved', ...body })),
  delivered(
    'eventId is a number',
    (body) => ({ ...body, eventId: Number.parseInt(body.eventId.slice(-8), 16) }),
    undefined,
    silent,
  ),
  delivered(
    'loanAmount is montoCredito',
    (body) => ({ ...body, data: renamed(body.data, 'loanAmount', 'montoCredito') }),
    'loan_approved',
    silent,
  ),
  {
    kind: 'a path',
    name: 'leads are at /partner/prospects',
    paths: { ...SANDBOX_PATHS, 'paths.leads': '/partner/prospects', 'paths.lead': '/partner/prospects/{leadId}' },
    silent: true,
  },
  { kind: 'a time', name: 'an evaluation takes 700 ms', ms: 700, silent: true },
  { kind: 'a time', name: 'deliveries are repeated after 1 min and 1 h', waits: [60_000, 3_600_000], silent: true },
  {
    kind: 'a time',
    name: 'deliveries are repeated five times',
    waits: [1_000, 2_000, 4_000, 8_000, 16_000],
    silent: true,
  },
]

const asJson = ({ headers, body }: Visit['answer']): any =>
  headers['content-type']?.includes('json') && body.length > 0 ? JSON.parse(new TextDecoder().decode(body)) : undefined

/** Returns an answer after several changes, made one after the other. */
export function answerWith(changes: readonly Change[], visit: Visit): Visit['answer'] {
  return changes.reduce((answer, change) => answerOf(change, { ...visit, answer }), visit.answer)
}

/** Returns the change with this name. */
export function changeNamed(name: string): Change {
  const found = CHANGES.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no change is called ${name}`)
  return found
}

/** Applies several changes, each to the result of the changes before it. */
export function allAtOnce(changes: readonly Change[], walked: Walked): Walked {
  return changes.reduce((service, change) => {
    const { visits, deliveries, waits } = service
    return {
      visits: visits.map((visit) => ({ ...visit, answer: answerOf(change, visit) })),
      deliveries: deliveries.map((sent) => deliveryOf(change, sent)),
      waits: change.waits ?? waits,
    }
  }, walked)
}

/** Returns the walk through the changed service, made from a walk through the sandbox, and the parts of the walk that differ. */
export function changedBy(change: Change, { visits, deliveries, waits }: Walked): { walked: Walked; parts: Part[] } {
  const { paths = SANDBOX_PATHS, ms } = change
  const made = visits.map((visit) => ({
    ...visit,
    path: pathOf(visit, paths),
    answer: answerOf(change, visit),
    ms: visit.step.startsWith('evaluate') ? (ms ?? visit.ms) : visit.ms,
  }))
  const sent = deliveries.map((each) => deliveryOf(change, each))
  const touched = [
    ...made.filter(({ path, answer, ms: took }, i) => {
      const own = visits[i]
      return own?.answer !== answer || own.path !== path || own.ms !== took
    }),
    ...sent.filter((each, i) => each !== deliveries[i]),
  ].map(({ part }) => part)
  const parts = change.waits ? [...touched, 'shop' as const] : touched
  const isTouched = ({ part }: { part: Part }) => parts.includes(part)
  return {
    walked: { visits: made.filter(isTouched), deliveries: sent.filter(isTouched), waits: change.waits ?? waits },
    parts: ALL_PARTS.filter((part) => parts.includes(part)),
  }
}

/** Returns the path of a visit at a service with other paths. */
function pathOf({ path }: Visit, paths: typeof SANDBOX_PATHS): string {
  const [, leadId] = /^\/partner\/(?:leads|pre-approve\/lead)\/([^/]+)$/.exec(path) ?? []
  const setting = Object.entries(SANDBOX_PATHS).find(([, own]) => own.replace('{leadId}', leadId ?? '') === path)?.[0]
  const there = Object.entries(paths).find(([name]) => name === setting)?.[1]
  return there?.replace('{leadId}', leadId ?? '') ?? path
}

function answerOf(change: Change, visit: Visit): Visit['answer'] {
  const { status: own, headers } = visit.answer
  const made = change.answer?.(visit, { status: own, headers, body: asJson(visit.answer) })
  if (made === undefined || Object.keys(made).length === 0) return visit.answer
  const text = made.text ?? (made.body === undefined ? undefined : JSON.stringify(made.body))
  const kept =
    text === '' ? Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-type')) : headers
  return {
    status: made.status ?? own,
    headers: made.headers ?? kept,
    body: text === undefined ? visit.answer.body : Buffer.from(text),
  }
}

function deliveryOf(change: Change, sent: Sent): Sent {
  const { 'content-type': contentType = '', 'user-agent': agent = '', ...proofs } = sent.headers
  const [header = ''] = Object.keys(proofs)
  const own: Unsigned = {
    body: JSON.parse(sent.body),
    contentType,
    proof: (body, secret) =>
      sent.type === 'loan_approved' ? signature(header, SIGNED)(body, secret) : [header, secret],
  }
  const made = change.delivery?.(sent, own)
  if (made === undefined || Object.keys(made).length === 0) return sent
  const { body, contentType: type, proof } = { ...own, ...made }
  const text = made.body === undefined ? sent.body : JSON.stringify(body, null, 1)
  const [name, value] = proof(Buffer.from(text), sent.secret)
  return { ...sent, body: text, headers: { 'content-type': type, 'user-agent': agent, [name]: value } }
}
