import { CLOCK_LIMIT_MS } from '../../conventions.ts'
import { asPartner, listPartners } from '../../store/partners.ts'
import { KEPT_REQUESTS, listRequests } from '../../store/requests.ts'
import { countRows, wipe } from '../../store/wipe.ts'
import { iso } from '../clock.ts'
import { finishDueEvaluations } from '../leads.ts'
import { malformed } from '../refusal.ts'
import { type ControlAction, integerInput } from './control-action.ts'
import { deliver, deliveries, deliverySchedule } from './deliveries.ts'
import { faultAdd, faultClear, faults } from './fault.ts'
import { lead } from './lead.ts'
import { pay } from './pay.ts'
import { payment } from './payment.ts'
import { revise } from './revise.ts'
import { snapshotLoad, snapshotSave } from './snapshot.ts'

/** `status`: the sandbox's time and how much there is. */
const status: ControlAction = async (_input, { store, clock, baseUrl }) => ({
  baseUrl,
  now: iso(await clock.now()),
  ...(await countRows(store.db)),
})

/** `reset`: everything goes but the accounts and their keys; the clock is the machine's again. */
const reset: ControlAction = async (_input, { store }) => {
  await wipe(store)
  return {}
}

/** `clock {advanceMs}`: moves the sandbox's time ahead, and does what is due by then. */
const clock: ControlAction = async (input, service) => {
  const advanceMs = integerInput(input, 'advanceMs')
  if (advanceMs === undefined) throw malformed('advanceMs is missing')
  if (advanceMs > CLOCK_LIMIT_MS) throw malformed('advanceMs is more than ten years')
  const now = await service.clock.advance(advanceMs)
  await finishDueEvaluations(service, now)
  return { now: iso(now) }
}

/** `requests {limit}`: the latest calls, newest first. */
const requests: ControlAction = async (input, { store }) =>
  listRequests(store.db, Math.min(integerInput(input, 'limit', 1) ?? 50, KEPT_REQUESTS))

/** `partners`: the accounts, with their keys. */
const partners: ControlAction = async (_input, { store }) => (await listPartners(store.db)).map(asPartner)

/** `windowLink`: a link to the window that lets one browser in, once. */
const windowLink: ControlAction = async (_input, { entrance }) => ({ url: entrance.link() })

/** Every action by name. */
export const CONTROLS = {
  status,
  reset,
  pay,
  payment,
  lead,
  revise,
  clock,
  requests,
  partners,
  deliveries,
  deliver,
  deliverySchedule,
  faults,
  faultAdd,
  faultClear,
  snapshotSave,
  snapshotLoad,
  windowLink,
} satisfies Record<string, ControlAction>
