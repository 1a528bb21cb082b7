import { textInput } from '../../sandbox/service/controls/control-action.ts'
import { fromJsonColumn } from '../../sandbox/store/json-column.ts'
import { findAnyLead, listAllLeads } from '../../sandbox/store/leads.ts'
import { countRowsOf } from '../../sandbox/store/store.ts'
import { maskRut } from '../../text/masking.ts'
import type { LeadView } from './rows.ts'
import { PAGE_ROWS, pageInput, profileFor, reportOf, type ViewsByName } from './view.ts'

export const leadViews: Pick<ViewsByName, 'leads' | 'lead'> = {
  async leads(input, service) {
    const { db } = service.store
    const { page, offset } = pageInput(input)
    const rows = listAllLeads(db, offset, PAGE_ROWS).map(describe)
    return { page, pageRows: PAGE_ROWS, total: countRowsOf(db, 'leads'), rows }
  },

  async lead(input, service) {
    const row = findAnyLead(service.store.db, textInput(input, 'leadId') ?? '')
    if (row === undefined) return null
    const report = row.preApproveId === null ? null : await reportOf(service, row.preApproveId, row.partner)
    return { ...describe(row), profile: await profileFor(service.store.db, row.partner), report }
  },
}

/** Returns the first name and the surname of a lead. */
export function nameOfLead({ contact }: Pick<Awaited<ReturnType<typeof listAllLeads>>[number], 'contact'>): string {
  const { nombres, apellidoPaterno } = fromJsonColumn(contact)
  return `${nombres} ${apellidoPaterno}`
}

function describe(row: Awaited<ReturnType<typeof listAllLeads>>[number]): LeadView {
  return {
    leadId: row.id,
    partner: row.partner,
    name: nameOfLead(row),
    place: fromJsonColumn(row.contact).comuna,
    customer: maskRut(row.idNumber),
    projectId: row.projectId,
    createdAt: row.createdAt,
    evaluateAt: row.evaluateAt,
    outcome: row.preApproveId === null ? null : row.outcome,
    amount: row.amount,
    preApproveId: row.preApproveId,
  }
}
