import { changeViews, controlsView } from './controls.ts'
import { leadViews, paymentViews } from './payments.ts'
import { requestViews } from './requests.ts'
import type { ViewsByName } from './view.ts'
import { webhookViews } from './webhooks.ts'

export const VIEWS: ViewsByName = {
  ...paymentViews,
  ...leadViews,
  ...requestViews,
  ...webhookViews,
  ...changeViews,
  controls: controlsView,
}

/** Whether a view has this name. */
export function isViewName(name: string): name is keyof ViewsByName {
  return Object.hasOwn(VIEWS, name)
}
