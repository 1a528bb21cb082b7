import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { EventType } from '../../contract/integrations.ts'
import { dayInChile } from '../../domain/clock.ts'
import { newTransactionId } from '../../domain/identifiers.ts'
import { addMonths, type InstallmentOption, installmentPlan } from '../../domain/installments.ts'
import { addressesOf, baseOf } from '../addresses.ts'
import { DEFAULT_PORT, MONTHLY_RATE } from '../conventions.ts'
import type { PreApproval } from '../store/evaluations.ts'
import { iso, newId } from '../store/store.ts'
import {
  fromJsonColumn,
  type LeadContact,
  type LeadRow,
  type LoanRow,
  type PartnerRow,
  toJsonColumn,
} from '../store/tables.ts'
import { newContact, newRiskDetails, TEST_CUSTOMERS } from './customers.ts'

// The specification does not show the names of all fields. The sandbox invented the missing names (gap 11).

type LoanTerms = Omit<LoanRow, 'id' | 'partnerId' | 'createdAt' | 'verifiedAt' | 'cancelledAt' | 'paidInstallments'>
type Lead = Omit<LeadRow, 'partnerId' | 'idNumber' | 'outcome'>

/** Returns the day on which a loan is paid out: the day of the payment in Chile. @param now ms since 1970 */
export const transferDateOf = (now: number): string => dayInChile(now)

/** Returns the day on which an installment is due. The first one has period 1. */
export const dueDate = (transferDate: string, period: number): string => addMonths(transferDate, period)

/**
 * Returns the terms of a loan that is paid out now. The last installment includes the rounding difference.
 * @param amount currency units
 * @param now ms since 1970
 */
export const termsOf = (amount: number, { installments, amount: each, total }: InstallmentOption, now: number) => ({
  loanAmount: amount,
  interestRate: MONTHLY_RATE,
  periods: installments,
  installmentAmount: each,
  lastInstallmentAmount: total - each * (installments - 1),
  state: ACTIVE,
  transferDate: transferDateOf(now),
})

/** The state of a paid installment, and of a loan whose installments are all paid (gap 3). */
const PAID = 'PAID'
const ACTIVE = 'ACTIVE'

/** Returns the loan in the form of an answer to a verification (specification: "Loan"). */
export function loanRecord(loan: LoanTerms & Partial<Pick<LoanRow, 'paidInstallments'>>) {
  const { paidInstallments = 0 } = loan
  return {
    loanAmount: loan.loanAmount,
    interestRate: loan.interestRate,
    periods: loan.periods,
    installmentAmount: loan.installmentAmount,
    lastInstallmentAmount: loan.lastInstallmentAmount,
    state: loan.state === ACTIVE && paidInstallments === loan.periods ? PAID : loan.state,
    transferDate: loan.transferDate,
    externalTrxId: loan.externalTrxId,
    installments: Array.from({ length: loan.periods }, (_, i) => ({
      state: i < paidInstallments ? PAID : loan.state,
      period: i + 1,
      expirationDate: dueDate(loan.transferDate, i + 1),
    })),
  }
}

/** Returns the sum of the installments that were paid, which is given back when the loan is cancelled. Currency units. */
export const paidSoFar = ({
  paidInstallments,
  periods,
  installmentAmount,
  lastInstallmentAmount,
}: Pick<LoanRow, 'paidInstallments' | 'periods' | 'installmentAmount' | 'lastInstallmentAmount'>): number =>
  paidInstallments < periods
    ? paidInstallments * installmentAmount
    : (periods - 1) * installmentAmount + lastInstallmentAmount

/** Returns how many installments of a loan are due on a day (YYYY-MM-DD). */
export const dueBy = ({ transferDate, periods }: Pick<LoanRow, 'transferDate' | 'periods'>, day: string): number =>
  Array.from({ length: periods }, (_, i) => dueDate(transferDate, i + 1)).filter((due) => due <= day).length

/** Returns the `data` of the event loan_approved. */
export function loanApprovedRecord(loan: LoanTerms) {
  return { preApproveId: loan.preApproveId, ...loanRecord(loan) }
}

/** Returns the `data` of the event new_lead. Its 11 fields are the id and the contact data of the lead. */
export function newLeadRecord(lead: Pick<Lead, 'id' | 'contact'>) {
  return { leadId: lead.id, ...fromJsonColumn(lead.contact) }
}

