import { isIP } from 'node:net'
import { answerOf } from '../../../contract/description.ts'
import type { RequestBody } from '../../../contract/endpoints.ts'
import {
  DESTINATION_LIMIT,
  INTEGRATIONS,
  integrationOf,
  type VerificationScheme,
} from '../../../contract/integrations.ts'
import { isLoopback } from '../../../domain/addresses.ts'
import { listenerSecretOf } from '../../../domain/sandbox-secret.ts'
import { UNSEEN } from '../../../text/visible.ts'
import { addWebhook, partnerWebhooks, removeWebhook } from '../../store/deliveries.ts'
import { fromJsonColumn, type PartnerRow, toJsonColumn, type WebhookRow } from '../../store/tables.ts'
import { mayConnect } from '../deliveries/private-addresses.ts'
import { malformed, Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { KeyedHandlers } from './handler.ts'

type Names = 'registerWebhook' | 'subscribeWebhook' | 'listWebhooks' | 'deleteWebhook'

export const webhookHandlers: Pick<KeyedHandlers, Names> = {
  registerWebhook: {
    answer({ body, partner, now }, service) {
      const asked = {
        partner,
        url: body.url,
        integration: 'bnpl',
        eventTypes: INTEGRATIONS.bnpl.events,
      } as const
      return createDestination(service, asked, now)
    },
  },

  subscribeWebhook: {
    // Refuses every BNPL account, even if it asks only for loan_approved (specification: "Errors"). Both real-estate events need the
    // evaluation module (specification: "POST /partner/webhook/subscription").
    admit(partner) {
      if (partner.product === 'bnpl') {
        throw new Refusal(
          422,
          'ERR_PARTNER_PRODUCT_CANNOT_RECEIVE_WEBHOOKS',
          'a BNPL account cannot subscribe to real-estate events; register with POST /partner/webhook',
        )
      }
      if (partner.evaluationModule !== 1) {
        throw new Refusal(
          403,
          'ERR_PARTNER_MODULE_REQUIRED',
          `${INTEGRATIONS['real-estate'].events.join(' and ')} need the evaluation module, which this account does not have`,
        )
      }
    },
    async answer({ body, partner, now }, service) {
      const { eventTypes, filters, projectId } = readSubscription(body, answerOf(service.description, 'projectField'))
      const asked = {
        partner,
        url: body.url,
        integration: 'real-estate',
        eventTypes,
        filters,
        projectId,
      } as const
      return createDestination(service, asked, now)
    },
  },

  listWebhooks: {
    answer: async ({ partner }, { store }) => partnerWebhooks(store.db, partner.id).map(destinationRecord),
  },

  deleteWebhook: {
    async answer({ params, partner }, { store }) {
      if (removeWebhook(store, partner.id, params.id)) return {}
      throw new Refusal(404, 'ERR_WEBHOOK_NOT_FOUND', 'no destination with this id')
    },
  },
}

interface Asked {
  partner: Pick<PartnerRow, 'id' | 'apiKey'>
  url: string
  integration: keyof typeof INTEGRATIONS
  eventTypes: readonly string[]
  filters?: Record<string, string> | undefined
  projectId?: string | undefined
}

async function createDestination(service: Service, asked: Asked, now: number): Promise<Record<string, unknown>> {
  checkUrl(asked.url, service.allowHttp)
  const row = addWebhook(
    service.store,
    {
      partnerId: asked.partner.id,
      url: asked.url,
      verificationScheme: INTEGRATIONS[asked.integration].scheme satisfies VerificationScheme,
      eventTypes: toJsonColumn(asked.eventTypes),
      filters: asked.filters ? toJsonColumn(asked.filters) : null,
      projectId: asked.projectId ?? null,
      ...(service.isPrivate && { secret: listenerSecretOf(asked.partner.apiKey) }),
    },
    DESTINATION_LIMIT,
    now,
  )
  if (row === undefined) {
    throw new Refusal(
      422,
      'ERR_WEBHOOK_LIMIT_REACHED',
      `this account has ${DESTINATION_LIMIT} destinations, which is the limit; delete a destination before you add another`,
    )
  }
  return { ...destinationRecord(row), secret: row.secret }
}

/** Returns a destination without its secret, which only the answer to a registration contains (gap 6). */
function destinationRecord(row: WebhookRow) {
  return {
    id: row.id,
    url: row.url,
    verificationScheme: integrationOf(row.verificationScheme).written,
    eventTypes: fromJsonColumn(row.eventTypes),
    filters: row.filters === null ? null : fromJsonColumn(row.filters),
    projectId: row.projectId,
    createdAt: row.createdAt,
  }
}

const PRIVATE_URL = 'ERR_WEBHOOK_URL_PRIVATE'

function checkUrl(text: string, allowHttp: boolean): void {
  // Refuse control characters and outer spaces. A parser would ignore them, but the address is stored as it was sent.
  if (text.search(UNSEEN) >= 0 || text.trim() !== text) {
    throw malformed('url must not contain control characters or begin or end with a space')
  }
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/\\]/i.test(text) && /^https?:/i.test(text))
    throw malformed('url is not an absolute address')
  if (!URL.canParse(text)) throw malformed('url is not an absolute address')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') throw malformed('url must not contain a user name or a password')
  const onThisMachine = isLoopback(url.hostname)
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:' && onThisMachine))
    throw new Refusal(
      422,
      'ERR_WEBHOOK_URL_NOT_HTTPS',
      'url must begin with https:// (with --allow-http, the sandbox also accepts http:// to its own machine)',
    )
  if (onThisMachine && !allowHttp)
    throw new Refusal(
      422,
      PRIVATE_URL,
      'a destination on this machine needs a sandbox that was started with --allow-http',
    )
  // A private IP address is refused now, because every delivery to it would fail. A name is looked up only when a delivery is sent.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !mayConnect(host, allowHttp))
    throw new Refusal(422, PRIVATE_URL, `${host} is a private address`)
}

