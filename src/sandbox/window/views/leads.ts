import { maskRut } from '../../../domain/masking.ts'
import { type ControlAction, textInput } from '../../controls/control-action.ts'
import { informeUrl } from '../../informe-signature.ts'
import type { LeadContact } from '../../records.ts'
import type { Service } from '../../service.ts'
import { findAnyLead, listAllLeads } from '../../store/leads.ts'
import { countRowsOf } from '../../store/rows.ts'
import { PAGE_ROWS, pageInput } from './page-input.ts'

/** `leads {page}`: leads of every partner with what became of their evaluation, the newest first. */
export const leads: ControlAction = async (input, service) => {
  const { db } = service.store
  const { page, offset } = pageInput(input)
  const rows = (await listAllLeads(db, offset, PAGE_ROWS)).map((row) => describe(row, service))
  return { page, pageRows: PAGE_ROWS, total: await countRowsOf(db, 'leads'), rows }
}

/** `lead {leadId}`: one of them; null when there is none. */
export const lead: ControlAction = async (input, service) => {
  const row = await findAnyLead(service.store.db, textInput(input, 'leadId') ?? '')
  return row === undefined ? null : describe(row, service)
}

function describe(row: Awaited<ReturnType<typeof listAllLeads>>[number], { baseUrl, signingSecret }: Service) {
  const { nombres, apellidoPaterno, comuna } = JSON.parse(row.contact) as LeadContact
  return {
    leadId: row.id,
    partner: row.partner,
    name: `${nombres} ${apellidoPaterno}`,
    place: comuna,
    customer: maskRut(row.idNumber),
    projectId: row.projectId,
    createdAt: row.createdAt,
    evaluateAt: row.evaluateAt,
    outcome: row.preApproveId === null ? null : row.outcome,
    amount: row.amount,
    preApproveId: row.preApproveId,
    report: row.preApproveId === null ? null : informeUrl(baseUrl, signingSecret, row.preApproveId),
  }
}
