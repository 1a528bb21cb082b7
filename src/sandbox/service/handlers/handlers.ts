import { evaluationHandlers, informeHandlers, openInformeHandler } from './evaluations.ts'
import type { Handlers } from './handler.ts'
import { paymentHandlers } from './payment.ts'
import { webhookHandlers } from './webhooks.ts'

export const HANDLERS: Handlers = {
  keyed: { ...paymentHandlers, ...webhookHandlers, ...informeHandlers, ...evaluationHandlers },
  open: { openInforme: openInformeHandler },
}
