import { newContact, newRiskDetails } from '../records/customers.ts'
import { fullEvaluationRecord, newLeadRecord } from '../records/records.ts'
import { causedBy, writeCause } from '../store/changes.ts'
import { addEvent } from '../store/deliveries.ts'
import { addPreApproval, dueLeads, findPreApproval, finishLead } from '../store/evaluations.ts'
import { findPartner } from '../store/partners.ts'
import { type Db, iso, newId } from '../store/store.ts'
import { type LeadRow, type PartnerRow, toJsonColumn } from '../store/tables.ts'
import type { Service } from './service.ts'

interface NewLead {
  rut: string
  outcome: 'approved' | 'rejected'
  projectId?: string
  evaluateInMs: number
}

/** Creates a lead. The event new_lead is sent at once, and the evaluation of the lead is finished later. */
export async function createLead(service: Service, partner: PartnerRow, asked: NewLead, now: number): Promise<LeadRow> {
  const lead: LeadRow = {
    id: newId(now),
    partnerId: partner.id,
    idNumber: asked.rut,
    projectId: asked.projectId ?? null,
    outcome: asked.outcome,
    contact: toJsonColumn(newContact(asked.rut, service.random)),
    createdAt: iso(now),
    evaluateAt: iso(now + asked.evaluateInMs),
    preApproveId: null,
  }
  service.store.transaction((db) => {
    db.insert('leads', lead)
    addEvent(db, { partnerId: partner.id, type: 'new_lead', subject: lead.id }, newLeadRecord(lead), now, {
      projectId: lead.projectId,
    })
  })
  return lead
}

/** Finishes the evaluations that are due, each only once, even if several processes do this. @param now ms since 1970 */
export async function finishDueEvaluations(service: Service, now: number): Promise<void> {
  for (const lead of dueLeads(service.store.db, iso(now))) await finish(service, lead)
}

/** The amounts that leads request, in currency units: `from`, `from + step` and so on. */
const LEAD_AMOUNTS = { from: 40_000_000, steps: 16, step: 5_000_000 }

async function finish(service: Service, lead: LeadRow): Promise<void> {
  const { random } = service
  const amount = LEAD_AMOUNTS.from + Math.floor(random() * LEAD_AMOUNTS.steps) * LEAD_AMOUNTS.step
  const { outcome, partnerId, idNumber } = lead
  const details = newRiskDetails(outcome, amount, random)
  // The stored time is when the evaluation was due, even if this code runs later.
  const at = Date.parse(lead.evaluateAt)
  const finished = (db: Db) => {
    const evaluated = { partnerId, idNumber, amount, outcome, options: [], details, leadId: lead.id }
    const id = addPreApproval(db, evaluated, at)
    if (!finishLead(db, lead.id, id)) {
      db.run('delete from preApprovals where id = ?', id)
      return
    }
    const [partner, preApproval] = [findPartner(db, 'id', partnerId), findPreApproval(db, id)]
    if (partner === undefined || preApproval === undefined) return
    const data = fullEvaluationRecord(service, partner, preApproval, lead)
    const scope = { outcome, projectId: lead.projectId }
    addEvent(db, { partnerId, type: 'pre_approve', subject: lead.id }, data, at, scope)
  }
  causedBy(writeCause('time', at, lead.id, lead.id), () => service.store.transaction(finished))
}
