import { formatTime } from '../terminal/format.ts'
import type { Numbers } from '../terminal/numbers.ts'
import { isPersonName, isRutName } from '../text/field-names.ts'
import { maskEmail, maskRut, maskTypedId } from '../text/masking.ts'

const TITLES: Readonly<Record<string, string>> = {
  leadId: 'Lead',
  idPreAprobacion: 'Pre-approval',
  preLoanRequestId: 'Pre-loan request',
  urlInforme: 'Report',
  idProyecto: 'Project',
  partner: 'Account',
  rut: 'RUT',
  nombres: 'First names',
  apellidoPaterno: 'Surname',
  apellidoMaterno: 'Second surname',
  email: 'E-mail',
  telefono: 'Phone',
  fechaNacimiento: 'Born',
  direccion: 'Address',
  comuna: 'Comuna',
  region: 'Region',
  estado: 'State',
  resultado: 'Result',
  createdAt: 'Created',
  evaluatedAt: 'Evaluated',
  fechaEvaluacion: 'Evaluated',
  vigenciaHasta: 'Valid until',
  nacionalidad: 'Nationality',
  estadoCivil: 'Civil status',
  nivelEducacional: 'Education',
  profesion: 'Profession',
  situacionLaboral: 'Employment',
  tipoContrato: 'Contract',
  empleador: 'Employer',
  antiguedadLaboralMeses: 'Months employed',
  cargasFamiliares: 'Dependants',
  rentaLiquida: 'Net income',
  rentaBruta: 'Gross income',
  otrosIngresos: 'Other income',
  ingresoTotal: 'Total income',
  arriendoActual: 'Rent paid',
  deudaConsumo: 'Consumer debt',
  deudaTarjetas: 'Card debt',
  deudaHipotecaria: 'Mortgage debt',
  deudaTotal: 'Total debt',
  cuotaMensualDeudas: 'Monthly debt payments',
  cargaFinanciera: 'Debt burden',
  leverage: 'Leverage',
  morosidades: 'Arrears',
  montoMorosidades: 'Amount in arrears',
  protestos: 'Protested documents',
  puntajeRiesgo: 'Risk score',
  probabilidadDefault: 'Probability of default',
  segmentoRiesgo: 'Risk segment',
  motivoRechazo: 'Reason for refusal',
  montoSolicitado: 'Amount asked for',
  montoPreAprobado: 'Amount pre-approved',
  plazoMaximoMeses: 'Longest term in months',
  tasaReferencia: 'Reference rate',
}

/** These values are fractions (0.25 for 25 %). */
const SHARES = new Set(['cargaFinanciera', 'probabilidadDefault', 'tasaReferencia'])

/** Returns the title of a field in a table. An unknown field gets its name as words: `fechaFirma` becomes “Fecha firma”. */
export function titleOf(name: string): string {
  if (Object.hasOwn(TITLES, name)) return String(TITLES[name])
  const words = name.replace(
    /([a-z\d])([A-Z])/g,
    (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
  )
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/

/**
 * Fields that are masked in addition to those that `isPersonName` finds, which are a RUT, `email` and `phone`. A field that contains the
 * name of a person, such as `nombres`, is not masked, because users find a lead by the name.
 */
const PERSONAL = /^(correo|telefono|celular|fechaNacimiento|direccion)$/i

/** Masks personal data so that it can still be compared with what a person says: the ends of an id and of a telephone number are shown. */
function masked(name: string, value: string): string | undefined {
  if (isRutName(name)) return maskRut(value)
  if (!isPersonName(name) && !PERSONAL.test(name)) return undefined
  if (value.includes('@')) return maskEmail(value)
  return /^[+\d\s()-]{7,}$/.test(value) && !ISO_DATE.test(value) ? maskTypedId(value) : '••••'
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}/

/**
 * Returns a field's value for people: numbers are grouped, times are local, and personal data is masked. Returns undefined for a value that
 * is shown unchanged.
 * @param reveal true to show personal data unchanged
 */
export function readableValue(name: string, value: unknown, numbers: Numbers, reveal = false): string | undefined {
  const hidden =
    reveal || (typeof value !== 'string' && typeof value !== 'number') ? undefined : masked(name, String(value))
  if (hidden !== undefined) return hidden
  if (typeof value === 'number') {
    if (SHARES.has(name)) return numbers.rate(value)
    return Number.isSafeInteger(value) ? numbers.count(value) : numbers.plain(value)
  }
  if (typeof value !== 'string') return undefined
  return TIME.test(value) ? formatTime(value) : undefined
}
