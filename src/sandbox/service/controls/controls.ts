import { givenAnswers, type ServiceDescription } from '../../../contract/description.ts'
import { CLOCK_LIMIT } from '../../conventions.ts'
import { listAccounts, listPartners } from '../../store/partners.ts'
import { usedBuckets } from '../../store/rate-limits.ts'
import { KEPT_REQUESTS, listRequests } from '../../store/requests.ts'
import { wipe } from '../../store/snapshot.ts'
import { iso } from '../../store/stamps.ts'
import { countRows } from '../../store/store.ts'
import { finishDueEvaluations } from '../leads.ts'
import { malformed } from '../refusal.ts'
import { type ControlActions, controlAction, flagInput, integerInput, timeInput } from './control-action.ts'
import { deliveryControls } from './deliveries.ts'
import { faultControls } from './faults.ts'
import { leadControls } from './leads.ts'
import { listenerControls } from './listeners.ts'
import { passedControl } from './passed.ts'
import { paymentControls } from './payments.ts'
import { reviseControl } from './revise.ts'
import { snapshotControls } from './snapshots.ts'

/** Returns the name of a description, and its answers that are neither from the specification nor a convention. */
export const shownService = (description: ServiceDescription) => ({
  name: description.name,
  answers: Object.entries(givenAnswers(description)).map(([field, { text }]) => ({ field, answer: text })),
})

const status = controlAction(async (_input, { store, clock, baseUrl, rateLimit, description }) => {
  const now = clock.now()
  const names = new Map(listPartners(store.db).map(({ id, name }) => [id, name]))
  const used = usedBuckets(store.db, rateLimit, now)
  return {
    baseUrl,
    now: iso(now),
    rateLimit: {
      ...rateLimit,
      used: used.map(({ partnerId, name, left }) => ({ account: names.get(partnerId) ?? null, call: name, left })),
    },
    service: shownService(description),
    ...countRows(store.db),
  }
})

/** `reset`: deletes all data except the accounts and settings, and undoes every advance of the sandbox's clock. */
const reset = controlAction(async (_input, { store }) => {
  wipe(store)
  return {}
})

const clock = controlAction(async (input, service) => {
  const advanceMs = timeInput(input, 'advanceMs', CLOCK_LIMIT)
  if (advanceMs === undefined) throw malformed('advanceMs is missing')
  const now = service.clock.advance(advanceMs)
  await finishDueEvaluations(service, now)
  return { now: iso(now) }
})

const requests = controlAction(async (input, { store }) =>
  listRequests(store.db, Math.min(integerInput(input, 'limit', 1) ?? 50, KEPT_REQUESTS)),
)

const partners = controlAction((_input, { store }) => listAccounts(store.db))

/** `windowLink {alone?}`: a link that can open the window only one time. With `alone`, the window is first closed in every browser. */
const windowLink = controlAction(async (input, { entrance }) => {
  if (flagInput(input, 'alone')) entrance.leaveAll()
  return { url: entrance.link() }
})

export const CONTROLS = {
  status,
  reset,
  ...paymentControls,
  ...reviseControl,
  ...leadControls,
  clock,
  requests,
  partners,
  windowLink,
  ...deliveryControls,
  ...listenerControls,
  ...faultControls,
  ...passedControl,
  ...snapshotControls,
} satisfies ControlActions

export type ControlName = keyof typeof CONTROLS

export type ControlResult<Name extends ControlName> = Awaited<ReturnType<(typeof CONTROLS)[Name]>>

/** Returns whether a control action has this name. */
export function isControlName(name: string): name is ControlName {
  return Object.hasOwn(CONTROLS, name)
}
