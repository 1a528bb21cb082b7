import { fullEvaluationRecord, leadRecord, leadSummaryRecord } from '../../records/records.ts'
import { findPreApproval, latestForPerson } from '../../store/evaluations.ts'
import { findLead, leadsOf } from '../../store/leads.ts'
import { checkRut } from '../fields.ts'
import { finishDueEvaluations } from '../leads.ts'
import { Refusal } from '../refusal.ts'
import type { KeyedHandlers } from './handler.ts'

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
