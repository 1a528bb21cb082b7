import type { Kysely } from 'kysely'

/**
 * The tables of the sandbox. Times are ISO 8601 texts of the sandbox's clock, amounts integers, flags 0 or 1, lists and records JSON texts:
 * nothing that only one database knows.
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

/** Every table by name, and whether somebody watching the sandbox is told when it is written. */
export const TABLES: Readonly<Record<keyof Tables, { told: boolean }>> = {
  settings: { told: true },
  partners: { told: true },
  preApprovals: { told: true },
  loanRequests: { told: true },
  widgetSessions: { told: true },
  loans: { told: true },
  webhooks: { told: true },
  leads: { told: true },
  events: { told: true },
  deliveries: { told: true },
  deliveryAttempts: { told: true },
  requests: { told: true },
  faults: { told: true },
  reports: { told: true },
  // Nothing shows it, and every call writes it.
  rateLimits: { told: false },
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
}

/** An evaluation of a customer, whether it came from a payment (externalTrxId) or from a lead (leadId). */
export interface PreApprovalRow {
  id: string
  /** A different id of the same evaluation, which opens nothing. */
  preLoanRequestId: string
  partnerId: string
  leadId: string | null
  externalTrxId: string | null
  idNumber: string
  amount: number
  outcome: 'approved' | 'rejected' | 'limited'
  /** JSON: the options that were offered. */
  options: string
  /** JSON: the risk parameters and the other fields of the evaluation record. */
  details: string
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
  /** JSON list. */
  eventTypes: string
  /** JSON record, or null for no filter. */
  filters: string | null
  projectId: string | null
  secret: string
  createdAt: string
}

export interface LeadRow {
  id: string
  partnerId: string
  idNumber: string
  projectId: string | null
  /** How its evaluation will end. */
  outcome: 'approved' | 'rejected'
  /** JSON: the identity and contact fields. */
  contact: string
  createdAt: string
  /** When its evaluation finishes. */
  evaluateAt: string
  /** Set once the evaluation is finished. */
  preApproveId: string | null
}

/** Something a destination may be told. Written in the transaction that made it true. */
export interface EventRow {
  id: string
  partnerId: string
  type: 'loan_approved' | 'new_lead' | 'pre_approve'
  /** The transaction or the lead it is about. */
  subject: string
  /** JSON: what a delivery of it carries, the same for every destination and every retry. */
  data: string
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
  /** `lost`: a process died while it sent a new_lead, which is never sent again. */
  state: 'pending' | 'sending' | 'delivered' | 'failed' | 'lost' | 'cancelled'
  attempts: number
  /** When it is tried next. */
  dueAt: string
  claimedBy: string | null
  /** In the machine's time. */
  claimedUntil: string | null
  createdAt: string
}

export interface DeliveryAttemptRow {
  id: string
  deliveryId: string
  number: number
  at: string
  status: number | null
  ms: number
  error: string | null
  /** The start of what the receiver said. */
  answer: string
  chaos: string | null
}

/** A call that was answered. Bodies are masked; keys are never part of it. */
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
  /** JSON: the armed fault that it met; null where none did. */
  fault: string | null
}

/** Something that is to go wrong. */
export interface FaultRow {
  id: string
  /** Name of the endpoint it meets. */
  endpoint: string
  /** Calls that pass before. */
  skip: number
  /** Calls it still meets; -1 for every one. */
  times: number
  /** JSON: what goes wrong. */
  harm: string
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

/** How far the calls of a partner have used up its bucket. */
export interface RateLimitRow {
  /** The partner's. */
  id: string
  /** When the bucket is full again if no call comes, in microseconds since 1970. */
  fullAt: number
}
