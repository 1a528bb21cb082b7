import type { Kysely } from 'kysely'
import type { HeldExchange } from '../../contract/differences/exchange.ts'
import type { InstallmentOption } from '../../domain/installments.ts'
import type { Environment } from '../conventions.ts'
import type { EVERY, FaultPlace, Harm } from './harm.ts'
import type { Json } from './json-column.ts'

/**
 * The tables of the sandbox. Times are ISO 8601 texts of the sandbox's clock, amounts integers, flags 0 or 1, lists and records JSON texts:
 * every database has these types.
 */
export interface Tables {
  settings: { name: string; value: string }
  partners: PartnerRow
  preApprovals: PreApprovalRow
  loanRequests: LoanRequestRow
  widgetSessions: WidgetSessionRow
  loans: LoanRow
  webhooks: WebhookRow
  leads: LeadRow
  events: EventRow
  deliveries: DeliveryRow
  deliveryAttempts: DeliveryAttemptRow
  requests: RequestRow
  faults: FaultRow
  reports: ReportRow
  rateLimits: RateLimitRow
}

/** The database, or a transaction in it. */
export type Db = Kysely<Tables>

export interface PartnerRow {
  id: string
  /** Order in lists. */
  position: number
  name: string
  product: 'bnpl' | 'real-estate'
  evaluationModule: number
  active: number
  apiKey: string
  publicKey: string
  entityId: string
  /** The environment that its keys are for. An account has a row for each, with the same `entityId` and data of its own. */
  environment: Environment
}

/** An evaluation of a customer, whether it came from a payment (externalTrxId) or from a lead (leadId). */
export interface PreApprovalRow {
  id: string
  /** Another id of the same evaluation, which is not accepted for reports. */
  preLoanRequestId: string
  partnerId: string
  leadId: string | null
  externalTrxId: string | null
  idNumber: string
  amount: number
  outcome: 'approved' | 'rejected' | 'limited'
  /** The options that were offered. */
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
  /** The token's `jti`. */
  id: string
  partnerId: string
  externalTrxId: string
  amount: number
  preApproveId: string | null
  createdAt: string
  expiresAt: string
  endedAt: string | null
  outcome: 'paid' | 'rejected' | 'cancelled' | null
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
  /** When verification first answered with it; null until then. */
  verifiedAt: string | null
}

export interface WebhookRow {
  id: string
  partnerId: string
  url: string
  verificationScheme: 'hmac' | 'token'
  eventTypes: Json<readonly string[]>
  /** Null without a filter. */
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
  /** How its evaluation will end. */
  outcome: 'approved' | 'rejected'
  contact: Json<LeadContact>
  createdAt: string
  /** When its evaluation finishes. */
  evaluateAt: string
  /** Set once the evaluation is finished. */
  preApproveId: string | null
}

/** Something that happened. Written in the transaction in which it happened. */
export interface EventRow {
  id: string
  partnerId: string
  type: 'loan_approved' | 'new_lead' | 'pre_approve'
  /** The transaction or the lead it is about. */
  subject: string
  /** The data of its deliveries, the same for every destination and retry. */
  data: Json<Record<string, unknown>>
  createdAt: string
}

/** An event on its way to one destination. */
export interface DeliveryRow {
  id: string
  eventId: string
  webhookId: string
  partnerId: string
  /** Place in its destination's queue: counts up over all of them. */
  position: number
  type: EventRow['type']
  /** `lost`: a fault withholds it, or a process died while it sent a new_lead, which is never sent again. */
  state: 'pending' | 'sending' | 'delivered' | 'failed' | 'lost' | 'cancelled'
  attempts: number
  /** The time of the next attempt. */
  dueAt: string
  claimedBy: string | null
  /** In the machine's time. */
  claimedUntil: string | null
  createdAt: string
  /** The fault that applies to it; null without one. */
  fault: Json<Harm> | null
}

interface DeliveryAttemptRow {
  id: string
  deliveryId: string
  number: number
  at: string
  status: number | null
  ms: number
  error: string | null
  /** The start of the receiver's answer. */
  answer: string
  chaos: string | null
}

/** A request that was answered. Bodies are masked; keys are not kept. */
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
  /** The fault that applied to it; null without one. */
  fault: Json<Harm> | null
  /** Of a call of another service, which `bnpl proxy` saw; null for a request to the sandbox. */
  passed: Json<PassedCall> | null
}

/**
 * What is kept of a call of another service, which `bnpl proxy` passed on: the host of the service, and where it differed from the contract.
 * Its bodies are not kept, because the customers of another service are real people.
 */
export type PassedCall = { service: string } & Pick<HeldExchange, 'endpoint' | 'problems'>

/** A fault that is armed. */
export interface FaultRow {
  id: string
  endpoint: FaultPlace | typeof EVERY
  /** The calls that pass before it. */
  skip: number
  /** The calls that it still applies to; -1 for every call. */
  times: number
  harm: Json<Harm>
  createdAt: string
}

/** A drawn report, by its pre-approval's id. */
export interface ReportRow {
  id: string
  /** SHA-256 of the data it was drawn from. */
  fingerprint: string
  renderedAt: string
  /** The file, in base64. */
  pdf: string
}

/** How full the token bucket of an account and a call is. */
interface RateLimitRow {
  /** The account's id, a space, the name of the call. */
  id: string
  /** When the bucket is full again if no call comes, in microseconds since 1970. */
  fullAt: number
}
