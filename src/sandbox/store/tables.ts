import type { Kysely } from 'kysely'
import type { HeldExchange } from '../../contract/differences/exchange.ts'
import type { InstallmentOption } from '../../domain/installments.ts'
import type { Environment } from '../conventions.ts'
import type { EVERY, FaultPlace, Harm } from './harm.ts'
import type { Json } from './json-column.ts'

/** The tables of the sandbox. Times are ISO 8601 texts of the sandbox's clock, amounts are integers, and flags are 0 or 1. */
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
  type: 'loan_approved' | 'new_lead' | 'pre_approve'
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
  /** The first characters of the body that the receiver answered with. */
  answer: string
  chaos: string | null
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
  fault: Json<Harm> | null
  /** The facts about a call that `bnpl proxy` passed on to another service. Null for a request to the sandbox. */
  passed: Json<PassedCall> | null
}

/** What is stored about a call that `bnpl proxy` passed on. It excludes the bodies, which contain data of real people. */
export type PassedCall = { service: string } & Pick<HeldExchange, 'endpoint' | 'problems'>

export interface FaultRow {
  id: string
  endpoint: FaultPlace | typeof EVERY
  skip: number
  /** How many more calls the fault applies to, or -1 for all calls. */
  times: number
  harm: Json<Harm>
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
