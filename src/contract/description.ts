import { HMAC_ALGORITHMS, HMAC_ENCODINGS } from '../domain/signature-settings.ts'
import { BODY_ENCODINGS, LIST_ENCODINGS } from './form.ts'
import type { GapNumber } from './gaps.ts'
import { INTEGRATIONS } from './integrations.ts'
import {
  ADDRESS,
  CODE,
  CODES,
  DURATION,
  DURATION_OR_NONE,
  DURATIONS,
  FIELD_NAME,
  HEADER,
  type Kind,
  MEDIA_TYPE,
  NOT_YET,
  oneOf,
  PATH,
  PREFIX,
  pathWith,
  RANGE,
  RATE,
  status,
  WHOLE_NUMBERS,
  YES_NO,
} from './kinds.ts'

type Reader = 'client' | 'receiver' | 'sandbox' | 'check' | 'merchant'

/** One open question about a service. */
interface Field<Value> {
  /** The gap of the specification (`GAPS`). Null for something that the specification shows, but that a service may do differently. */
  gap: GapNumber | null
  question: string
  kind: Kind<Value>
  /** The answer of the specification or, where there is none, the convention that the sandbox follows. */
  answer: string
  /** Who needs the answer. */
  for: readonly Reader[]
}

const field = <const Gap extends GapNumber | null, Value>(of: Field<Value> & { gap: Gap }): Field<Value> => of

const { bnpl: BNPL, 'real-estate': ESTATE } = INTEGRATIONS

/**
 * Everything in which one service can differ from another. A field has a closed type, so that no description can make a program do
 * something else than its readers know. A new question is one more field here, and its reader.
 */
