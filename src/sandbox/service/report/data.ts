import { createHash } from 'node:crypto'
import type { InstallmentOption } from '../../../domain/installments.ts'
import type { PreApproval } from '../../store/evaluations.ts'
import { fromJsonColumn } from '../../store/json-column.ts'
import type { LeadContact, LeadRow, PartnerRow } from '../../store/tables.ts'

/** Everything that a report shows. Amounts are integers, times ISO 8601. */
export interface ReportData {
  /** The version of the layout. When it changes, every report is rendered again. */
  look: number
  preApproveId: string
  partner: string
  projectId: string | null
  idNumber: string
  outcome: 'approved' | 'rejected'
  amount: number
  evaluatedAt: string
  contact: Partial<LeadContact>
  options: readonly InstallmentOption[]
  details: Readonly<Record<string, unknown>>
}

const LOOK = 1

/** Returns the data of a report. */
export function reportData(evaluated: PreApproval, partner: PartnerRow, lead: LeadRow | undefined): ReportData {
  return {
    look: LOOK,
    preApproveId: evaluated.id,
    partner: partner.name,
    projectId: lead?.projectId ?? null,
    idNumber: evaluated.idNumber,
    outcome: evaluated.outcome === 'approved' ? 'approved' : 'rejected',
    amount: evaluated.amount,
    evaluatedAt: evaluated.createdAt,
    contact: lead ? fromJsonColumn(lead.contact) : {},
    options: evaluated.options,
    details: evaluated.details,
  }
}

/** Returns the customer's name, or the text “Sin nombre registrado” if the name is not known. */
export function customerName({ contact }: ReportData): string {
  const name = [contact.nombres, contact.apellidoPaterno, contact.apellidoMaterno].filter(Boolean).join(' ')
  return name === '' ? 'Sin nombre registrado' : name
}

/** Returns the customer's address, or an empty text if the address is not known. */
export function customerAddress({ contact }: ReportData): string {
  return [contact.direccion, contact.comuna, contact.region].filter(Boolean).join(', ')
}

/** Returns the SHA-256 of the data, in lower-case hex. The order of the fields does not matter. */
export function reportFingerprint(data: ReportData): string {
  return createHash('sha256').update(stableJson(data)).digest('hex')
}

function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
