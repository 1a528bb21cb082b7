import type { EventRow, WebhookRow } from '../../store/tables.ts'

/** What the filters of a destination look at. */
export interface EventScope {
  /** Of a finished evaluation. */
  outcome?: string
  projectId?: string | null
}

/** Whether a destination is told of an event: its events, the filter by outcome, the project it is scoped to. */
export function isTold(webhook: WebhookRow, type: EventRow['type'], scope: EventScope): boolean {
  if (!(JSON.parse(webhook.eventTypes) as string[]).includes(type)) return false
  if (webhook.projectId !== null && webhook.projectId !== (scope.projectId ?? null)) return false
  const { outcome } = webhook.filters === null ? {} : (JSON.parse(webhook.filters) as { outcome?: string })
  return type !== 'pre_approve' || outcome === undefined || outcome === scope.outcome
}
