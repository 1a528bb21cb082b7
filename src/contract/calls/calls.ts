import { evaluationByLead, evaluationByRut, getLead, listLeads } from './evaluation.ts'
import { getInforme, openInforme } from './informe.ts'
import { verifyLoan } from './loan.ts'
import { evaluate, select, startWidget } from './pre-loan-request.ts'
import { deleteWebhook, listWebhooks, registerWebhook, subscribeWebhook } from './webhook.ts'

/** Every call of the specification, by the name the program uses for it, in the order in which they are shown. */
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
} as const
