import { fullEvaluationRecord, leadRecord, leadSummaryRecord, readInformeSignature } from '../../records/records.ts'
import { findLead, findPreApproval, findPreApprovalIn, latestForPerson, leadsOf } from '../../store/evaluations.ts'
import { checkRut } from '../body.ts'
import { finishDueEvaluations } from '../leads.ts'
import { Refusal } from '../refusal.ts'
import type { Handlers, KeyedHandlers } from './handler.ts'

type Names = 'evaluationByRut' | 'evaluationByLead' | 'listLeads' | 'getLead'

/** Evaluations that are due are finished before each read, so that the answer includes them. */
export const evaluationHandlers: Pick<KeyedHandlers, Names> = {
  evaluationByRut: {
    async answer({ params, partner, now }, service) {
      await finishDueEvaluations(service, now)
      const { db } = service.store
      const evaluated = latestForPerson(db, partner.id, checkRut(params.rut))
      if (evaluated === undefined) {
        throw new Refusal(404, 'ERR_EVALUATION_NOT_FOUND', 'no evaluation for this national id')
      }
      const { leadId } = evaluated
      const lead = leadId === null ? undefined : findLead(db, partner.id, leadId)
      return fullEvaluationRecord(service, partner, evaluated, lead)
    },
  },

  evaluationByLead: {
    async answer({ params, partner, now }, service) {
      await finishDueEvaluations(service, now)
      const { db } = service.store
      const lead = findLead(db, partner.id, params.leadId)
      const id = lead?.preApproveId ?? undefined
      const evaluated = id === undefined ? undefined : findPreApproval(db, id)
      if (evaluated) return fullEvaluationRecord(service, partner, evaluated, lead)
      const why = lead ? 'the evaluation of this lead is not finished' : 'no lead with this id'
      throw new Refusal(404, 'ERR_EVALUATION_NOT_FOUND', why)
    },
  },

  listLeads: {
    async answer({ partner, now }, service) {
      await finishDueEvaluations(service, now)
      return leadsOf(service.store.db, partner.id).map(leadSummaryRecord)
    },
  },

  getLead: {
    async answer({ params, partner, now }, service) {
      await finishDueEvaluations(service, now)
      const lead = findLead(service.store.db, partner.id, params.leadId)
      if (lead === undefined) throw new Refusal(404, 'ERR_LEAD_NOT_FOUND', 'no lead with this id')
      return leadRecord(lead)
    },
  },
}

export const informeHandlers: Pick<KeyedHandlers, 'getInforme'> = {
  getInforme: {
    async answer({ params, partner, now }, { store, reports }) {
      const evaluated = findPreApprovalIn(store.db, partner.environment, params.preApproveId)
      if (evaluated === undefined || evaluated.outcome === 'limited') throw noPreApproval()
      if (evaluated.partnerId !== partner.id) {
        throw new Refusal(401, 'ERR_PRE_APPROVAL_OF_ANOTHER_PARTNER', 'the pre-approval belongs to another partner')
      }
      return { url: await reports.link(evaluated.id, now) }
    },
  },
}

/** Redirects from `urlInforme` to the report. `urlInforme` contains a signature, so a request to it needs no API key. */
export const openInformeHandler: Handlers['open']['openInforme'] = {
  async answer({ params, environment, now }, { store, reports, signingSecret }) {
    const id = readInformeSignature(signingSecret, params.signature)
    const evaluated = id === undefined ? undefined : findPreApprovalIn(store.db, environment, id)
    if (evaluated === undefined) throw noPreApproval()
    const location = await reports.link(evaluated.id, now)
    return { status: 302, headers: { location, 'cache-control': 'no-store' }, body: new Uint8Array() }
  },
}

const noPreApproval = () => new Refusal(404, 'ERR_PRE_APPROVAL_NOT_FOUND', 'no pre-approval with this id')
