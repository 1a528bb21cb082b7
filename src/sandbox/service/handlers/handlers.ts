import { fullEvaluationRecord, leadRecord, leadSummaryRecord, readInformeSignature } from '../../records/records.ts'
import { addEntity, changeEntity, ownEntity, partnerEntities } from '../../store/entities.ts'
import { findLead, findPreApproval, findPreApprovalIn, latestForPerson, leadsOf } from '../../store/evaluations.ts'
import type { EntityRow } from '../../store/tables.ts'
import { checkRut } from '../body.ts'
import { finishDueEvaluations } from '../leads.ts'
import { Refusal } from '../refusal.ts'
import type { Handlers, KeyedHandlers } from './handler.ts'
import { paymentHandlers } from './payment.ts'
import { webhookHandlers } from './webhooks.ts'

type Names = 'evaluationByRut' | 'evaluationByLead' | 'listLeads' | 'getLead'

/** Evaluations that are due are finished before each read, so that the answer includes them. */
const evaluationHandlers: Pick<KeyedHandlers, Names> = {
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

const informeHandlers: Pick<KeyedHandlers, 'getInforme'> = {
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
const openInformeHandler: Handlers['open']['openInforme'] = {
  async answer({ params, environment, now }, { store, reports, signingSecret }) {
    const id = readInformeSignature(signingSecret, params.signature)
    const evaluated = id === undefined ? undefined : findPreApprovalIn(store.db, environment, id)
    if (evaluated === undefined) throw noPreApproval()
    const location = await reports.link(evaluated.id, now)
    return { status: 302, headers: { location, 'cache-control': 'no-store' }, body: new Uint8Array() }
  },
}

const noPreApproval = () => new Refusal(404, 'ERR_PRE_APPROVAL_NOT_FOUND', 'no pre-approval with this id')

/** The specification does not have these calls (gap 51). The answers, and all refusals except 428, are conventions. */
const entityHandlers: Pick<KeyedHandlers, 'addEntity' | 'listEntities' | 'setEntity'> = {
  addEntity: {
    async answer({ body, partner, now }, { store }) {
      const { isActive, idNumber = null, code = null, description = null, ...named } = body
      const entity = { ...named, idNumber, code, description, isActive: Number(isActive) }
      const added = addEntity(store, partner, entity, now)
      if (added !== undefined) return entityRecord(added)
      throw new Refusal(428, 'ERR_ENTITY_EXISTS', 'an entity of this account has this label or externalEntityId')
    },
  },

  listEntities: {
    answer: async ({ partner }, { store }) =>
      [ownEntity(partner), ...partnerEntities(store.db, partner.id)].map(entityRecord),
  },

  setEntity: {
    async answer({ params, body, partner }, { store }) {
      if (params.entityId === partner.entityId)
        throw new Refusal(422, 'ERR_ENTITY_OF_ACCOUNT', "the account's own entity cannot be changed")
      const changed = changeEntity(store.db, partner.id, params.entityId, body)
      if (changed !== undefined) return entityRecord(changed)
      throw new Refusal(404, 'ERR_ENTITY_NOT_FOUND', 'this account has no entity with this id')
    },
  },
}

const entityRecord = ({ partnerId: _, isActive, ...entity }: Omit<EntityRow, 'createdAt'>) => ({
  ...entity,
  isActive: isActive === 1,
})

export const HANDLERS: Handlers = {
  keyed: { ...paymentHandlers, ...webhookHandlers, ...informeHandlers, ...evaluationHandlers, ...entityHandlers },
  open: { openInforme: openInformeHandler },
}
