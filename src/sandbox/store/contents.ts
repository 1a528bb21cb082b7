import { readSetting } from './settings.ts'
import type { Db } from './tables.ts'
import { isOfListener } from './webhooks.ts'

/** The rows of a sandbox at one moment, without keys, secrets and stored HTTP answers. */
export type Contents = Awaited<ReturnType<typeof readContents>>

/**
 * Returns the rows that are needed to compare two moments. Requests are read last, so that they include the requests that created the other
 * rows.
 */
export async function readContents(db: Db) {
  const destinations = await db
    .selectFrom('webhooks')
    .select(['id', 'partnerId', 'url', 'eventTypes', 'filters', 'projectId', 'createdAt', 'secret'])
    .execute()
  const steps = await readSetting(db, 'deliverySteps')
  return {
    /** How far the clock was moved ahead, in ms. */
    aheadMs: Number((await readSetting(db, 'clockOffsetMs')) ?? 0),
    /** The waits between delivery attempts, as a JSON list of ms. Null if nobody has set them. */
    steps: steps ?? null,
    accounts: await db.selectFrom('partners').select(['id', 'name']).execute(),
    evaluations: await db
      .selectFrom('preApprovals')
      .select(['id', 'partnerId', 'leadId', 'externalTrxId', 'idNumber', 'amount', 'outcome', 'details', 'createdAt'])
      .execute(),
    selections: await db
      .selectFrom('loanRequests')
      .select(['id', 'partnerId', 'preApproveId', 'externalTrxId', 'installments', 'createdAt'])
      .execute(),
    tokens: await db
      .selectFrom('widgetSessions')
      .select(['id', 'partnerId', 'externalTrxId', 'amount', 'createdAt', 'expiresAt', 'endedAt', 'outcome'])
      .execute(),
    loans: await db
      .selectFrom('loans')
      .select(['id', 'partnerId', 'externalTrxId', 'preApproveId', 'loanAmount', 'periods', 'createdAt', 'verifiedAt'])
      .execute(),
    destinations: destinations.map(({ secret, ...row }) => ({ ...row, isListener: isOfListener({ secret }) ? 1 : 0 })),
    leads: await db
      .selectFrom('leads')
      .select(['id', 'partnerId', 'idNumber', 'projectId', 'outcome', 'createdAt', 'preApproveId'])
      .execute(),
    events: await db.selectFrom('events').select(['id', 'partnerId', 'type', 'subject', 'createdAt']).execute(),
    deliveries: await db
      .selectFrom('deliveries')
      .select(['id', 'eventId', 'webhookId', 'partnerId', 'type', 'state', 'createdAt', 'fault'])
      .execute(),
    attempts: await db
      .selectFrom('deliveryAttempts')
      .select(['id', 'deliveryId', 'number', 'at', 'status', 'error', 'chaos'])
      .execute(),
    faults: await db.selectFrom('faults').select(['id', 'endpoint', 'skip', 'times', 'harm', 'createdAt']).execute(),
    requests: await db
      .selectFrom('requests')
      .select(['id', 'at', 'partner', 'method', 'path', 'status', 'requestBody', 'fault'])
      // Leave out calls to another service, because they changed nothing in this sandbox.
      .where('passed', 'is', null)
      .orderBy('id')
      .execute(),
  }
}
