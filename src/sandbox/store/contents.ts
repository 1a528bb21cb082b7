import { readSetting } from './settings.ts'
import type { Db } from './store.ts'
import type {
  DeliveryAttemptRow,
  DeliveryRow,
  EventRow,
  FaultRow,
  LeadRow,
  LoanRequestRow,
  LoanRow,
  PartnerRow,
  PreApprovalRow,
  RequestRow,
  WebhookRow,
  WidgetSessionRow,
} from './tables.ts'
import { isOfListener } from './webhooks.ts'

/** The rows of a sandbox at one moment, without keys, secrets and stored HTTP answers. */
export type Contents = ReturnType<typeof readContents>

/**
 * Returns the rows that are needed to compare two moments. Requests are read last, so that they include the requests that created the other
 * rows.
 */
export function readContents(db: Db) {
  const steps = readSetting(db, 'deliverySteps')
  return {
    /** How far the clock was moved ahead, in ms. */
    aheadMs: Number(readSetting(db, 'clockOffsetMs') ?? 0),
    /** The waits between delivery attempts, as a JSON list of ms. Null if nobody has set them. */
    steps: steps ?? null,
    accounts: db.all<Pick<PartnerRow, 'id' | 'name'>>('select id, name from partners'),
    evaluations:
      db.all<
        Pick<
          PreApprovalRow,
          'id' | 'partnerId' | 'leadId' | 'externalTrxId' | 'idNumber' | 'amount' | 'outcome' | 'details' | 'createdAt'
        >
      >('select * from preApprovals'),
    selections: db.all<LoanRequestRow>('select * from loanRequests'),
    tokens: db.all<Omit<WidgetSessionRow, 'preApproveId'>>('select * from widgetSessions'),
    loans:
      db.all<
        Pick<
          LoanRow,
          'id' | 'partnerId' | 'externalTrxId' | 'preApproveId' | 'loanAmount' | 'periods' | 'createdAt' | 'verifiedAt'
        >
      >('select * from loans'),
    destinations: db
      .all<Omit<WebhookRow, 'verificationScheme'>>('select * from webhooks')
      .map(({ secret, ...row }) => ({ ...row, isListener: isOfListener({ secret }) ? 1 : 0 })),
    leads: db.all<Omit<LeadRow, 'contact' | 'evaluateAt'>>('select * from leads'),
    events: db.all<Omit<EventRow, 'data'>>('select * from events'),
    deliveries: db.all<
      Pick<DeliveryRow, 'id' | 'eventId' | 'webhookId' | 'partnerId' | 'type' | 'state' | 'createdAt' | 'fault'>
    >('select id, eventId, webhookId, partnerId, type, state, createdAt, fault from deliveries'),
    attempts: db.all<Omit<DeliveryAttemptRow, 'ms' | 'answer'>>('select * from deliveryAttempts'),
    faults: db.all<FaultRow>('select * from faults'),
    // Leave out calls to another service, because they changed nothing in this sandbox.
    requests: db.all<Omit<RequestRow, 'ms' | 'responseBody' | 'passed'>>(
      'select * from requests where passed is null order by id',
    ),
  }
}
