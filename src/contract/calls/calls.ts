import { findOutBy, guidance } from '../failures/advice.ts'
import { FORM_TYPE } from '../form.ts'
import type { Shapes } from '../shapes.ts'
import { call, type StatusMeaning } from './call.ts'

export const OPEN_SUMMARY = 'open a report by its link (urlInforme)'
/** The only correct status of the answer to a `urlInforme` (specification: "Open the report from its link"). */
export const OPEN_STATUS = 302

const NO_LOAN = {
  outcome: 'not-found',
  meaning: 'no loan for this transaction',
  ...guidance({ id: 'wait-for-payment' }),
} as const satisfies StatusMeaning

/** Returns the shape of the record of an evaluation (specification: "Lead, evaluation and evaluation report"). */
const evaluationRecord = ({ looseObject, string }: Shapes) =>
  looseObject({ idPreAprobacion: string(), urlInforme: string() })

/** The path parameter with the id of a lead. */
const LEAD_ID = { name: 'leadId', meaning: 'The id of the lead' } as const

/** The service banca.me publishes these calls, and the specification does not have them. The paths of the last two are not published. */
const COMMON = {
  tag: 'payment',
  section: 'docs.banca.me: api/partners',
  describedBy: 'entities',
} as const

/** Every call of the specification, and those that only other services publish (`describedBy`), in the order in which help and documents show the calls. */
export const CALLS = {
  evaluate: call({
    tag: 'payment',
    section: 'POST /partner/pre-loan-request/bnpl : evaluate customer',
    summary: 'evaluate a customer',
    notShown: { status: 46, answer: 1 },
    method: 'POST',
    path: '/partner/pre-loan-request/bnpl',
    success: { status: 200, meaning: 'the installment options, and the pre-approval id, which later calls need' },
    formats: { request: { idNumber: 'national-id' } },
    repeat: 'never',
    changes: true,
    reconcile: findOutBy('look-for-evaluation'),
    schemas: ({ array, int, integerText, looseObject, strictObject, text }) => ({
      request: strictObject({ idNumber: text, amount: integerText, entityId: text, externalTrxId: text }),
      // Amounts are integers in currency units (specification: "Installment option").
      data: looseObject({
        installmentOptions: array(looseObject({ installments: int(), amount: int(), total: int() })),
      }),
    }),
  }),
  select: call({
    tag: 'payment',
    section: 'POST /partner/pre-loan-request/loan-request : report the selected option (optional step)',
    summary: 'report the selected option',
    notShown: { status: 46 },
    method: 'POST',
    path: '/partner/pre-loan-request/loan-request',
    success: { status: 200, meaning: 'the loan request, and the step at which the widget will be loaded' },
    formats: { answer: { preApproveId: 'uuid' } },
    repeat: 'never',
    changes: true,
    reconcile: findOutBy('verify-after-payment'),
    schemas: ({ integerText, looseObject, strictObject, string, text }) => ({
      request: strictObject({
        preApproveId: text,
        installmentOption: integerText,
        externalTrxId: text,
        amount: integerText,
      }),
      data: looseObject({ loanRequestId: string(), step: string(), preApproveId: string() }),
    }),
  }),
  startWidget: call({
    tag: 'payment',
    section: 'POST /partner/widget/start : create widget token',
    summary: 'create a widget token',
    notShown: { status: 46, answerFields: { widgetToken: 31 } },
    method: 'POST',
    path: '/partner/widget/start',
    // The specification's example sends this Accept header.
    accept: FORM_TYPE,
    success: { status: 200, meaning: 'whether the session was accepted, and its token' },
    formats: { request: { email: 'email' } },
    published: { request: { preApproveId: 'widgetPreApproveId' }, answer: { validUntil: 'validUntil' } },
    // The service banca.me publishes this answer without `accepted`.
    implied: { accepted: { by: 'widgetToken', value: true } },
    repeat: 'never',
    changes: true,
    reconcile: findOutBy('wait-for-expiry'),
    schemas: ({ boolean, integerText, looseObject, nullable, optional, strictObject, text, unicode, unknown }) => ({
      request: strictObject({
        amount: integerText,
        externalTrxId: text,
        entityId: text,
        email: text,
        preApproveId: optional(text),
      }),
      data: looseObject({
        accepted: boolean(),
        widgetToken: optional(nullable(unicode)),
        validUntil: optional(unknown()),
      }),
    }),
  }),
  verifyLoan: call({
    tag: 'payment',
    section: 'POST /partner/pre-approve/{externalTrxId}/loan : verify transaction',
    summary: 'verify a transaction',
    notShown: { status: 46, request: 10, statuses: { 404: 21 } },
    method: 'POST',
    path: '/partner/pre-approve/{externalTrxId}/loan',
    params: [{ name: 'externalTrxId', meaning: 'The transaction id of the merchant' }],
    bodySetting: 'bodies.verification',
    success: { status: 200, meaning: 'the loan of the transaction' },
    // A success without a loan has the same meaning as the 404, because the specification does not show the status of “no loan” (gap 21).
    statuses: { 404: NO_LOAN },
    emptyData: NO_LOAN,
    formats: { answer: { interestRate: 'fraction', installments: 'one-each-period' } },
    // This POST only reads.
    repeat: 'safe',
    changes: false,
    // Amounts are integers in currency units, the rate is a decimal fraction (specification: "Loan").
    schemas: ({ array, int, isoDate, looseObject, number, strictObject, string }) => ({
      request: strictObject({}),
      data: looseObject({
        loanAmount: int(),
        interestRate: number(),
        periods: int(),
        installmentAmount: int(),
        lastInstallmentAmount: int(),
        state: string(),
        transferDate: isoDate,
        externalTrxId: string(),
        installments: array(looseObject({ state: string(), period: int(), expirationDate: isoDate })),
      }),
    }),
  }),
  /** The service banca.me publishes this call, and the specification does not have it. */
  cancelLoan: call({
    tag: 'payment',
    section: 'docs.banca.me: api/bnpl/post-cancel-loan',
    summary: 'cancel a loan',
    describedBy: 'cancel',
    notShown: { path: 50, status: 50, request: 50, answer: 50, statuses: { 404: 50 } },
    method: 'POST',
    path: '/partner/pre-approve/{externalTrxId}/loan/cancel',
    params: [{ name: 'externalTrxId', meaning: 'The transaction id of the merchant' }],
    success: { status: 200, meaning: 'the loan is cancelled; refundAmount is what the customer gets back' },
    // Any 2xx means that the loan is cancelled. Apart from refundAmount, the fields of the answer are not published.
    bodyShown: false,
    statuses: { 404: { outcome: 'not-found', meaning: 'no loan for this transaction' } },
    repeat: 'never',
    changes: true,
    reconcile: findOutBy('verify-loan'),
    schemas: ({ anything, strictObject }) => ({ request: strictObject({}), data: anything }),
  }),
  registerWebhook: call({
    tag: 'webhooks',
    section: 'POST /partner/webhook : register a BNPL webhook destination',
    summary: 'register a BNPL webhook destination',
    notShown: { request: 10, answer: 6 },
    method: 'POST',
    path: '/partner/webhook',
    bodySetting: 'bodies.registration',
    success: {
      status: 201,
      meaning:
        'a destination that gets the BNPL events, in deliveries signed by HMAC; its events and its verification scheme cannot be changed later',
    },
    bodyShown: false,
    formats: { request: { url: 'https' } },
    repeat: 'reconcile',
    changes: true,
    reconcile: findOutBy('look-for-destination'),
    // Only url has an effect. eventTypes and filters are accepted, but ignored without an error.
    schemas: ({ anything, optional, strictObject, text, unknown }) => ({
      request: strictObject({ url: text, eventTypes: optional(unknown()), filters: optional(unknown()) }),
      data: anything,
    }),
  }),
  subscribeWebhook: call({
    tag: 'webhooks',
    section: 'POST /partner/webhook/subscription : register a real-estate webhook destination',
    summary: 'register a real-estate webhook destination',
    notShown: { status: 46, request: 10, requestFields: { eventTypes: 27, filters: 9, projectId: 9 }, answer: 6 },
    method: 'POST',
    path: '/partner/webhook/subscription',
    bodySetting: 'bodies.subscription',
    success: {
      status: 201,
      meaning:
        'a destination that gets the requested events, in deliveries with a static token; its events and its verification scheme cannot be changed later',
    },
    bodyShown: false,
    statuses: {
      403: {
        outcome: 'refused',
        meaning: 'the account does not have the evaluation module, which these events need',
        hint: 'Ask the support of the service to enable the evaluation module for your account.',
        codeNames: 'MODULE',
      },
      422: {
        outcome: 'refused',
        meaning: 'this account cannot receive real-estate webhooks',
        ...guidance({ id: 'register-as-bnpl' }),
        onlyWithCode: true,
        codes: {
          ERR_PARTNER_PRODUCT_CANNOT_RECEIVE_WEBHOOKS:
            'a BNPL account cannot register a real-estate destination for any event, not even for a BNPL event',
        },
      },
    },
    formats: { request: { url: 'https', eventTypes: 'events' } },
    repeat: 'reconcile',
    changes: true,
    reconcile: findOutBy('look-for-destination'),
    schemas: ({ anything, array, catchall, looseObject, object, optional, string, text, unknown }) => ({
      // The specification does not show the name of the project field (gap 9), so other text fields are allowed.
      request: catchall(
        object({
          url: text,
          eventTypes: array(string()),
          filters: optional(looseObject({ outcome: optional(unknown()) })),
        }),
        string(),
      ),
      data: anything,
    }),
  }),
  listWebhooks: call({
    tag: 'webhooks',
    section: 'GET /partner/webhook : list destinations',
    summary: 'list webhook destinations',
    notShown: { status: 46, answer: 44, answerFields: { id: 44 } },
    method: 'GET',
    path: '/partner/webhook',
    success: { status: 200, meaning: 'the webhook destinations of the account' },
    repeat: 'safe',
    changes: false,
    dataShapeShown: false,
    schemas: ({ array, id, looseObject, optional, string }) => ({
      data: array(looseObject({ id, url: string(), verificationScheme: optional(string()) })),
    }),
  }),
  deleteWebhook: call({
    tag: 'webhooks',
    section: 'DELETE /partner/webhook/{id} : delete a destination',
    summary: 'delete a webhook destination',
    notShown: { status: 46, answer: 20, statuses: { 404: 46 } },
    method: 'DELETE',
    path: '/partner/webhook/{id}',
    params: [{ name: 'id', meaning: 'The id of the destination' }],
    success: { status: 200, meaning: 'the destination is deleted' },
    bodyShown: false,
    statuses: {
      404: {
        outcome: 'not-found',
        meaning: 'no destination with this id',
        ...guidance({ id: 'see-destinations' }),
      },
    },
    repeat: 'safe',
    changes: true,
    schemas: ({ anything }) => ({ data: anything }),
  }),
  getInforme: call({
    tag: 'reports',
    section: 'GET /partner/pre-approve/{preApproveId}/informe : get the evaluation report link',
    summary: 'get a fresh link to an evaluation report',
    method: 'GET',
    path: '/partner/pre-approve/{preApproveId}/informe',
    params: [
      { name: 'preApproveId', meaning: 'The pre-approval id (idPreAprobacion). A preLoanRequestId does not work' },
    ],
    success: { status: 200, meaning: 'a pre-signed link to the PDF, valid for 1800 seconds' },
    statuses: {
      400: {
        outcome: 'auth',
        meaning: 'invalid or missing API key',
        ...guidance({ id: 'check-key' }),
      },
      401: {
        outcome: 'refused',
        meaning: 'the pre-approval belongs to another partner',
        ...guidance({ id: 'use-owner-account' }),
      },
      403: {
        outcome: 'refused',
        meaning: 'your account is inactive',
        hint: 'Ask the support of the service to activate your account.',
      },
      404: {
        outcome: 'not-found',
        meaning: 'no pre-approval with this id',
        hint: 'Use preApproveId (idPreAprobacion). A preLoanRequestId is a different id and does not work here.',
      },
      429: { outcome: 'rate-limited', meaning: 'rate limit exceeded' },
      503: {
        outcome: 'service',
        meaning: 'the report is not available for now',
        codes: {
          ERR_UNABLE_TO_RENDER_INFORME: 'the report could not be rendered',
          ERR_STORAGE_S3_PRESIGNED_GET: 'the download link could not be signed',
        },
        hint: 'Try again in a minute, because this failure usually disappears by itself.',
      },
    },
    allStatusesShown: true,
    formats: { answer: { url: 'link' } },
    repeat: 'safe',
    changes: false,
    schemas: ({ looseObject, string }) => ({ data: looseObject({ url: string() }) }),
  }),
  openInforme: call({
    tag: 'reports',
    section: 'Open the report from its link',
    summary: OPEN_SUMMARY,
    notShown: { path: 13 },
    method: 'GET',
    path: '/partner/informe/{signature}',
    params: [{ name: 'signature', meaning: 'The signature inside a urlInforme' }],
    auth: 'none',
    accept: '*/*',
    success: { status: OPEN_STATUS, meaning: 'a redirect to the signed download link' },
    bodyShown: false,
    repeat: 'safe',
    changes: false,
    schemas: ({ anything }) => ({ data: anything }),
  }),
  evaluationByRut: call({
    tag: 'evaluations',
    section: 'Evaluation reads',
    summary: 'read the latest evaluation of a national id',
    notShown: { status: 46, statuses: { 404: 46 } },
    method: 'GET',
    path: '/partner/pre-approve/rut/{rut}',
    params: [{ name: 'rut', meaning: 'The national id of the customer: <digits>-<check character>' }],
    success: { status: 200, meaning: 'the latest evaluation' },
    statuses: { 404: { outcome: 'not-found', meaning: 'no evaluation for this national id' } },
    formats: { request: { rut: 'national-id' }, answer: { urlInforme: 'link' } },
    repeat: 'safe',
    changes: false,
    schemas: (shapes) => ({ data: evaluationRecord(shapes) }),
  }),
  evaluationByLead: call({
    tag: 'evaluations',
    section: 'Evaluation reads',
    summary: 'read the evaluation of a lead',
    notShown: { path: 14, status: 46, statuses: { 404: 46 } },
    method: 'GET',
    path: '/partner/pre-approve/lead/{leadId}',
    params: [LEAD_ID],
    pathSetting: 'paths.evaluationByLead',
    success: { status: 200, meaning: "the lead's evaluation" },
    statuses: {
      404: { outcome: 'not-found', meaning: 'there is no lead with this id, or its evaluation is not finished' },
    },
    formats: { answer: { urlInforme: 'link' } },
    repeat: 'safe',
    changes: false,
    schemas: (shapes) => ({ data: evaluationRecord(shapes) }),
  }),
  listLeads: call({
    tag: 'evaluations',
    section: 'Evaluation reads',
    summary: 'list leads',
    notShown: { path: 14, status: 46, query: 14, answer: 44, answerFields: { idPreAprobacion: 14 } },
    method: 'GET',
    path: '/partner/leads',
    pathSetting: 'paths.leads',
    success: { status: 200, meaning: 'the leads; each row has idPreAprobacion, never urlInforme' },
    repeat: 'safe',
    changes: false,
    dataShapeShown: false,
    schemas: ({ array, looseObject, nullable, optional, string }) => ({
      data: array(looseObject({ idPreAprobacion: optional(nullable(string())) })),
    }),
  }),
  getLead: call({
    tag: 'evaluations',
    section: 'Evaluation reads',
    summary: 'read the details of a lead',
    notShown: { path: 14, status: 46, answer: 14, statuses: { 404: 46 } },
    method: 'GET',
    path: '/partner/leads/{leadId}',
    params: [LEAD_ID],
    pathSetting: 'paths.lead',
    success: { status: 200, meaning: 'the lead, without idPreAprobacion and urlInforme' },
    statuses: { 404: { outcome: 'not-found', meaning: 'no lead with this id' } },
    repeat: 'safe',
    changes: false,
    dataShapeShown: false,
    schemas: ({ anything }) => ({ data: anything }),
  }),
  addEntity: call({
    ...COMMON,
    summary: 'add an entity',
    notShown: { path: 51, status: 51, request: 51, answer: 51, statuses: { 428: 51 } },
    method: 'POST',
    path: '/partner/entity',
    writesJson: true,
    success: { status: 201, meaning: 'the entity, whose id is the entityId of evaluations and widget sessions' },
    bodyShown: false,
    statuses: {
      428: {
        outcome: 'refused',
        meaning: 'it exists already: an entity of the account has this label or externalEntityId',
      },
    },
    repeat: 'reconcile',
    changes: true,
    reconcile: findOutBy('look-for-entity'),
    schemas: ({ anything, boolean, optional, strictObject, text }) => ({
      request: strictObject({
        externalEntityId: text,
        name: text,
        label: text,
        isActive: boolean(),
        idNumber: optional(text),
        code: optional(text),
        description: optional(text),
      }),
      data: anything,
    }),
  }),
  listEntities: call({
    ...COMMON,
    summary: 'list the entities of the account',
    notShown: { path: 51, status: 51, answer: 51 },
    method: 'GET',
    path: '/partner/entity',
    pathSetting: 'paths.entities',
    success: { status: 200, meaning: 'the entities of the account' },
    repeat: 'safe',
    changes: false,
    dataShapeShown: false,
    schemas: ({ array, looseObject, optional, string }) => ({
      data: array(looseObject({ externalEntityId: optional(string()), label: optional(string()) })),
    }),
  }),
  setEntity: call({
    ...COMMON,
    summary: 'change an entity',
    notShown: { path: 51, status: 51, request: 51, answer: 51, statuses: { 404: 51 } },
    method: 'PATCH',
    path: '/partner/entity/{entityId}',
    pathSetting: 'paths.entity',
    params: [{ name: 'entityId', meaning: 'The id of the entity' }],
    writesJson: true,
    success: { status: 200, meaning: 'the changed entity' },
    bodyShown: false,
    statuses: { 404: { outcome: 'not-found', meaning: 'no entity with this id' } },
    repeat: 'safe',
    changes: true,
    schemas: ({ anything, boolean, optional, strictObject, text }) => ({
      request: strictObject({ name: optional(text), isActive: optional(boolean()) }),
      data: anything,
    }),
  }),
} as const
