import type { ServiceDescription } from '../../contract/description.ts'
import { EVENTS } from '../../contract/events.ts'
import { DESTINATION_LIMIT } from '../../contract/integrations.ts'
import { textInput } from '../../sandbox/service/controls/control-action.ts'
import { deliveryRecord } from '../../sandbox/service/controls/deliveries.ts'
import { deliveryBody, messageFor, timeoutOf } from '../../sandbox/service/deliveries/post.ts'
import {
  deliveryWithAttempts,
  findEvent,
  findWebhook,
  listDeliveries,
  partnerWebhooks,
} from '../../sandbox/store/deliveries.ts'
import { listPartners, retrySteps } from '../../sandbox/store/partners.ts'
import { countRowsOf } from '../../sandbox/store/store.ts'
import { fromJsonColumn } from '../../sandbox/store/tables.ts'
import { maskKey } from '../../text/masking.ts'
import type { DeliveryView, DestinationsView } from './rows.ts'
import { PAGE_ROWS, pageInput, type ViewsByName } from './view.ts'

export const webhookViews: Pick<ViewsByName, 'destinations' | 'deliveries' | 'delivery'> = {
  /** `destinations`: the destinations of each active account, and the waits before a delivery is tried again. */
  async destinations(_input, { store: { db }, description }) {
    const partners: DestinationsView[] = []
    for (const { id, name, product, active, environment } of listPartners(db)) {
      if (active === 0) continue
      const rows = partnerWebhooks(db, id)
      if (environment === 'production' && rows.length === 0) continue
      partners.push({
        partner: name,
        product,
        limit: DESTINATION_LIMIT,
        destinations: rows.map((row) => ({
          id: row.id,
          url: row.url,
          scheme: row.verificationScheme,
          events: fromJsonColumn(row.eventTypes),
          filters: row.filters === null ? null : fromJsonColumn(row.filters),
          projectId: row.projectId,
          secret: row.secret,
          createdAt: row.createdAt,
        })),
      })
    }
    const { steps } = retrySteps(db, description)
    return { partners, stepsMs: steps }
  },

  async deliveries(input, { store: { db }, description }) {
    const { page, offset } = pageInput(input)
    const rows = listDeliveries(db, PAGE_ROWS, undefined, offset)
    const shown = rows.map((row) => describe(row, description))
    return { page, pageRows: PAGE_ROWS, total: countRowsOf(db, 'deliveries'), rows: shown }
  },

  /** `delivery {id}`: one delivery, with its body and headers as they are sent, except for a masked token; null if the id is unknown. */
  async delivery(input, { store: { db }, clock, description }) {
    const row = deliveryWithAttempts(db, textInput(input, 'id') ?? '')
    const event = row && findEvent(db, row.eventId)
    if (!row || !event) return null
    const webhook = findWebhook(db, row.webhookId)
    const body = deliveryBody(event, description)
    const message = webhook && messageFor(webhook, body, description, clock.now())
    return {
      ...describe(row, description),
      stepsMs: EVENTS[event.type].isSentOnce ? [] : retrySteps(db, description).steps,
      scheme: webhook?.verificationScheme ?? null,
      destinations: listDeliveries(db, DESTINATION_LIMIT, event.id).filter(({ url }) => url !== null).length,
      // A signature does not reveal the secret, but a token is the secret itself, so it is masked.
      headers: Object.entries(message?.headers ?? {}).map(([name, value]) => ({
        name,
        value: value === webhook?.secret ? maskKey(value) : value,
      })),
      body: new TextDecoder().decode(body),
    }
  },
}

const describe = (row: Parameters<typeof deliveryRecord>[0], description: ServiceDescription): DeliveryView => ({
  ...deliveryRecord(row),
  deadlineMs: timeoutOf(row.type, description),
})
