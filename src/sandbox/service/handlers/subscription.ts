import type { RequestBody } from '../../../contract/endpoints.ts'
import { INTEGRATIONS } from '../../../contract/integrations.ts'
import { malformed, Refusal } from '../refusal.ts'

const EVENTS: readonly string[] = INTEGRATIONS['real-estate'].events
const OUTCOMES = ['approved', 'rejected']

interface Subscription {
  eventTypes: string[]
  filters?: { outcome: string }
  projectId?: string
}

/**
 * Reads a real-estate registration (gap 9). Throws a `Refusal` for a field, an event or a filter that the sandbox does not know.
 * @param projectField the name of the field with the project
 */
export function readSubscription(body: RequestBody<'subscribeWebhook'>, projectField: string): Subscription {
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