const EVENTS: readonly string[] = INTEGRATIONS['real-estate'].events
const OUTCOMES = ['approved', 'rejected']

/**
 * Reads a real-estate registration (gap 9). Throws a `Refusal` for a field, an event or a filter that the sandbox does not know.
 * @param projectField the name of the field with the project
 */
function readSubscription(body: RequestBody<'subscribeWebhook'>, projectField: string) {
  const { url: _url, eventTypes, filters, [projectField]: project, ...others } = body
  const projectId = project === undefined ? undefined : String(project)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw malformed(`unknown field: ${unknown}; the fields are url, eventTypes, filters and ${projectField}`)
  const wrong = eventTypes.find((event) => !EVENTS.includes(event))
  if (wrong !== undefined || eventTypes.length === 0) {
    throw new Refusal(422, 'ERR_INVALID_EVENT_TYPES', `eventTypes must be one or more of: ${EVENTS.join(', ')}`)
  }
  // An empty project would match no lead.
  if (projectId === '') throw malformed(`${projectField} is empty`)
  const outcome = readFilters(filters, eventTypes)
  return {
    eventTypes: [...new Set(eventTypes)],
    ...(outcome === undefined ? {} : { filters: { outcome } }),
    ...(projectId === undefined ? {} : { projectId }),
  }
}

function readFilters(filters: Record<string, unknown> | undefined, eventTypes: string[]): string | undefined {
  if (filters === undefined || Object.keys(filters).length === 0) return undefined
  const { outcome, ...others } = filters
  if (Object.keys(others).length > 0 || typeof outcome !== 'string' || !OUTCOMES.includes(outcome)) {
    throw new Refusal(
      422,
      'ERR_INVALID_FILTERS',
      `the only filter is “outcome”, and its value must be one of: ${OUTCOMES.join(', ')}`,
    )
  }
  if (eventTypes.includes('pre_approve')) return outcome
  throw new Refusal(
    422,
    'ERR_INVALID_FILTERS',
    'outcome is a filter for pre_approve, but pre_approve is not in eventTypes',
  )
}
