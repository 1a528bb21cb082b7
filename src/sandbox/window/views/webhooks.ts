import { DESTINATION_LIMIT } from '../../../contract/integrations.ts'
import { maskKey } from '../../../text/masking.ts'
import { type ControlAction, textInput } from '../../service/controls/control-action.ts'
import { deliveryRecord } from '../../service/controls/deliveries.ts'
import { envelopeOf, messageFor } from '../../service/deliveries/message.ts'
import { timeoutOf } from '../../service/deliveries/schedule.ts'
import { deliveryWithAttempts, listDeliveries } from '../../store/deliveries.ts'
import { findEvent } from '../../store/events.ts'
import { listPartners } from '../../store/partners.ts'
import { countRowsOf } from '../../store/rows.ts'
import { retrySteps } from '../../store/settings.ts'
import { findWebhook, webhooksOf } from '../../store/webhooks.ts'
import { PAGE_ROWS, pageInput } from './page-input.ts'

/** `destinations`: those of each partner, how many of its slots they take, and the waits before a delivery is tried again. */
export const destinations: ControlAction = async (_input, { store: { db } }) => {
  const partners = await listPartners(db)
  const all = []
  for (const { id, name, product, active } of partners) {
    if (active === 0) continue
    const rows = await webhooksOf(db, id)
    all.push({
      partner: name,
      product,
      limit: DESTINATION_LIMIT,
      destinations: rows.map((row) => ({
        id: row.id,
        url: row.url,
        scheme: row.verificationScheme,
        events: JSON.parse(row.eventTypes) as string[],
        filters: row.filters === null ? null : (JSON.parse(row.filters) as Record<string, string>),
        projectId: row.projectId,
        secret: row.secret,
        createdAt: row.createdAt,
      })),
    })
  }
  return { partners: all, stepsMs: await retrySteps(db) }
}

/** `deliveries {page}`: what was sent where, with every attempt, the newest first. */
export const deliveries: ControlAction = async (input, { store: { db } }) => {
  const { page, offset } = pageInput(input)
  const rows = await listDeliveries(db, PAGE_ROWS, undefined, offset)
  return { page, pageRows: PAGE_ROWS, total: await countRowsOf(db, 'deliveries'), rows: rows.map(describe) }
}

/** `delivery {id}`: one of them with the bytes and the signature as they are sent; null when it is gone. */
export const delivery: ControlAction = async (input, { store: { db } }) => {
  const row = await deliveryWithAttempts(db, textInput(input, 'id') ?? '')
  const event = row && (await findEvent(db, row.eventId))
  if (!row || !event) return null
  const webhook = await findWebhook(db, row.webhookId)
  const body = envelopeOf(event)
  const message = webhook && messageFor(webhook, body, false)
  return {
    ...describe(row),
    stepsMs: event.type === 'new_lead' ? [] : await retrySteps(db),
    scheme: webhook?.verificationScheme ?? null,
    // A signature says nothing of its secret; a token is the secret itself.
    headers: Object.entries(message?.headers ?? {}).map(([name, value]) => ({
      name,
      value: value === webhook?.secret ? maskKey(value) : value,
    })),
    body: new TextDecoder().decode(body),
  }
}

const describe = (row: Parameters<typeof deliveryRecord>[0]) => ({
  ...deliveryRecord(row),
  deadlineMs: timeoutOf(row.type),
})
