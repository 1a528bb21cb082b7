import type { ComparedExchange } from '../../contract/compare/exchange.ts'
import type { EventType } from '../../contract/integrations.ts'
import type { InstallmentOption } from '../../domain/installments.ts'
import type { Environment } from '../conventions.ts'
import type { EVERY, FaultEffect, FaultPlace } from './fault-effect.ts'

/** JSON text in a column, with the type of its value. Only `toJsonColumn` makes such a text. */
type Json<T> = string & { readonly 'type of the content': T }

export function toJsonColumn<T>(value: T): Json<T> {
  return JSON.stringify(value) as Json<T>
}

export function fromJsonColumn<T>(text: Json<T>): T {
  return JSON.parse(text)
}

/** The tables of the sandbox. Times are ISO 8601 texts of the sandbox's clock, amounts are integers, and flags are 0 or 1. */
export interface Tables {
  settings: { name: string; value: string }
  partners: PartnerRow
  preApprovals: PreApprovalRow
  loanRequests: LoanRequestRow
  widgetSessions: WidgetSessionRow
  loans: LoanRow
  webhooks: WebhookRow
  entities: EntityRow
  leads: LeadRow
  events: EventRow
  deliveries: DeliveryRow
  deliveryAttempts: DeliveryAttemptRow
  requests: RequestRow
  faults: FaultRow
  reports: ReportRow
  rateLimits: RateLimitRow
  changes: ChangeRow
}

export const TABLE_NAMES = [
  'settings',
  'partners',
  'preApprovals',
  'loanRequests',
  'widgetSessions',
  'loans',
  'webhooks',
  'entities',
  'leads',
  'events',
  'deliveries',
  'deliveryAttempts',
  'requests',
  'faults',
  'reports',
  'rateLimits',
  'changes',
] as const satisfies readonly (keyof Tables)[]

/** The tables that a reset does not empty. */
type Lasting = 'settings' | 'partners' | 'rateLimits' | 'changes'

/** The tables with the data of a sandbox, which a reset empties. */
export const DATA_TABLES = TABLE_NAMES.filter(
  (name): name is Exclude<keyof Tables, Lasting> => !['settings', 'partners', 'rateLimits', 'changes'].includes(name),
)

export interface PartnerRow {
  id: string
  position: number
  name: string
  product: 'bnpl' | 'real-estate'
  evaluationModule: number
  active: number
  apiKey: string
  publicKey: string
  entityId: string
  /** Each account has two rows with the same `entityId`, one for each environment. */
  environment: Environment
}

/** An evaluation of a customer for a payment (externalTrxId) or a lead (leadId). */
export interface PreApprovalRow {
  id: string
  /** A second id of the evaluation. The service does not accept this id for reports. */
  preLoanRequestId: string
  partnerId: string
  leadId: string | null
  externalTrxId: string | null
  idNumber: string
  amount: number
  outcome: 'approved' | 'rejected' | 'limited'
  options: Json<readonly InstallmentOption[]>
  /** The risk parameters and the other fields of the evaluation record. */
  details: Json<Readonly<Record<string, unknown>>>
  createdAt: string
}

export interface LoanRequestRow {
  id: string
  partnerId: string
  preApproveId: string
  externalTrxId: string
  installments: number
  createdAt: string
}

export interface WidgetSessionRow {
  /** The `jti` of the token. */
  id: string
  partnerId: string
  externalTrxId: string
  amount: number
  preApproveId: string | null
  createdAt: string
  expiresAt: string
  endedAt: string | null
  outcome: 'paid' | 'rejected' | 'cancelled' | null
  /** The step at which the page asks the customer something after the options, or null. */
  step: 'PAYMENT_SUBSCRIPTION' | 'AUTHORIZATION' | null
  /** The number of installments that the customer chose on the page, or null. */
  installments: number | null
  /** Why the payment was rejected, such as `USER_HAS_ACTIVE_LOAN`. Null if it was not. */
  reason: string | null
  /** How many wrong codes the customer has typed. */
  wrongCodes: number
}

export interface LoanRow {
  id: string
  partnerId: string
  externalTrxId: string
  preApproveId: string
  loanAmount: number
  interestRate: number
  periods: number
  installmentAmount: number
  lastInstallmentAmount: number
  state: string
  transferDate: string
  createdAt: string
  /** When a verification first returned this loan, or null. */
  verifiedAt: string | null
  cancelledAt: string | null
  /** How many installments the customer has paid. They are paid in the order of their periods. */
  paidInstallments: number
}

/** An entity of an account, beside the entity that each account has (`PartnerRow.entityId`). */
export interface EntityRow {
  id: string
  partnerId: string
  externalEntityId: string
  name: string
  label: string
  isActive: number
  idNumber: string | null
  code: string | null
  description: string | null
  createdAt: string
}

export interface WebhookRow {
  id: string
  partnerId: string
  url: string
  verificationScheme: 'hmac' | 'token'
  eventTypes: Json<readonly string[]>
  filters: Json<Readonly<Record<string, string>>> | null
  projectId: string | null
  secret: string
  createdAt: string
}

