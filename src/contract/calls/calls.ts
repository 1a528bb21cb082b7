import type { Call } from './call.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { evaluate } from './evaluate.ts'
import { evaluationByLead } from './evaluation-by-lead.ts'
import { evaluationByRut } from './evaluation-by-rut.ts'
import { getInforme } from './get-informe.ts'
import { getLead } from './get-lead.ts'
import { listLeads } from './list-leads.ts'
import { listWebhooks } from './list-webhooks.ts'
import { openInforme } from './open-informe.ts'
import { registerWebhook } from './register-webhook.ts'
import { select } from './select.ts'
import { startWidget } from './start-widget.ts'
import { subscribeWebhook } from './subscribe-webhook.ts'
import { verifyLoan } from './verify-loan.ts'

/**
 * Every call of the specification, by the name the program uses for it, in the order in which they are shown. The one list of them:
 * each other one is made from it, or does not compile when a call is missing.
 */
export const CALLS = {
  evaluate,
  select,
  startWidget,
  verifyLoan,
  registerWebhook,
  subscribeWebhook,
  listWebhooks,
  deleteWebhook,
  getInforme,
  openInforme,
  evaluationByRut,
  evaluationByLead,
  listLeads,
  getLead,
} as const satisfies Record<string, Call>
