import { evaluationHandlers } from './evaluations.ts'
import type { Handlers } from './handler.ts'
import { informeHandlers, openInformeHandler } from './informe.ts'
import { paymentHandlers } from './payment.ts'
import { webhookHandlers } from './webhooks.ts'

/** Every endpoint's handler. An endpoint of the contract without one does not compile. */
export const HANDLERS: Handlers = {
  keyed: { ...paymentHandlers, ...webhookHandlers, ...informeHandlers, ...evaluationHandlers },
  open: { openInforme: openInformeHandler },
}
