import { DESTINATION_LIMIT, INTEGRATIONS, type VerificationScheme } from '../../contract/integrations.ts'
import { isLoopback } from '../../domain/origin.ts'
import { UNSEEN } from '../../text/visible.ts'
import { malformed, Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { PartnerRow, WebhookRow } from '../store/tables.ts'
import { addWebhook, listWebhooks as list, removeWebhook } from '../store/webhooks.ts'
import { readSubscription } from '../subscription.ts'
import type { Handler } from './handler.ts'

export const registerWebhook: Handler<'registerWebhook'> = async ({ body, partner, now }, service) =>
  create(service, { partnerId: partner.id, url: body.url, integration: 'bnpl', eventTypes: ['loan_approved'] }, now)

export const subscribeWebhook: Handler<'subscribeWebhook'> = async ({ body, partner, now }, service) => {
  const { eventTypes, filters, projectId } = readSubscription(body)
  if (partner.evaluationModule !== 1) {
    throw new Refusal(
      403,
      'ERR_PARTNER_MODULE_REQUIRED',
      `${eventTypes.join(' and ')} ${eventTypes.length === 1 ? 'needs' : 'need'} the evaluation module, which this partner does not have`,
    )
  }
  const asked = { partnerId: partner.id, url: body.url, integration: 'real-estate', eventTypes, filters, projectId }
  return create(service, asked as Asked, now)
}

/** Unconditional for BNPL partners, even when only loan_approved is asked for (specification: "Errors"). */
export function refuseBnplPartner(partner: PartnerRow): void {
  if (partner.product !== 'bnpl') return
  throw new Refusal(
    422,
    'ERR_PARTNER_PRODUCT_CANNOT_RECEIVE_WEBHOOKS',
    'a BNPL partner cannot subscribe to real-estate events; register with POST /partner/webhook',
  )
}

export const listWebhooks: Handler<'listWebhooks'> = async ({ partner }, { store }) =>
  (await list(store.db, partner.id)).map(destinationRecord)

export const deleteWebhook: Handler<'deleteWebhook'> = async ({ params, partner }, { store }) => {
  if (await removeWebhook(store, partner.id, params.id)) return {}
  throw new Refusal(404, 'ERR_WEBHOOK_NOT_FOUND', 'no destination with this id')
}

interface Asked {
  partnerId: string
  url: string
  integration: keyof typeof INTEGRATIONS
  eventTypes: readonly string[]
  filters?: Record<string, string>
  projectId?: string
}

async function create(service: Service, asked: Asked, now: number): Promise<Record<string, unknown>> {
  checkUrl(asked.url, service.allowHttp)
  const row = await addWebhook(
    service.store,
    {
      partnerId: asked.partnerId,
      url: asked.url,
      verificationScheme: INTEGRATIONS[asked.integration].scheme satisfies VerificationScheme,
      eventTypes: JSON.stringify(asked.eventTypes),
      filters: asked.filters ? JSON.stringify(asked.filters) : null,
      projectId: asked.projectId ?? null,
    },
    DESTINATION_LIMIT,
    now,
  )
  if (row === undefined) {
    throw new Refusal(
      422,
      'ERR_WEBHOOK_LIMIT_REACHED',
      `this partner has ${DESTINATION_LIMIT} destinations; delete one and its slot is free at once`,
    )
  }
  return { ...destinationRecord(row), secret: row.secret }
}

/** A destination as it is answered (gap 6); its secret is in the 201 and nowhere else. */
function destinationRecord(row: WebhookRow) {
  return {
    id: row.id,
    url: row.url,
    verificationScheme: row.verificationScheme,
    eventTypes: JSON.parse(row.eventTypes) as string[],
    filters: row.filters === null ? null : (JSON.parse(row.filters) as Record<string, string>),
    projectId: row.projectId,
    createdAt: row.createdAt,
  }
}

function checkUrl(text: string, allowHttp: boolean): void {
  // It is kept as it was written, and parsing would overlook these.
  if (text.search(UNSEEN) >= 0 || text.trim() !== text) {
    throw malformed('url must not contain control characters or begin or end with a space')
  }
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/\\]/i.test(text) && /^https?:/i.test(text))
    throw malformed('url is not an absolute address')
  if (!URL.canParse(text)) throw malformed('url is not an absolute address')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') throw malformed('url must not contain a user name or a password')
  if (url.protocol === 'https:' || (allowHttp && url.protocol === 'http:' && isLoopback(url.hostname))) return
  throw new Refusal(422, 'ERR_WEBHOOK_URL_NOT_HTTPS', 'destinations are https only')
}
