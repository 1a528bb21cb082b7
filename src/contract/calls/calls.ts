import type { Call } from './call.ts'
import { addEntityCall, listEntitiesCall, setEntityCall } from './entities.ts'
import { evaluationByLeadCall, evaluationByRutCall, getLeadCall, listLeadsCall } from './evaluations.ts'
import { cancelLoanCall, evaluateCall, selectCall, startWidgetCall, verifyLoanCall } from './payment.ts'
import { getInformeCall, openInformeCall } from './reports.ts'
import { deleteWebhookCall, listWebhooksCall, registerWebhookCall, subscribeWebhookCall } from './webhooks.ts'

/** Every call of the specification, and those that only other services publish (`describedBy`), in the order in which help and documents show the calls. */
export const CALLS = {
  evaluate: evaluateCall,
  select: selectCall,
  startWidget: startWidgetCall,
  verifyLoan: verifyLoanCall,
  cancelLoan: cancelLoanCall,
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
  addEntity: addEntityCall,
  listEntities: listEntitiesCall,
  setEntity: setEntityCall,
} as const satisfies Record<string, Call>
