import type { EndpointName } from '../../contract/endpoints.ts'
import type { InstallmentOption } from '../../domain/installments.ts'
import type { CustomerFate, PaymentStep, TestCustomer } from '../../sandbox/records/customers.ts'
import type { ShownCause, SinceView } from '../../sandbox/service/cause.ts'
import type { EVERY, FaultEffect, FaultPlace } from '../../sandbox/store/fault-effect.ts'
import type {
  DeliveryAttemptRow,
  DeliveryRow,
  LoanRow,
  PassedCall,
  PreApprovalRow,
  RequestRow,
  WebhookRow,
  WidgetSessionRow,
} from '../../sandbox/store/tables.ts'

/**
 * The data of the views. This file contains only types, and none needs Node, because the window's scripts are checked with the browser's
 * types. Times are ISO 8601.
 */

export interface Page<Row> {
  /** The number of the page, from 0. */
  page: number
  pageRows: number
  /** The number of rows on all pages together. */
  total: number
  rows: readonly Row[]
}

export interface ReportView {
  file: string
  pages: readonly string[]
}

export type PaymentState =
  | 'evaluated'
  | 'refused'
  | 'limited'
  | 'selected'
  | 'open'
  /** The payment page waits for the national id, because the transaction was not evaluated. */
  | 'waiting'
  | 'expired'
  /** The payment was paid, and its loan was cancelled. */
  | 'refunded'
  | NonNullable<WidgetSessionRow['outcome']>

export interface LoanView extends Pick<LoanRow, 'periods' | 'installmentAmount' | 'lastInstallmentAmount'> {
  at: string
  paidInstallments: number
  /** The sum of the paid installments, which a cancellation gives back. */
  paidAmount: number
  cancelledAt: string | null
  installments: readonly { expirationDate: string }[]
}

/** A payment with all its steps. A step is null until it is done. */
export interface PaymentView {
  partner: string
  externalTrxId: string
  amount: number
  state: PaymentState
  evaluated: {
    at: string
    outcome: PreApprovalRow['outcome']
    preApproveId: string
    /** The masked national id. */
    customer: string
    fate: CustomerFate
    options: readonly InstallmentOption[]
  } | null
  selected: { at: string; installments: number } | null
  token:
    | ({ at: string } & Pick<WidgetSessionRow, 'expiresAt' | 'endedAt' | 'outcome' | 'reason'> & {
          step: PaymentStep | null
        })
    | null
  loan: LoanView | null
  verified: { at: string } | null
}

/** What caused changes. `lead` is the name of the lead that the cause is about; null if it is about something else. */
export type CauseView = ShownCause & { lead: string | null }

export interface LeadView {
  leadId: string
  partner: string
  name: string
  place: string
  /** The masked national id. */
  customer: string
  projectId: string | null
  createdAt: string
  evaluateAt: string
  /** Null until the evaluation is finished. */
  outcome: 'approved' | 'rejected' | null
  amount: number | null
  preApproveId: string | null
}

/** The status is 0 if there was no complete answer. */
interface RequestView extends Omit<RequestRow, 'requestBody' | 'responseBody' | 'fault' | 'passed'> {
  fault: FaultEffect | null
  passed: PassedCall | null
  endpoint: EndpointName | null
  /** The transaction, lead or pre-approval that the request names; null if it names none. */
  about: string | null
}

/** What was wrong with a request. `said` is the message of the service, `meaning` and `hint` are from the contract. */
export interface ProblemView {
  code: string | null
  said: string | null
  meaning: string | null
  hint: string | null
  documented: boolean
}

export interface DeliveryView {
  deliveryId: string
  eventId: string
  type: DeliveryRow['type']
  subject: string
  /** Null when the destination was deleted. */
  url: string | null
  state: DeliveryRow['state']
  createdAt: string
  nextAttemptAt: string | null
  attempts: readonly (Omit<DeliveryAttemptRow, 'id' | 'deliveryId' | 'fault'> & {
    chaos: DeliveryAttemptRow['fault']
  })[]
  /** The time limit for the receiver's answer, in ms. */
  deadlineMs: number
}

/** The lists of the window. `row` is what the list shows of an object. `item` is the same object with all its details. */
export interface Lists {
  payments: { row: PaymentView; item: PaymentView & { profile: string; report: ReportView | null } }
  leads: { row: LeadView; item: LeadView & { profile: string; report: ReportView | null } }
  requests: {
    row: RequestView
    item: RequestView & {
      summary: string | null
      /** The fields that were sent, masked; a text if the body could not be read as fields; null if there was no body. */
      sent: Readonly<Record<string, unknown>> | string | null
      answer: Readonly<Record<string, unknown>> | string | null
      problem: ProblemView | null
      asCurl: string | null
      asBnpl: string | null
    }
  }
  deliveries: {
    row: DeliveryView
    item: DeliveryView & {
      stepsMs: readonly number[]
      scheme: WebhookRow['verificationScheme'] | null
      /** How many destinations got this event. */
      destinations: number
      headers: readonly { name: string; value: string }[]
      body: string
    }
  }
  changes: { row: CauseView; item: CauseView }
}

export type ListName = keyof Lists

export interface DestinationsView {
  partner: string
  product: 'bnpl' | 'real-estate'
  limit: number
  destinations: readonly {
    id: string
    url: string
    scheme: WebhookRow['verificationScheme']
    events: readonly string[]
    filters: Readonly<Record<string, string>> | null
    projectId: string | null
    secret: string
    createdAt: string
  }[]
}

export interface AccountView {
  name: string
  product: 'bnpl' | 'real-estate'
  evaluationModule: boolean
  active: boolean
  apiKey: string
  publicKey: string
  entityId: string
  /** `base` is the prefix of all paths of the production environment. */
  production: { name: string; apiKey: string; publicKey: string; base: string }
  profile: string | null
}

export interface FaultView extends FaultEffect {
  id: string
  endpoint: FaultPlace | typeof EVERY
  skip: number
  times: number | null
}

/** A place at which a fault can be added, with the kinds of faults for this place. The path is '' if the place is not a single endpoint. */
interface PlaceView {
  name: FaultPlace | typeof EVERY
  method: string
  path: string
  kinds: readonly string[]
}

export interface ControlsView {
  partners: readonly AccountView[]
  customers: readonly TestCustomer[]
  endpoints: readonly PlaceView[]
  faults: readonly FaultView[]
  /** The names of the snapshots; null when the sandbox has no folder for them. */
  snapshots: readonly string[] | null
  /** The service that the sandbox is, and its answers that differ from the conventions of the sandbox. */
  service: { name: string; answers: readonly { field: string; answer: string }[] }
}

export interface Views {
  payments: Page<Lists['payments']['row']>
  payment: Lists['payments']['item'] | null
  leads: Page<Lists['leads']['row']>
  lead: Lists['leads']['item'] | null
  requests: Page<Lists['requests']['row']>
  request: Lists['requests']['item'] | null
  deliveries: Page<Lists['deliveries']['row']>
  delivery: Lists['deliveries']['item'] | null
  destinations: { partners: readonly DestinationsView[]; stepsMs: readonly number[] }
  changes: Page<Lists['changes']['row']> & SinceView
  change: Lists['changes']['item'] | null
  controls: ControlsView
}

/** The fields that the window's scripts read in the results of control actions. `rows.test.ts` checks that the results contain them. */
export interface ActionResults {
  pay: { outcome: 'paid' | 'rejected' | 'cancelled' | 'open' }
  clock: { now: string }
  lead: { partner: string }
  deliver: readonly { results: readonly { status: number | null; error: string | null }[] }[]
}
