import type { ControlAction } from '../../service/controls/control-action.ts'
import { lead, leads } from './leads.ts'
import { controls } from './overview.ts'
import { payment, payments } from './payments.ts'
import { request, requests } from './requests.ts'
import { deliveries, delivery, destinations } from './webhooks.ts'

/** What the window shows, by name. Each only reads. */
export const VIEWS = {
  controls,
  payments,
  payment,
  leads,
  lead,
  requests,
  request,
  destinations,
  deliveries,
  delivery,
} satisfies Record<string, ControlAction>
