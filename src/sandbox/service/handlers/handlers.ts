import { entityHandlers } from './entities.ts'
import { evaluationHandlers, informeHandlers, openInformeHandler } from './evaluations.ts'
import type { Handlers } from './handler.ts'
import { paymentHandlers } from './payment.ts'
import { webhookHandlers } from './webhooks.ts'

export const HANDLERS: Handlers = {
  keyed: { ...paymentHandlers, ...webhookHandlers, ...informeHandlers, ...evaluationHandlers, ...entityHandlers },
  open: { openInforme: openInformeHandler },
}
