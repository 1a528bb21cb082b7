import { createHash } from 'node:crypto'
import type { InstallmentOption } from '../../../domain/installments.ts'
import type { LeadContact } from '../../records/records.ts'
import type { PreApproval } from '../../store/evaluations.ts'
import type { LeadRow, PartnerRow } from '../../store/tables.ts'

/** Everything a report shows: what is not in here cannot change it. Amounts are integers, times ISO 8601. */
export interface ReportData {
  /** How reports are drawn: a new look is drawn anew. */
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
  /** The risk parameters. */
  details: Readonly<Record<string, unknown>>
}

const LOOK = 1

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
    contact: lead ? (JSON.parse(lead.contact) as LeadContact) : {},
    options: evaluated.options,
    details: evaluated.details,
  }
}

/** The customer's name; a payment's evaluation has none. */
export function nameOf({ contact }: ReportData): string {
  const name = [contact.nombres, contact.apellidoPaterno, contact.apellidoMaterno].filter(Boolean).join(' ')
  return name === '' ? 'Sin nombre registrado' : name
}

export function whereOf({ contact }: ReportData): string {
  return [contact.direccion, contact.comuna, contact.region].filter(Boolean).join(', ')
}

/** SHA-256 of the data in a form that does not depend on the order of its fields. Lower-case hex. */
export function fingerprint(data: ReportData): string {
  return createHash('sha256').update(stableJson(data)).digest('hex')
}

/** JSON with the fields of every record in one order. */
function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
