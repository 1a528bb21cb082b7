import { answerOf, type ServiceDescription } from '../../../contract/description.ts'
import { NEW_LEAD_TIMEOUT_MS } from '../../../contract/time-limits.ts'
import { DELIVERY_JITTER } from '../../conventions.ts'
import type { EventRow } from '../../store/tables.ts'

/**
 * Returns how long a receiver may take to answer, in ms: 3 s for new_lead, as specified. For other events the description says it (gap 12).
 */
export function timeoutOf(type: EventRow['type'], description: ServiceDescription): number {
  return type === 'new_lead' ? NEW_LEAD_TIMEOUT_MS : answerOf(description, 'deliveryTimeout')
}

/** Returns a constant in place of a random number, so that every wait is exactly as long as in the settings. */
export const NO_JITTER = () => 0.5

/**
 * Returns the wait before the next attempt, in ms; undefined if there is no next attempt. A new_lead is never sent again (specification:
 * "Limits"). Other events follow the waits in the settings, ±20 %. A receiver's Retry-After replaces the wait, but is limited to between
 * one and two times the wait in the settings.
 * @param attempts how many attempts were made so far
 */
export function nextWait(
  type: EventRow['type'],
  attempts: number,
  steps: readonly number[],
  random: () => number,
  retryAfterMs: number | null,
): number | undefined {
  const step = steps[attempts - 1]
  if (type === 'new_lead' || step === undefined) return undefined
  const jittered = step * (1 - DELIVERY_JITTER + 2 * DELIVERY_JITTER * random())
  const asked = retryAfterMs === null ? jittered : Math.min(2 * step, Math.max(step, retryAfterMs))
  return Math.round(asked)
}
