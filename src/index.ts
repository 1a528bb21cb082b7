import { type ApiClient, createApiClient } from './client/client.ts'
import { DEFAULT_RETRY } from './client/retry.ts'
import type { EndpointName, KeyedEndpoint, Params, RequestBody } from './contract/endpoints.ts'
import type { Transport } from './contract/wire.ts'
import { idText } from './domain/destination.ts'
import { findPreApproveId } from './domain/identifiers.ts'
import { connectionOf, keyOf, refuseBadSettings, registeredDestination, SYSTEM_CLOCK } from './library/client.ts'
import { rawNumbersAsText } from './text/json-text.ts'

export type { Transport, WireFailureKind, WireRequest, WireResponse } from './contract/wire.ts'
export { WireFailure } from './contract/wire.ts'
export type { Advice, CallOutcome, ErrorKind, Exchange } from './errors.ts'
export { BnplError } from './errors.ts'
export type { PaymentPage } from './library/payment-page.ts'
export { paymentPageUrl } from './library/payment-page.ts'

/** The settings of a client. */
export interface ClientOptions {
  /** The base address of the account: `https:`, or `http:` on this machine. The key is sent only there. */
  baseUrl: string
  /** The API key, test or production. White space around it is removed. */
  apiKey: string
  /**
   * The time limit of a call with all its attempts, in ms, above 0. The default is 30 000. The waits between the attempts do not count. They
   * are at most 60 s each. To limit the whole time of a call, use a signal such as `AbortSignal.timeout(2000)`.
   */
  timeoutMs?: number
  /**
   * The maximum number of attempts of a call. The default is 3. A call that is not safe to repeat is repeated only if the service
   * certainly did not process it.
   */
  attempts?: number
  /** The field of an evaluation that contains the pre-approval id, if it is neither `preApproveId` nor `idPreAprobacion`. */
  preApproveIdField?: string
  /** Paths of the calls whose path the specification does not show: `paths.evaluationByLead`, `paths.leads`, `paths.lead`, `paths.entities`, `paths.entity`. */
  paths?: {
    readonly [Setting in
      | 'paths.evaluationByLead'
      | 'paths.leads'
      | 'paths.lead'
      | 'paths.entities'
      | 'paths.entity']?: string
  }
  /**
   * Encodings that the specification does not show. `bodies.verification`, `bodies.registration` and `bodies.subscription` are `form` (the
   * default) or `json`. `bodies.eventTypes` says how a form contains the list `eventTypes`: `brackets` (the default), `repeated`,
   * `indexed` or `comma`.
   */
  bodies?: {
    readonly [Setting in 'bodies.verification' | 'bodies.registration' | 'bodies.subscription']?: 'form' | 'json'
  } & { readonly 'bodies.eventTypes'?: 'brackets' | 'repeated' | 'indexed' | 'comma' }
  /** The variables with the proxy settings. Pass `process.env` to use HTTPS_PROXY and NO_PROXY. */
  env?: Readonly<Record<string, string | undefined>>
  /** Replaces the network in tests. It takes a request as plain data and returns an answer as plain data. */
  transport?: Transport
}

/** The options of a single call. */
export interface CallOptions {
  /** Aborts the call, which then fails with the signal's reason, or with `outcome-unknown` if it was sent and is not safe to repeat. */
  signal?: AbortSignal
}

/** One way to pay: the number of payments, the amount of each payment, and the sum of all payments. Amounts are in whole currency units. */
export interface InstallmentOption {
  installments: number
  amount: number
  total: number
  [field: string]: unknown
}

/** An evaluation: the offered options, and the id that later steps need. The id is null if the answer has no known id field. */
export interface Evaluation {
  preApproveId: string | null
  installmentOptions: InstallmentOption[]
  [field: string]: unknown
}

/** A customer and an amount. `idNumber` has the form `<digits>-<check character>`. `amount` is in whole currency units. */
export interface EvaluateRequest {
  idNumber: string
  amount: number
  entityId: string
  externalTrxId: string
}

/** The option that the customer chose. `installmentOption` is its number of installments. */
export interface SelectRequest {
  preApproveId: string
  installmentOption: number
  externalTrxId: string
  amount: number
}

export interface LoanRequest {
  loanRequestId: string
  /** The step of the payment at which the widget is loaded, such as AUTHORIZATION. */
  step: string
  preApproveId: string
  [field: string]: unknown
}

export interface WidgetRequest {
  amount: number
  externalTrxId: string
  entityId: string
  email: string
  /** The evaluation to which the session belongs. Leave it out if the service does not know this field; the specification does not. */
  preApproveId?: string
}

/** A widget session. The token is valid for 10 minutes after its creation, or until `validUntil`. */
export interface WidgetSession {
  /** True also if the answer contains a token and does not say whether the session was accepted. */
  accepted: boolean
  widgetToken?: string | null | undefined
  /** Until when the token is valid, as the service wrote it, usually in ms since 1970. Not every service sends it. */
  validUntil?: unknown
  [field: string]: unknown
}

