import type { Contents } from '../../store/contents.ts'
import type { FoundCause } from './cause.ts'
import { addDeliveries, addDestinations } from './delivery-causes.ts'
import type { Subjects } from './found-requests.ts'
import { addEvents, addLeads, addPayments } from './payment-causes.ts'
import { addGone, addSettings } from './setting-causes.ts'
import { compareContents } from './work.ts'

/**
 * Returns the changes between two moments, grouped by cause: first the causes with an unknown time, then the others, latest first.
 * A cause is found by ids and times that occur both in a changed row and in the log of requests. A request that changed nothing is a cause
 * without changes.
 */
export function causesOf(before: Contents, after: Contents, subjects: Subjects): FoundCause[] {
  const work = compareContents(before, after, subjects)
  addPayments(work)
  addLeads(work)
  addEvents(work)
  addDestinations(work)
  addDeliveries(work)
  addSettings(work)
  addGone(work)
  return work.all().sort(latestFirst)
}

function latestFirst(a: FoundCause, b: FoundCause): number {
  if (a.at === b.at) return a.id < b.id ? 1 : -1
  if (a.at === null || b.at === null) return a.at === null ? -1 : 1
  return a.at < b.at ? 1 : -1
}