/** The identity and contact fields of a lead, by the names that the service gives them. */
export interface LeadContact {
  rut: string
  nombres: string
  apellidoPaterno: string
  apellidoMaterno: string
  email: string
  telefono: string
  fechaNacimiento: string
  direccion: string
  comuna: string
  region: string
}

export interface LeadRow {
  id: string
  partnerId: string
  idNumber: string
  projectId: string | null
  outcome: 'approved' | 'rejected'
  contact: Json<LeadContact>
  createdAt: string
  evaluateAt: string
  /** The evaluation of the lead, or null until it is finished. */
  preApproveId: string | null
}

/** An event, stored in the same transaction as the change that it reports. */
export interface EventRow {
  id: string
  partnerId: string
  type: EventType
  /** The id of a transaction or lead. */
  subject: string
  data: Json<Record<string, unknown>>
  createdAt: string
}

export interface DeliveryRow {
  id: string
  eventId: string
  webhookId: string
  partnerId: string
  position: number
  type: EventRow['type']
  /** `lost`: a simulated fault prevents the delivery, or a process stopped while it sent a new_lead, which must not be sent twice. */
  state: 'pending' | 'sending' | 'delivered' | 'failed' | 'lost' | 'cancelled'
  attempts: number
  dueAt: string
  claimedBy: string | null
  /** When the claim of the sending process expires. This is real time, not the sandbox's time. */
  claimedUntil: string | null
  createdAt: string
  fault: Json<FaultEffect> | null
}

export interface DeliveryAttemptRow {
  id: string
  deliveryId: string
  number: number
  at: string
  status: number | null
  ms: number
  error: string | null
  /** The first characters of the body that the receiver answered with. */
  answer: string
  /** The kind of fault, or how the attempt was changed on request. Null for an unchanged attempt. */
  fault: string | null
}

/** A request. The status is 0 if there was no complete answer. The bodies are masked, and the key is not stored. */
export interface RequestRow {
  id: string
  at: string
  partner: string | null
  method: string
  path: string
  status: number
  ms: number
  requestBody: string | null
  responseBody: string | null
  fault: Json<FaultEffect> | null
  /** The facts about a call that `bnpl proxy` passed on to another service. Null for a request to the sandbox. */
  passed: Json<PassedCall> | null
}

/** What is stored about a call that `bnpl proxy` passed on. It excludes the bodies, which contain data of real people. */
export type PassedCall = { service: string } & Pick<ComparedExchange, 'endpoint' | 'problems'>

export interface FaultRow {
  id: string
  endpoint: FaultPlace | typeof EVERY
  skip: number
  /** How many more calls the fault applies to, or -1 for all calls. */
  times: number
  effect: Json<FaultEffect>
  createdAt: string
}

/** A rendered report. Its `id` is the id of the pre-approval. */
export interface ReportRow {
  id: string
  /** SHA-256 of the data from which the report was rendered. */
  fingerprint: string
  renderedAt: string
  /** The file, in base64. */
  pdf: string
}

interface RateLimitRow {
  /** The id of the account, a space, and the name of the endpoint. */
  id: string
  /** When a full `burst` is allowed again if no call is made, in microseconds since 1970. */
  fullAt: number
}

/**
 * What causes writes. `request` is a call of the merchant, `customer` a visit of the payment page, `time` an evaluation that became due,
 * `control` a control of the window or a command, `delivery` another attempt at a delivery, and `state` a reset or a loaded snapshot.
 */
export type CauseKind = 'request' | 'customer' | 'time' | 'control' | 'delivery' | 'state'

/** What can change. `token` is a payment on the payment page, and `retries` are the waits before a delivery is sent again. */
export type ChangeKind =
  | 'evaluation'
  | 'selection'
  | 'token'
  | 'loan'
  | 'destination'
  | 'lead'
  | 'event'
  | 'delivery'
  | 'fault'
  | 'account'
  | 'clock'
  | 'retries'

/** A change of a row, with what caused it. See `store/changes.ts`. */
export interface ChangeRow {
  id: number
  /** A `WriteCause`. */
  cause: string
  /** `snapshot` is not a change: it says that the snapshot with the id `rowId` was loaded. */
  kind: ChangeKind | 'snapshot'
  how: 'came' | 'changed' | 'went'
  rowId: string
  about: string
  /** The name of the account; null if the row belongs to no account. */
  account: string | null
  /** The listed fields before and after the change, as objects in JSON; null for a row that did not or does not exist. */
  before: string | null
  after: string | null
}

