import { parseRut } from '../../../domain/rut.ts'
import { evaluationRecord, leadRecord, leadRow } from '../../records/records.ts'
import { findPreApproval, latestForPerson } from '../../store/evaluations.ts'
import { findLead, listLeads as list } from '../../store/leads.ts'
import { Refusal } from '../refusal.ts'
import type { Handler } from './handler.ts'

export const evaluationByRut: Handler<'evaluationByRut'> = async ({ params, partner }, service) => {
  const parsed = parseRut(params.rut)
  const evaluated = parsed.ok ? await latestForPerson(service.store.db, partner.id, parsed.rut) : undefined
  if (evaluated === undefined) throw new Refusal(404, 'ERR_EVALUATION_NOT_FOUND', 'no evaluation for this national id')
  const { leadId } = evaluated
  const lead = leadId === null ? undefined : await findLead(service.store.db, partner.id, leadId)
  return evaluationRecord(service, partner, evaluated, lead)
}

export const evaluationByLead: Handler<'evaluationByLead'> = async ({ params, partner }, service) => {
  const lead = await findLead(service.store.db, partner.id, params.leadId)
  const id = lead?.preApproveId ?? undefined
  const evaluated = id === undefined ? undefined : await findPreApproval(service.store.db, id)
  if (evaluated) return evaluationRecord(service, partner, evaluated, lead)
  const why = lead ? 'the evaluation of this lead is not finished' : 'no lead with this id'
  throw new Refusal(404, 'ERR_EVALUATION_NOT_FOUND', why)
}

export const listLeads: Handler<'listLeads'> = async ({ partner }, { store }) =>
  (await list(store.db, partner.id)).map(leadRow)

export const getLead: Handler<'getLead'> = async ({ params, partner }, { store }) => {
  const lead = await findLead(store.db, partner.id, params.leadId)
  if (lead === undefined) throw new Refusal(404, 'ERR_LEAD_NOT_FOUND', 'no lead with this id')
  return leadRecord(lead)
}
