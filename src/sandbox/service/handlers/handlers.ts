import { evaluationHandlers } from './evaluations.ts'
import type { Handlers } from './handler.ts'
import { informeHandlers, openInformeHandler } from './informe.ts'
import { paymentHandlers } from './payment.ts'
import { webhookHandlers } from './webhooks.ts'

/** The handlers of all endpoints. If an endpoint of the contract has no handler, the compiler reports an error here. */
export const HANDLERS: Handlers = {
  keyed: { ...paymentHandlers, ...webhookHandlers, ...informeHandlers, ...evaluationHandlers },
  open: { openInforme: openInformeHandler },
}
