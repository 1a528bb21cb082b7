import { maskRut } from '../../../text/masking.ts'
import { type ControlAction, textInput } from '../../service/controls/control-action.ts'
import { findAnyLead, listAllLeads } from '../../store/leads.ts'
import { countRowsOf } from '../../store/rows.ts'
import type { LeadContact } from '../../store/tables.ts'
import { PAGE_ROWS, pageInput } from './page-input.ts'
import { profileFor } from './profile.ts'
import { reportOf } from './report.ts'

/** `leads {page}`: leads of every partner with what became of their evaluation, the newest first. */
export const leads: ControlAction = async (input, service) => {
  const { db } = service.store
  const { page, offset } = pageInput(input)
  const rows = (await listAllLeads(db, offset, PAGE_ROWS)).map(describe)
  return { page, pageRows: PAGE_ROWS, total: await countRowsOf(db, 'leads'), rows }
}

/** `lead {leadId}`: one of them; null when there is none. */
export const lead: ControlAction = async (input, service) => {
  const row = await findAnyLead(service.store.db, textInput(input, 'leadId') ?? '')
  if (row === undefined) return null
  const report = row.preApproveId === null ? null : await reportOf(service, row.preApproveId)
  return { ...describe(row), profile: await profileFor(service.store.db, row.partner), report }
}

function describe(row: Awaited<ReturnType<typeof listAllLeads>>[number]) {
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
  }
}