export const FIELDS = {
  baseUrl: field({
    gap: null,
    question: 'Which base address does the service have?',
    kind: ADDRESS,
    answer: 'none',
    for: ['client'],
  }),
  paymentUrl: field({
    gap: null,
    question: 'Which address does the payment page have?',
    kind: ADDRESS,
    answer: 'none',
    for: ['client'],
  }),
  preApproveIdField: field({
    gap: 1,
    question: 'Which field of the answer to an evaluation contains the pre-approval id?',
    kind: FIELD_NAME,
    answer: 'preApproveId',
    for: ['client', 'sandbox'],
  }),
  steps: field({
    gap: 2,
    question: 'Which steps does a payment have?',
    kind: CODES,
    answer: 'READY_FOR_LOAN,PAYMENT_SUBSCRIPTION,AUTHORIZATION,ARCHIVED_FAIL',
    for: ['sandbox', 'merchant'],
  }),
  loanStates: field({
    gap: 3,
    question: 'Which states does a loan have? The first is the state of a new loan.',
    kind: CODES,
    answer: 'ACTIVE',
    for: ['sandbox', 'merchant'],
  }),
  installmentStates: field({
    gap: 3,
    question: 'Which states does an installment have? The first is the state of an installment that is not paid.',
    kind: CODES,
    answer: 'ACTIVE',
    for: ['sandbox', 'merchant'],
  }),
  hmacAlgorithm: field({
    gap: 7,
    question: 'Which hash function does the signature of a delivery use?',
    kind: oneOf(...HMAC_ALGORITHMS),
    answer: 'sha256',
    for: ['receiver', 'sandbox'],
  }),
  hmacEncoding: field({
    gap: 7,
    question: 'How is the signature of a delivery written?',
    kind: oneOf(...HMAC_ENCODINGS),
    answer: 'hex',
    for: ['receiver', 'sandbox'],
  }),
  signatureHeader: field({
    gap: null,
    question: 'Which header contains the signature of a delivery?',
    kind: HEADER,
    answer: BNPL.header,
    for: ['receiver', 'sandbox'],
  }),
  signatureForm: field({
    gap: 7,
    question:
      'What is signed: the body, or a timestamp and the body (t=…,signature=…)? With “any”, a receiver decides this by the form of the header, and the sandbox signs the body.',
    kind: oneOf('any', 'body', 'timestamp'),
    answer: 'any',
    for: ['receiver', 'sandbox'],
  }),
  signatureTolerance: field({
    gap: 7,
    question: 'How old may the timestamp of a signature be?',
    kind: DURATION_OR_NONE,
    answer: 'none',
    for: ['receiver'],
  }),
  tokenHeader: field({
    gap: null,
    question: 'Which header contains the token of a delivery?',
    kind: HEADER,
    answer: ESTATE.header,
    for: ['receiver', 'sandbox'],
  }),
  projectField: field({
    gap: 9,
    question: 'Which field of a subscription contains the project?',
    kind: FIELD_NAME,
    answer: 'projectId',
    for: ['client', 'sandbox'],
  }),
  'bodies.verification': field({
    gap: 10,
    question: 'How is the body of a verification written?',
    kind: oneOf(...BODY_ENCODINGS),
    answer: 'form',
    for: ['client'],
  }),
  'bodies.registration': field({
    gap: 10,
    question: 'How is the body of a BNPL registration written?',
    kind: oneOf(...BODY_ENCODINGS),
    answer: 'form',
    for: ['client', 'sandbox'],
  }),
  'bodies.subscription': field({
    gap: 10,
    question: 'How is the body of a real-estate subscription written?',
    kind: oneOf(...BODY_ENCODINGS),
    answer: 'form',
    for: ['client', 'sandbox'],
  }),
  deliveryTimeout: field({
    gap: 12,
    question: 'How long may a receiver take to answer a delivery (new_lead: always 3 s)?',
    kind: DURATION,
    answer: '5s',
    for: ['sandbox', 'merchant'],
  }),
  deliveryRetries: field({
    gap: 12,
    question: 'How long does the service wait before each repetition of a delivery (new_lead: none)?',
    kind: DURATIONS,
    answer: '5s,30s,5m',
    for: ['sandbox', 'merchant'],
  }),
  eventPreApproveId: field({
    gap: 11,
    question: 'Does the event loan_approved contain the pre-approval id (preApproveId)?',
    kind: YES_NO,
    answer: 'yes',
    for: ['sandbox'],
  }),
  eventIdPrefix: field({
    gap: 49,
    question: 'With which text do the ids of events (eventId) begin?',
    kind: PREFIX,
    answer: 'none',
    for: ['sandbox'],
  }),
  'paths.openInforme': field({
    gap: 13,
    question: 'Which path does the link to a report have?',
    kind: pathWith('signature', 'signature'),
    answer: '/partner/informe/{signature}',
    for: ['check'],
  }),
  'paths.evaluationByLead': field({
    gap: 14,
    question: 'Which path does the evaluation of a lead have?',
    kind: pathWith('leadId', 'lead id'),
    answer: '/partner/pre-approve/lead/{leadId}',
    for: ['client', 'sandbox', 'check'],
  }),
  'paths.leads': field({
    gap: 14,
    question: 'Which path does the list of leads have?',
    kind: PATH,
    answer: '/partner/leads',
    for: ['client', 'sandbox', 'check'],
  }),
  'paths.lead': field({
    gap: 14,
    question: 'Which path do the details of a lead have?',
    kind: pathWith('leadId', 'lead id'),
    answer: '/partner/leads/{leadId}',
    for: ['client', 'sandbox', 'check'],
  }),
  errorForm: field({
    gap: 15,
    question:
      'Which form does the body of an error have: {"error":{code,message}}, {"data":{status,url,ip}}, {code,message}, or a text?',
    kind: oneOf('error', 'data', 'flat', 'text'),
    answer: 'error',
    for: ['sandbox'],
  }),
  wrongKeyStatus: field({
    gap: 16,
    question: 'With which status is a missing or wrong key refused, except at the informe endpoint?',
    kind: status(400, 401, 403),
    answer: '401',
    for: ['sandbox'],
  }),
  rateLimit: field({
    gap: 17,
    question: 'How many calls may an account make (calls at once, then calls in a time)?',
    kind: RATE,
    answer: '1000+250/1s',
    for: ['sandbox', 'merchant'],
  }),
  rateLimitPer: field({
    gap: 17,
    question: 'Does each call of an account have a limit of its own, or is the limit that of the key?',
    kind: oneOf('call', 'key'),
    answer: 'call',
    for: ['sandbox'],
  }),
  rateHeaders: field({
    gap: 17,
    question:
      'Which headers of an answer say how many calls are left: RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset, the same with X-, or none?',
    kind: oneOf('absent', 'ratelimit', 'x-ratelimit'),
    answer: 'absent',
    for: ['sandbox'],
  }),
  retryAfter: field({
    gap: 17,
    question: 'How does a refusal because of too many calls say when to call again (Retry-After)?',
    kind: oneOf('seconds', 'date', 'absent'),
    answer: 'seconds',
    for: ['sandbox'],
  }),
  amounts: field({
    gap: 18,
    question: 'Which amounts does the service accept?',
    kind: RANGE,
    answer: '1000-50000000',
    for: ['sandbox', 'merchant'],
  }),
  installmentOptions: field({
    gap: 18,
    question: 'Which numbers of installments does the service offer?',
    kind: WHOLE_NUMBERS,
    answer: '3,6,12,24',
    for: ['sandbox', 'merchant'],
  }),
  notYet: field({
    gap: 21,
    question: 'Which answers to a verification mean “no loan yet”? The sandbox sends the first of them.',
    kind: NOT_YET,
    answer: '404,409,422,empty',
    for: ['client', 'sandbox'],
  }),
  validUntil: field({
    gap: 25,
    question: 'Does the answer with a widget token say until when the token is valid (validUntil)?',
    kind: YES_NO,
    answer: 'no',
    for: ['sandbox', 'check'],
  }),
  'bodies.eventTypes': field({
    gap: 27,
    question: 'How is the list of events written in a form?',
    kind: oneOf('brackets', ...LIST_ENCODINGS),
    answer: 'brackets',
    for: ['client'],
  }),
  needsEvaluation: field({
    gap: 30,
    question: 'Does a payment need an evaluation before it? If not, the payment page asks for the national id.',
    kind: YES_NO,
    answer: 'no',
    for: ['sandbox', 'merchant'],
  }),
  accepted: field({
    gap: null,
    question:
      'Does the answer with a widget token say whether the session was accepted (accepted)? If it is optional, the sandbox leaves it out.',
    kind: oneOf('yes', 'no', 'optional'),
    answer: 'yes',
    for: ['sandbox', 'check'],
  }),
  loanDates: field({
    gap: null,
    question: 'How are the dates of a loan written: as days (2026-03-01) or as times in UTC (2026-03-01T00:00:00Z)?',
    kind: oneOf('day', 'date-time'),
    answer: 'day',
    for: ['sandbox', 'check'],
  }),
  widgetPreApproveId: field({
    gap: null,
    question: 'Can a widget session be started with the pre-approval id of an evaluation (preApproveId)?',
    kind: YES_NO,
    answer: 'no',
    for: ['client', 'check'],
  }),
  deliveryType: field({
    gap: 45,
    question: 'Which content type do deliveries have?',
    kind: MEDIA_TYPE,
    answer: 'application/json',
    for: ['sandbox'],
  }),
  cancel: field({
    gap: 50,
    question: 'Does the service have a call that cancels a loan?',
    kind: YES_NO,
    answer: 'yes',
    for: ['client', 'check', 'merchant'],
  }),
  cancelledState: field({
    gap: 50,
    question: 'Which state does a loan have after it was cancelled?',
    kind: CODE,
    answer: 'CANCELLED',
    for: ['client', 'sandbox', 'merchant'],
  }),
  paidState: field({
    gap: 3,
    question: 'Which state does an installment have after it was paid?',
    kind: CODE,
    answer: 'PAID',
    for: ['client', 'sandbox', 'merchant'],
  }),
  entities: field({
    gap: 51,
    question: 'Does the service have calls for the entities of an account?',
    kind: YES_NO,
    answer: 'yes',
    for: ['client', 'check', 'merchant'],
  }),
  'paths.entities': field({
    gap: 51,
    question: 'Which path does the list of entities have?',
    kind: PATH,
    answer: '/partner/entity',
    for: ['client', 'sandbox', 'check'],
  }),
  'paths.entity': field({
    gap: 51,
    question: 'Which path does a change of an entity have?',
    kind: pathWith('entityId', 'entity id'),
    answer: '/partner/entity/{entityId}',
    for: ['client', 'sandbox', 'check'],
  }),
} as const