/**
 * The loan of a transaction. Amounts are in whole currency units. The rate is a decimal fraction. Dates are YYYY-MM-DD, or times in UTC if
 * the service writes them so.
 */
export interface Loan {
  loanAmount: number
  interestRate: number
  periods: number
  installmentAmount: number
  lastInstallmentAmount: number
  state: string
  transferDate: string
  externalTrxId: string
  installments: { state: string; period: number; expirationDate: string; [field: string]: unknown }[]
  [field: string]: unknown
}

/** The answer to a cancellation, with all fields that the service sent. */
export interface Cancellation {
  /** What the customer gets back: the sum of the installments that were paid, in whole currency units. */
  refundAmount?: number | undefined
  [field: string]: unknown
}

/** An entity of an account, with all fields that the service sent. */
export interface Entity {
  externalEntityId?: string | undefined
  label?: string | undefined
  [field: string]: unknown
}

/** A new entity. Its label and its `externalEntityId` must be new in the account. */
export interface EntityRequest {
  externalEntityId: string
  name: string
  label: string
  isActive: boolean
  idNumber?: string
  code?: string
  description?: string
}

/** A webhook destination, with all fields that the service sent. */
export interface Destination {
  id: string
  url: string
  verificationScheme?: string | undefined
  [field: string]: unknown
}

/** A destination that was registered now, with all fields that the service sent. */
export interface RegisteredDestination extends Destination {
  /**
   * The secret with which the deliveries are verified. The service shows it only here, so store it. Undefined if the answer contains none;
   * then ask the support of the service.
   */
  secret?: string | undefined
}

export interface SubscribeRequest {
  url: string
  eventTypes: string[]
  filters?: Record<string, string>
}

/**
 * A client for the service, with a method for each call. Every answer is checked against the contract, and unknown fields are kept. A whole
 * number in an unknown field that JavaScript cannot hold exactly, such as an id of 19 digits, is text with the digits that were sent. A
 * method that fails throws a `BnplError`. Its `kind` says what happened (`auth`, `refused`, `not-found`, `rate-limited`, `service`,
 * `network`, `outcome-unknown`, …). Its `message` says what this means for the call. Its `hint` says what to do, and its `advice` is the
 * hint as data. `outcome-unknown` means that the call was sent, is not safe to repeat, and got no clear answer.
 */
