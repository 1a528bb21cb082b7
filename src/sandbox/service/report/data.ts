import { hash } from 'node:crypto'
import { groupDigits } from '../../../domain/amount.ts'
import { dayInChile } from '../../../domain/clock.ts'
import type { InstallmentOption } from '../../../domain/installments.ts'
import { isRecord } from '../../../text/json-text.ts'
import type { PreApproval } from '../../store/evaluations.ts'
import { fromJsonColumn, type LeadContact, type LeadRow, type PartnerRow } from '../../store/tables.ts'

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
  return hash('sha256', stableJson(data))
}

function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  )
}

/** Returns an amount in pesos. Reports are in Spanish, because the people who use them speak Spanish. */
export const pesos = (value: unknown): string => (typeof value === 'number' ? `$${groupDigits(value)}` : MISSING)
export const percent = (value: unknown): string =>
  typeof value === 'number' ? `${(value * 100).toFixed(1).replace('.', ',')} %` : MISSING
export const plain = (value: unknown): string =>
  value === null || value === undefined || value === '' ? MISSING : String(value)
const months = (value: unknown): string =>
  value === null || value === undefined ? MISSING : value === 1 ? '1 mes' : `${value} meses`
const times = (value: unknown): string =>
  typeof value === 'number' ? `${value.toFixed(2).replace('.', ',')} veces` : MISSING

const MISSING = '–'

/** Returns the day of a date or time, such as `07-03-2026`. The day of a time is that of Chile, so that a report is the same on every machine. */
export function day(value: unknown): string {
  const text = String(value)
  const isTime = /^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text))
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(isTime ? dayInChile(Date.parse(text)) : text)
  return match ? `${match[3]}-${match[2]}-${match[1]}` : MISSING
}

type Write = (value: unknown) => string

export const SECTIONS: readonly { title: string; rows: readonly (readonly [string, string, Write])[] }[] = [
  {
    title: 'Situación laboral',
    rows: [
      ['situacionLaboral', 'Situación', plain],
      ['tipoContrato', 'Contrato', plain],
      ['empleador', 'Empleador', plain],
      ['profesion', 'Profesión', plain],
      ['antiguedadLaboralMeses', 'Antigüedad', months],
      ['nivelEducacional', 'Nivel educacional', plain],
    ],
  },
  {
    title: 'Ingresos',
    rows: [
      ['rentaBruta', 'Renta bruta', pesos],
      ['rentaLiquida', 'Renta líquida', pesos],
      ['otrosIngresos', 'Otros ingresos', pesos],
      ['ingresoTotal', 'Ingreso total', pesos],
      ['arriendoActual', 'Arriendo actual', pesos],
      ['cargasFamiliares', 'Cargas familiares', plain],
    ],
  },
  {
    title: 'Endeudamiento',
    rows: [
      ['deudaConsumo', 'Deuda de consumo', pesos],
      ['deudaTarjetas', 'Deuda de tarjetas', pesos],
      ['deudaHipotecaria', 'Deuda hipotecaria', pesos],
      ['deudaTotal', 'Deuda total', pesos],
      ['cuotaMensualDeudas', 'Cuota mensual', pesos],
      ['cargaFinanciera', 'Carga financiera', percent],
      ['leverage', 'Apalancamiento', times],
    ],
  },
  {
    title: 'Comportamiento de pago',
    rows: [
      ['morosidades', 'Morosidades', plain],
      ['montoMorosidades', 'Monto en mora', pesos],
      ['protestos', 'Protestos', plain],
      ['puntajeRiesgo', 'Puntaje de riesgo', plain],
      ['segmentoRiesgo', 'Segmento', plain],
      ['probabilidadDefault', 'Prob. de incumplimiento', percent],
      ['motivoRechazo', 'Motivo de rechazo', plain],
    ],
  },
]

/** Returns the conclusion of the report in a few sentences. */
export function conclusion({ outcome, amount, partner, details }: ReportData): string {
  const facts = `El puntaje de riesgo es de ${plain(details.puntajeRiesgo)} puntos, la carga financiera de ${percent(details.cargaFinanciera)} del ingreso y la probabilidad de incumplimiento de ${percent(details.probabilidadDefault)}.`
  return outcome === 'approved'
    ? `La evaluación cumple la política de riesgo de ${partner}. ${facts} Se pre-aprueba un financiamiento de hasta ${pesos(details.montoPreAprobado ?? amount)}, sujeto a la verificación de los antecedentes del cliente.`
    : `La evaluación no cumple la política de riesgo de ${partner}: ${plain(details.motivoRechazo).toLowerCase()}. ${facts} No se pre-aprueba financiamiento por los ${pesos(amount)} solicitados; una nueva evaluación puede pedirse cuando cambien los antecedentes.`
}
