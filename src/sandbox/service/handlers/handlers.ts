import type { KeyedEndpoint } from '../../../contract/endpoints.ts'
import type { PartnerRow } from '../../store/tables.ts'
import { evaluationByLead, evaluationByRut, getLead, listLeads } from './evaluation.ts'
import type { Handler } from './handler.ts'
import { getInforme } from './informe.ts'
import { verifyLoan } from './loan.ts'
import { evaluate, select, startWidget } from './pre-loan-request.ts'
import { deleteWebhook, listWebhooks, refuseBnplPartner, registerWebhook, subscribeWebhook } from './webhooks.ts'

export type { KeyedEndpoint }

/** An answer for every endpoint of the contract that takes a key, or it does not compile. */
export const HANDLERS: { readonly [N in KeyedEndpoint]: Handler<N> } = {
  evaluate,
  select,
  startWidget,
  verifyLoan,
  registerWebhook,
  subscribeWebhook,
  listWebhooks,
  deleteWebhook,
  getInforme,
  evaluationByRut,
  evaluationByLead,
  listLeads,
  getLead,
}

/** Refusals that come before the body is looked at: they hold whatever was sent. */
export const ADMISSIONS: { readonly [N in KeyedEndpoint]?: (partner: PartnerRow) => void } = {
  subscribeWebhook: refuseBnplPartner,
}