export interface Client {
  /** Evaluates a customer for an amount. Not safe to repeat. */
  evaluate: (request: EvaluateRequest, options?: CallOptions) => Promise<Evaluation>
  /** Tells the service which option the customer chose. Needed only if the merchant shows the options. Not safe to repeat. */
  select: (request: SelectRequest, options?: CallOptions) => Promise<LoanRequest>
  /** Creates a widget token. Call this only from the merchant's backend. Not safe to repeat. */
  startWidget: (request: WidgetRequest, options?: CallOptions) => Promise<WidgetSession>
  /** Returns the loan of a transaction. Throws `not-found` while the transaction has no loan. Safe to repeat. */
  verifyLoan: (externalTrxId: string, options?: CallOptions) => Promise<Loan>
  /**
   * Cancels the loan of a transaction. The specification does not have this call, and not every service has it; banca.me publishes it, for 60
   * days after the loan's `transferDate`. Not safe to repeat: after `outcome-unknown`, verify the loan and look at its state.
   */
  cancelLoan: (externalTrxId: string, options?: CallOptions) => Promise<Cancellation>
  /**
   * Registers a destination for the events of BNPL. Its deliveries are signed with an HMAC. Before you repeat this call, check with
   * `listWebhooks` whether the destination exists.
   */
  registerWebhook: (url: string, options?: CallOptions) => Promise<RegisteredDestination>
  /**
   * Registers a destination for real-estate events, which are sent with a token.
   * @param more fields that the specification does not name, such as the project
   */
  subscribeWebhook: (
    request: SubscribeRequest,
    more?: Readonly<Record<string, string>>,
    options?: CallOptions,
  ) => Promise<RegisteredDestination>
  /** Returns the webhook destinations of the account. */
  listWebhooks: (options?: CallOptions) => Promise<Destination[]>
  /** Deletes a destination. Another destination can be registered in its place immediately. */
  deleteWebhook: (id: string, options?: CallOptions) => Promise<void>
  /** Creates a link to an evaluation report. The link is valid for 30 minutes. Open the link without sending the API key, and never store the link. */
  getInforme: (preApproveId: string, options?: CallOptions) => Promise<{ url: string; [field: string]: unknown }>
  /** Returns the latest evaluation of the person with this national id. */
  evaluationByRut: (rut: string, options?: CallOptions) => Promise<Record<string, unknown>>
  /** Returns the evaluation of a lead. Needs `paths['paths.evaluationByLead']`. */
  evaluationByLead: (leadId: string, options?: CallOptions) => Promise<Record<string, unknown>>
  /** Returns the leads. Needs `paths['paths.leads']`. */
  listLeads: (options?: CallOptions) => Promise<Record<string, unknown>[]>
  /** Returns the details of a lead. Needs `paths['paths.lead']`. */
  getLead: (leadId: string, options?: CallOptions) => Promise<Record<string, unknown>>
  /**
   * Adds an entity to the account. The specification does not have the calls for entities, and not every service has them; banca.me publishes
   * this one. Throws `refused` with the status 428 if the entity exists already.
   */
  addEntity: (request: EntityRequest, options?: CallOptions) => Promise<Entity>
  /** Returns the entities of the account. Needs `paths['paths.entities']`. */
  listEntities: (options?: CallOptions) => Promise<Entity[]>
  /** Changes the name of an entity, or whether it is active. Needs `paths['paths.entity']`. Safe to repeat. */
  setEntity: (entityId: string, change: { name?: string; isActive?: boolean }, options?: CallOptions) => Promise<Entity>
  /**
   * Closes the connections that were kept for later calls, so that the process can end. Calls in progress are interrupted if they are safe
   * to repeat. Other calls in progress still get their answer. Later calls open new connections.
   */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Creates a client without sending anything. Throws `BnplError` (`config`) for an option that cannot be used. */
export function createClient(options: ClientOptions): Client {
  refuseBadSettings(options)
  const apiKey = keyOf(options.apiKey)
  const { transport, close } = connectionOf(options)
  const core = (call: CallOptions = {}): ApiClient =>
    createApiClient({
      transport,
      baseUrl: options.baseUrl,
      apiKey,
      clock: SYSTEM_CLOCK,
      random: Math.random,
      timeoutMs: options.timeoutMs ?? 30_000,
      retry: { ...DEFAULT_RETRY, attempts: options.attempts ?? DEFAULT_RETRY.attempts },
      ...(options.paths ? { paths: options.paths } : {}),
      ...(options.bodies ? { bodies: options.bodies } : {}),
      ...(call.signal ? { signal: call.signal } : {}),
    })
  const dataOf = async <Name extends EndpointName>(
    call: CallOptions | undefined,
    name: Name,
    params: Params<Name>,
    body: RequestBody<Name>,
  ) => rawNumbersAsText((await core(call).call(name, { params, body })).data)
  const client: Client = {
    select: (body, call) => dataOf(call, 'select', {}, body),
    startWidget: (body, call) => dataOf(call, 'startWidget', {}, body),
    verifyLoan: (externalTrxId, call) => dataOf(call, 'verifyLoan', { externalTrxId }, {}),
    cancelLoan: (externalTrxId, call) => dataOf(call, 'cancelLoan', { externalTrxId }, {}),
    getInforme: (preApproveId, call) => dataOf(call, 'getInforme', { preApproveId }, {}),
    evaluationByRut: (rut, call) => dataOf(call, 'evaluationByRut', { rut }, {}),
    evaluationByLead: (leadId, call) => dataOf(call, 'evaluationByLead', { leadId }, {}),
    listLeads: (call) => dataOf(call, 'listLeads', {}, {}),
    addEntity: (request, call) => dataOf(call, 'addEntity', {}, request),
    listEntities: (call) => dataOf(call, 'listEntities', {}, {}),
    setEntity: (entityId, change, call) => dataOf(call, 'setEntity', { entityId }, change),
    getLead: (leadId, call) => dataOf(call, 'getLead', { leadId }, {}),
    async evaluate(body, call) {
      const { data } = await core(call).call('evaluate', { params: {}, body })
      const { preApproveId } = findPreApproveId(data, options.preApproveIdField)
      return { ...rawNumbersAsText(data), preApproveId }
    },
    async registerWebhook(url, call) {
      const api = core(call)
      const { data } = await api.call('registerWebhook', { params: {}, body: { url } })
      return registeredDestination(api, data, { url, scheme: 'hmac' })
    },
    async subscribeWebhook(request, more, call) {
      const api = core(call)
      const { data } = await api.call('subscribeWebhook', { params: {}, body: { ...more, ...request } as never })
      return registeredDestination(api, data, { url: request.url, scheme: 'token' })
    },
    // The specification does not show the type of the id (gap 44), so ids are always returned as text.
    listWebhooks: async (call) =>
      (await core(call).call('listWebhooks', { params: {}, body: {} })).data.map((each) =>
        rawNumbersAsText({ ...each, id: idText(each.id) }),
      ),
    async deleteWebhook(id, call) {
      await core(call).call('deleteWebhook', { params: { id }, body: {} })
    },
    close,
    [Symbol.asyncDispose]: close,
  }
  // This compiles only if every call of the contract that takes a key is a method of `Client`.
  return client satisfies Record<KeyedEndpoint, unknown>
}