export type FieldName = keyof typeof FIELDS

/** The fields with the paths of calls whose path the specification does not show. */
export const PATH_SETTINGS = [
  'paths.evaluationByLead',
  'paths.leads',
  'paths.lead',
  'paths.entities',
  'paths.entity',
] as const satisfies readonly FieldName[]

export type PathSetting = (typeof PATH_SETTINGS)[number]

type ValueOf<Name extends FieldName> = (typeof FIELDS)[Name] extends Field<infer Value> ? Value : never

/**
 * Where an answer comes from. `specification`: the specification shows it. `convention`: no service was asked, so only the sandbox follows
 * it. A page is what a service publishes, lines are what a recording showed, and a setting is what the merchant said.
 */
export type Source =
  | 'specification'
  | 'convention'
  | { page: string; read: string; certainty: 'several pages' | 'one page' | 'an example' | 'inferred' }
  | { lines: readonly number[] }
  | { setting: string }

export interface Answer {
  /** The answer as it is written in a profile or in a file. */
  text: string
  source: Source
}

/** What one service answers to every open question. */
export interface ServiceDescription {
  /** `specification`, the name of a service, or the file of the description. */
  name: string
  /** Of a file: the named service whose answers hold for the questions that the file does not answer. Left out for the specification. */
  base?: string
  answers: Readonly<Record<FieldName, Answer>>
}

