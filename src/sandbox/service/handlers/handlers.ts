import { evaluationHandlers } from './evaluations.ts'
import type { Handlers } from './handler.ts'
import { informeHandlers, openInformeHandler } from './informe.ts'
import { paymentHandlers } from './payment.ts'
import { webhookHandlers } from './webhooks.ts'

export const HANDLERS: Handlers = {
  keyed: { ...paymentHandlers, ...webhookHandlers, ...informeHandlers, ...evaluationHandlers },
  open: { openInforme: openInformeHandler },
}