/** Returns a lead as the list of leads contains it: with idPreAprobacion, but without urlInforme. */
export function leadSummaryRecord(lead: Lead) {
  const { rut, nombres, apellidoPaterno } = fromJsonColumn(lead.contact)
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

/** Returns the details of a lead, without idPreAprobacion and urlInforme. */
export function leadRecord(lead: Lead) {
  return {
    ...newLeadRecord(lead),
    idProyecto: lead.projectId,
    estado: leadState(lead),
    createdAt: lead.createdAt,
    evaluatedAt: lead.preApproveId === null ? null : lead.evaluateAt,
  }
}

const leadState = (lead: Lead) => (lead.preApproveId === null ? 'EN_EVALUACION' : 'EVALUADO')

/** Returns the 51 fields of a full evaluation, which the event pre_approve and the answers about evaluations contain as their `data`. */
export function fullEvaluationRecord(
  { baseUrl, signingSecret }: { baseUrl: string; signingSecret: string },
  partner: Pick<PartnerRow, 'name' | 'environment'>,
  evaluated: Pick<
    PreApproval,
    'id' | 'preLoanRequestId' | 'leadId' | 'idNumber' | 'outcome' | 'createdAt' | 'amount' | 'details'
  >,
  lead?: Pick<Lead, 'projectId' | 'contact'>,
) {
  return {
    idPreAprobacion: evaluated.id,
    urlInforme: informeUrl(baseOf(baseUrl, partner.environment), signingSecret, evaluated.id),
    preLoanRequestId: evaluated.preLoanRequestId,
    leadId: evaluated.leadId,
    ...(lead ? fromJsonColumn(lead.contact) : noContact(evaluated.idNumber)),
    idProyecto: lead?.projectId ?? null,
    partner: partner.name,
    resultado: evaluated.outcome,
    fechaEvaluacion: evaluated.createdAt,
    vigenciaHasta: addMonths(dayInChile(Date.parse(evaluated.createdAt)), 1),
    montoSolicitado: evaluated.amount,
    ...evaluated.details,
  }
}

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

/** Returns `urlInforme`, a signed link that opens a report without a key, at any time (for its path see gap 13). */
export function informeUrl(baseUrl: string, signingSecret: string, preApproveId: string): string {
  return `${baseUrl}/partner/informe/${preApproveId}.${sign(signingSecret, preApproveId)}`
}

/** Returns the preApproveId in the signature of a link; undefined when the sandbox did not make this signature. */
export function readInformeSignature(signingSecret: string, signature: string): string | undefined {
  const dot = signature.lastIndexOf('.')
  if (dot < 1) return undefined
  const id = signature.slice(0, dot)
  const given = Buffer.from(signature.slice(dot + 1))
  const right = Buffer.from(sign(signingSecret, id))
  return given.length === right.length && timingSafeEqual(given, right) ? id : undefined
}

const sign = (secret: string, id: string) => createHmac('sha256', secret).update(`informe:${id}`).digest('base64url')

/**
 * Returns the `data` of an event as the sandbox would send it, about invented people and loans (gap 11).
 * @param now ms since 1970. A time before 1970 or after `LATEST`, from a wrong clock, is replaced with the nearest time between them
 */
export function sampleEvent(event: EventType, now: number, random: () => number): Record<string, unknown> {
  return SAMPLES[event](Math.min(Math.max(0, now), LATEST), random)
}

/** The latest time of a sample. The last installment is due later, and its year must still have four digits. */
const LATEST = Date.UTC(9998, 0)

const AMOUNT = 250_000
const PERIODS = 6
const LEAD_AMOUNT = 60_000_000

const SAMPLES: Record<EventType, (now: number, random: () => number) => Record<string, unknown>> = {
  loan_approved(now, random) {
    const { installmentAmount: amount, total } = installmentPlan(AMOUNT, PERIODS, MONTHLY_RATE)
    return loanApprovedRecord({
      externalTrxId: newTransactionId(now, random),
      preApproveId: newId(now),
      ...termsOf(AMOUNT, { installments: PERIODS, amount, total }, now),
    })
  },
  new_lead: (now, random) => newLeadRecord(sampleLead(now, random)),
  pre_approve(now, random) {
    const lead = sampleLead(now, random)
    const { baseUrl } = addressesOf(`http://127.0.0.1:${DEFAULT_PORT}`)
    const signer = { baseUrl, signingSecret: randomBytes(16).toString('hex') }
    const evaluated = {
      id: newId(now),
      preLoanRequestId: newId(now),
      leadId: lead.id,
      idNumber: lead.idNumber,
      amount: LEAD_AMOUNT,
      outcome: 'approved',
      details: newRiskDetails('approved', LEAD_AMOUNT, random),
      createdAt: iso(now),
    } as const
    return fullEvaluationRecord(signer, { name: 'Sample', environment: 'beta' }, evaluated, lead)
  },
}

function sampleLead(now: number, random: () => number) {
  const idNumber = TEST_CUSTOMERS[0]?.rut ?? ''
  return { id: newId(now), idNumber, projectId: null, contact: toJsonColumn(newContact(idNumber, random)) }
}