export const FIELD_NAMES = Object.keys(FIELDS) as readonly FieldName[]

export const isFieldName = (name: string): name is FieldName => Object.hasOwn(FIELDS, name)

export type GivenAnswers = Readonly<Partial<Record<FieldName, Answer>>>

/** The default description: what the specification says, and conventions for the rest. */
export const SPECIFICATION: ServiceDescription = {
  name: 'specification',
  answers: Object.fromEntries(
    FIELD_NAMES.map((name) => {
      const { gap, answer } = FIELDS[name]
      return [name, { text: answer, source: gap === null ? 'specification' : 'convention' }]
    }),
  ) as ServiceDescription['answers'],
}

/** Returns a description with other answers to some questions. */
export const withAnswers = (base: ServiceDescription, given: GivenAnswers, name = base.name): ServiceDescription => ({
  ...base,
  name,
  answers: { ...base.answers, ...given },
})

/** Returns the answers in a description that are neither from the specification nor a convention. */
export const givenAnswers = ({ answers }: ServiceDescription): GivenAnswers =>
  Object.fromEntries(Object.entries(answers).filter(([, { source }]) => typeof source === 'object'))

/** Whether a description has such answers, so that a service with this description is not just the sandbox. */
export const isDescribed = ({ answers }: ServiceDescription): boolean =>
  Object.values(answers).some(({ source }) => typeof source === 'object')

/** Returns what an answer means. Throws `TypeError` for an answer that is not valid (`answerProblem`). */
export const answerOf = <Name extends FieldName>({ answers }: ServiceDescription, name: Name): ValueOf<Name> =>
  FIELDS[name].kind.read(answers[name].text) as ValueOf<Name>

/** Returns why a text is not an answer to a question; undefined if it is one. */
export const answerProblem = (name: FieldName, text: string): string | undefined => FIELDS[name].kind.problem(text)

/** Whether a service is known to have a call. The calls of the specification have no field. */
export const hasCall = ({ describedBy }: { describedBy?: FieldName }, service: ServiceDescription): boolean =>
  describedBy === undefined || (isKnown(service.answers[describedBy]) && isYes(service, describedBy))

/** Whether a service has what a field asks about with yes or no, such as a call or a field of an answer. */
export const isYes = ({ answers }: ServiceDescription, name: FieldName): boolean => answers[name].text === 'yes'

/** Whether an answer is about this service, and not only a convention of the sandbox. */
export const isKnown = ({ source }: Answer): boolean => source !== 'convention'

/** Returns a source in words, such as `convention`, `learnt from lines 3, 7` or `profile acme`. */
export function sourceInWords(source: Source): string {
  if (typeof source === 'string') return source
  if ('setting' in source) return source.setting
  if ('lines' in source) return `learnt from ${source.lines.length === 1 ? 'line' : 'lines'} ${source.lines.join(', ')}`
  return `published: ${source.page} (${source.certainty}, read ${source.read})`
}
