import { NEW_LEAD_TIMEOUT_MS } from '../../../contract/integrations.ts'
import { DELIVERY_JITTER, DELIVERY_TIMEOUT_MS } from '../../conventions.ts'
import type { EventRow } from '../../store/tables.ts'

/** Milliseconds a receiver has: 3 s for new_lead as specified, the sandbox's own for the others (gap 12). */
export function timeoutOf(type: EventRow['type']): number {
  return type === 'new_lead' ? NEW_LEAD_TIMEOUT_MS : DELIVERY_TIMEOUT_MS
}

/**
 * The wait before the next attempt, in ms, or undefined when there is none: new_lead is never sent again (specification: "Limits"),
 * the others by the steps of the setting, ±20 %. A receiver's Retry-After moves it to between one and two steps.
 * @param attempts made so far
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
