import { addMonths } from '../../domain/installments.ts'
import { informeUrl } from '../service/informe-signature.ts'
import type { Service } from '../service/service.ts'
import type { PreApproval } from '../store/evaluations.ts'
import type { LeadRow, LoanRow, PartnerRow } from '../store/tables.ts'

/**
 * The records of the service, as answers and deliveries carry them. Field names beyond the specification's are the sandbox's own (gap
 * 11).
 */

type LoanTerms = Omit<LoanRow, 'id' | 'createdAt' | 'verifiedAt'>

/** The loan of verification (specification: "Loan"). */
export function loanRecord(loan: LoanTerms) {
  return {
    loanAmount: loan.loanAmount,
    interestRate: loan.interestRate,
    periods: loan.periods,
    installmentAmount: loan.installmentAmount,
    lastInstallmentAmount: loan.lastInstallmentAmount,
    state: loan.state,
    transferDate: loan.transferDate,
    externalTrxId: loan.externalTrxId,
    installments: Array.from({ length: loan.periods }, (_, i) => ({
      state: loan.state,
      period: i + 1,
      expirationDate: addMonths(loan.transferDate, i + 1),
    })),
  }
}

/** `data` of loan_approved. */
export function loanApprovedRecord(loan: LoanTerms) {
  return { preApproveId: loan.preApproveId, ...loanRecord(loan) }
}

/** The 11 identity and contact fields of a lead. */
export interface LeadContact {
  rut: string
  nombres: string
  apellidoPaterno: string
  apellidoMaterno: string
  email: string
  telefono: string
  fechaNacimiento: string
  direccion: string
  comuna: string
  region: string
}

/** `data` of new_lead: 11 fields, nothing of an evaluation. */
export function newLeadRecord(lead: LeadRow) {
  return { leadId: lead.id, ...(JSON.parse(lead.contact) as LeadContact) }
}

/** A row of the lead list: idPreAprobacion, never urlInforme. */
export function leadRow(lead: LeadRow) {
  const { rut, nombres, apellidoPaterno } = JSON.parse(lead.contact) as LeadContact
  return {
    leadId: lead.id,
    rut,
    nombres,
    apellidoPaterno,
    idProyecto: lead.projectId,
    estado: leadState(lead),
    createdAt: lead.createdAt,
    idPreAprobacion: lead.preApproveId,
  }
}

/** The details of a lead: neither idPreAprobacion nor urlInforme. */
export function leadRecord(lead: LeadRow) {
  return {
    ...newLeadRecord(lead),
    idProyecto: lead.projectId,
    estado: leadState(lead),
    createdAt: lead.createdAt,
    evaluatedAt: lead.preApproveId === null ? null : lead.evaluateAt,
  }
}

const leadState = (lead: LeadRow) => (lead.preApproveId === null ? 'EN_EVALUACION' : 'EVALUADO')

/** The full evaluation, 51 fields: `data` of pre_approve and of the evaluation reads. */
export function evaluationRecord(
  { baseUrl, signingSecret }: Pick<Service, 'baseUrl' | 'signingSecret'>,
  partner: PartnerRow,
  evaluated: PreApproval,
  lead?: LeadRow,
) {
  return {
    idPreAprobacion: evaluated.id,
    urlInforme: informeUrl(baseUrl, signingSecret, evaluated.id),
    preLoanRequestId: evaluated.preLoanRequestId,
    leadId: evaluated.leadId,
    ...(lead ? (JSON.parse(lead.contact) as LeadContact) : noContact(evaluated.idNumber)),
    idProyecto: lead?.projectId ?? null,
    partner: partner.name,
    resultado: evaluated.outcome,
    fechaEvaluacion: evaluated.createdAt,
    vigenciaHasta: addMonths(evaluated.createdAt.slice(0, 10), 1),
    montoSolicitado: evaluated.amount,
    ...evaluated.details,
  }
}

/** A customer of a payment leaves no contact: the fields are there, and empty. */
function noContact(rut: string): Record<keyof LeadContact, string | null> {
  return {
    rut,
    nombres: null,
    apellidoPaterno: null,
    apellidoMaterno: null,
    email: null,
    telefono: null,
    fechaNacimiento: null,
    direccion: null,
    comuna: null,
    region: null,
  }
}