const FIRST_TABLES = `
  create table settings (name text primary key, value text not null);
  create table partners (
    id text primary key, name text not null, product text not null, apiKey text not null, publicKey text not null,
    entityId text not null, position bigint not null, evaluationModule bigint not null, active bigint not null,
    constraint partnersApiKey unique (apiKey), constraint partnersPosition unique (position)
  );
  create table preApprovals (
    id text primary key, preLoanRequestId text not null, partnerId text not null, idNumber text not null,
    outcome text not null, options text not null, details text not null, createdAt text not null,
    leadId text, externalTrxId text, amount bigint not null
  );
  create index preApprovalsBypartnerIdexternalTrxId on preApprovals (partnerId, externalTrxId);
  create index preApprovalsBypartnerIdidNumber on preApprovals (partnerId, idNumber);
  create table loanRequests (
    id text primary key, partnerId text not null, preApproveId text not null, externalTrxId text not null,
    createdAt text not null, installments bigint not null
  );
  create index loanRequestsBypreApproveId on loanRequests (preApproveId);
  create table widgetSessions (
    id text primary key, partnerId text not null, externalTrxId text not null, createdAt text not null,
    expiresAt text not null, preApproveId text, endedAt text, outcome text, amount bigint not null
  );
  create index widgetSessionsBypartnerIdexternalTrxId on widgetSessions (partnerId, externalTrxId);
  create table loans (
    id text primary key, partnerId text not null, externalTrxId text not null, preApproveId text not null,
    state text not null, transferDate text not null, createdAt text not null, periods bigint not null,
    loanAmount bigint not null, installmentAmount bigint not null, lastInstallmentAmount bigint not null,
    interestRate double precision not null, constraint oneLoanPerTransaction unique (partnerId, externalTrxId)
  );
  create table webhooks (
    id text primary key, partnerId text not null, url text not null, verificationScheme text not null,
    eventTypes text not null, secret text not null, createdAt text not null, filters text, projectId text
  );
  create index webhooksBypartnerId on webhooks (partnerId);
  create table leads (
    id text primary key, partnerId text not null, idNumber text not null, outcome text not null, contact text not null,
    createdAt text not null, evaluateAt text not null, projectId text, preApproveId text
  );
  create index leadsBypartnerIdcreatedAt on leads (partnerId, createdAt);
  create index leadsByevaluateAt on leads (evaluateAt);
  create table events (
    id text primary key, partnerId text not null, type text not null, subject text not null, data text not null,
    createdAt text not null
  );
  create table requests (
    id text primary key, at text not null, method text not null, path text not null, partner text, requestBody text,
    responseBody text, status bigint not null, ms bigint not null
  )`

const DELIVERY_TABLES = `
  create table deliveries (
    id text primary key, eventId text not null, webhookId text not null, partnerId text not null, type text not null,
    state text not null, dueAt text not null, createdAt text not null, claimedBy text, claimedUntil text,
    attempts bigint not null, position bigint not null
  );
  create index deliveriesBystatedueAt on deliveries (state, dueAt);
  create index deliveriesBywebhookId on deliveries (webhookId);
  create index deliveriesByposition on deliveries (position);
  create table deliveryAttempts (
    id text primary key, deliveryId text not null, at text not null, answer text not null, error text, chaos text,
    number bigint not null, ms bigint not null, status integer
  );
  create index deliveryAttemptsBydeliveryId on deliveryAttempts (deliveryId)`

/** Adds a second row with production keys for each account (specification: "Authentication"). Production has separate data. */
const PRODUCTION_KEYS = `
  alter table partners add column environment text default 'beta' not null;
  insert into partners
    (id, position, name, product, evaluationModule, active, entityId, environment, apiKey, publicKey)
    select
      lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' ||
        substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))),
      position + (select count(*) from partners), name || ' (production)', product, evaluationModule, active, entityId,
      'production', 'sk_sandbox_production_' || lower(hex(randomblob(24))),
      'pk_sandbox_production_' || lower(hex(randomblob(24)))
    from partners`

/** The steps that create and change the tables. Never edit a published step. Add a new step at the end. */
export const SCHEMA_STEPS: readonly string[] = [
  FIRST_TABLES,
  DELIVERY_TABLES,
  `create table faults (
    id text primary key, endpoint text not null, harm text not null, createdAt text not null, skip bigint not null,
    times bigint not null
  )`,
  'create table reports (id text primary key, fingerprint text not null, renderedAt text not null, pdf text not null)',
  'create index leadsBypreApproveIdevaluateAt on leads (preApproveId, evaluateAt)',
  'create index deliveriesBywebhookIdstateposition on deliveries (webhookId, state, position)',
  'create table rateLimits (id text primary key, fullAt bigint not null)',
  'alter table requests add column fault text; alter table loans add column verifiedAt text',
  PRODUCTION_KEYS,
  'alter table deliveries add column fault text',
  'alter table requests add column passed text',
  `create table changes (
    id integer primary key autoincrement, cause text not null, kind text not null, how text not null, rowId text not null,
    about text not null, account text, before text, after text
  )`,
  `alter table loans add column cancelledAt text;
    alter table loans add column paidInstallments bigint default 0 not null`,
  `alter table widgetSessions add column step text; alter table widgetSessions add column installments bigint;
    alter table widgetSessions add column reason text;
    alter table widgetSessions add column wrongCodes bigint default 0 not null`,
  `create table entities (
    id text primary key, partnerId text not null, externalEntityId text not null, name text not null, label text not null,
    isActive bigint not null, idNumber text, code text, description text, createdAt text not null
  )`,
  `alter table faults rename column harm to effect; alter table deliveryAttempts rename column chaos to fault`,
]

/** The setting that contains the version of the tables in files of bnpl 0.1. */
export const OLD_VERSION_SETTING = 'schemaVersion'
