import type { Call } from './call.ts'
import { deleteWebhookCall } from './delete-webhook.ts'
import { evaluateCall } from './evaluate.ts'
import { evaluationByLeadCall } from './evaluation-by-lead.ts'
import { evaluationByRutCall } from './evaluation-by-rut.ts'
import { getInformeCall } from './get-informe.ts'
import { getLeadCall } from './get-lead.ts'
import { listLeadsCall } from './list-leads.ts'
import { listWebhooksCall } from './list-webhooks.ts'
import { openInformeCall } from './open-informe.ts'
import { registerWebhookCall } from './register-webhook.ts'
import { selectCall } from './select.ts'
import { startWidgetCall } from './start-widget.ts'
import { subscribeWebhookCall } from './subscribe-webhook.ts'
import { verifyLoanCall } from './verify-loan.ts'

/** Every call of the specification, in the order in which help and documents show the calls. */
export const CALLS = {
  evaluate: evaluateCall,
  select: selectCall,
  startWidget: startWidgetCall,
  verifyLoan: verifyLoanCall,
  registerWebhook: registerWebhookCall,
  subscribeWebhook: subscribeWebhookCall,
  listWebhooks: listWebhooksCall,
  deleteWebhook: deleteWebhookCall,
  getInforme: getInformeCall,
  openInforme: openInformeCall,
  evaluationByRut: evaluationByRutCall,
  evaluationByLead: evaluationByLeadCall,
  listLeads: listLeadsCall,
  getLead: getLeadCall,
} as const satisfies Record<string, Call>
