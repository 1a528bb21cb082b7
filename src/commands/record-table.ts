import type { Probed } from '../client/client.ts'
import type { Context } from '../context.ts'
import type { EndpointName, ResponseData } from '../contract/endpoints.ts'
import { formatTime, type Numbers } from '../terminal/numbers.ts'
import { type Column, clip, renderFields, renderTable, tableOn } from '../terminal/table.ts'
import { measureFor } from '../terminal/wrap.ts'
import { isPersonName, isRutName, maskEmail, maskRut, maskStructure, maskTypedId } from '../text/masking.ts'
import { toJson, visible } from '../text/visible.ts'

type Fields = Record<string, unknown>

/** The option that shows personal data in tables, and its description. */
export const REVEAL = [
  '--reveal',
  'also show personal data in the table: ids, contact data, birth dates, addresses',
] as const

/** Says how to see the personal data of a table. JSON has all data as it was sent. */
export function noteMasked({ output }: Context, reveal: boolean): void {
  if (output.forPeople && !reveal) output.note('Personal data is masked. Add --reveal to see it.')
}

/** Tables leave out signed links, because everybody who has the link can open the report. */
const LINKS = new Set(['urlInforme'])

/** Returns a record as text for people, a line for each field. @param reveal true to show personal data unmasked */
export async function renderRecord(context: Context, record: Fields, reveal: boolean): Promise<string> {
  const lines = Object.entries(record).map(([name, value]) =>
    LINKS.has(name)
      ? ([titleOf(name), LEFT_OUT] as const)
      : ([
          titleOf(name),
          readableValue(name, value, context.numbers, reveal) ?? spaced(inside(name, value, reveal)),
          'data',
        ] as const),
  )
  return lines.length === 0 ? 'The record is empty.' : renderFields(lines, context.output)
}

/** Returns a value. In an object or a list, personal data is masked as `maskStructure` does, unless `reveal` is true. */
const inside = (name: string, value: unknown, reveal: boolean): unknown =>
  reveal || typeof value !== 'object' ? value : maskStructure(value, name)

const INDENT = '  '

const LEFT_OUT = '(a signed link; --json shows it)'

/**
 * Returns several records as text for people, one line each. Values that do not fit are printed on a second line
 * below the record.
 * @param none the text for an empty list
 * @param reveal true to show personal data unmasked
 */
export async function renderRecords(
  context: Context,
  records: readonly Fields[],
  none: string,
  reveal: boolean,
): Promise<string> {
  if (records.length === 0) return none
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))].filter((name) => !LINKS.has(name))
  const ordered = names.filter((name) => name !== 'idPreAprobacion')
  if (ordered.length < names.length) ordered.splice(1, 0, 'idPreAprobacion')
  const valueIn = (name: string, value: unknown) =>
    readableValue(name, value, context.numbers, reveal) ?? shown(inside(name, value, reveal))
  const columns: Column<Fields>[] = []
  let room = context.output.width
  for (const name of ordered) {
    const title = context.output.inLanguage(titleOf(name))
    const text = (record: Fields) => valueIn(name, record[name])
    const width = records.reduce((widest, record) => Math.max(widest, text(record).length), title.length)
    if (columns.length >= 2 && width > room) break
    room -= width + 2
    const isNumber = records.every((record) => typeof (record[name] ?? 0) === 'number')
    columns.push({
      title,
      value: text,
      shrinks: name !== 'idPreAprobacion',
      ...(isNumber && records.some((record) => typeof record[name] === 'number') ? { align: 'right' } : {}),
    })
  }
  const { width, style, inLanguage } = context.output
  const options = tableOn(context.output)
  let isCut = false
  const onCut = () => {
    if (!isCut) options.onCut?.()
    isCut = true
  }
  const table = await renderTable(records, columns, { ...options, onCut })
  const rest = ordered.slice(columns.length)
  if (rest.length === 0) return table
  const values = records.map((record) => rest.map((name) => visible(valueIn(name, record[name]))).join(' · '))
  const measure = await measureFor(values)
  const below = values.map((value) => clip(value, width - INDENT.length, measure))
  if (below.some((value, i) => value !== values[i])) onCut()
  const [titles, ...lines] = table.split('\n')
  const titlesBelow = clip(
    visible(rest.map((name) => inLanguage(titleOf(name))).join(' · ')),
    width - INDENT.length,
    (text) => text.length,
  )
  return [
    titles,
    `${INDENT}${style.dim(titlesBelow)}`,
    ...lines.flatMap((line, i) => [line, `${INDENT}${style.dim(below[i] ?? '')}`]),
  ].join('\n')
}

/** Returns a value as text. Objects and lists are JSON with spaces, so that a line can be wrapped. */
export function spaced(value: unknown): string {
  return typeof value === 'object' && value !== null
    ? JSON.stringify(value, null, 1).replace(/\n */g, ' ')
    : shown(value)
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const TITLES: Readonly<Record<string, string>> = {
  externalEntityId: 'External id',
  label: 'Label',
  active: 'Active',
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
function titleOf(name: string): string {
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
function readableValue(name: string, value: unknown, numbers: Numbers, reveal = false): string | undefined {
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

/**
 * Prints the answer to a read request. An answer of an unknown shape is printed as it was sent, with a warning.
 * Throws `service` for a list whose rows differ from the specification.
 * @param table returns the data as text for people
 * @returns the data; undefined if its shape is not known
 */
export async function showAnswer<N extends EndpointName>(
  context: Context,
  answer: Probed<N>,
  table: (data: ResponseData<N>) => string | Promise<string>,
): Promise<ResponseData<N> | undefined> {
  if (!answer.known && Array.isArray(answer.data)) throw answer.failure
  if (answer.odd !== undefined) context.output.warn(answer.odd)
  if (answer.known) {
    const { data } = answer
    await context.output.result(data, () => table(data))
    return data
  }
  context.output.warn('The answer is shown as it was sent.')
  await context.output.result(answer.data, () => toJson(answer.data, 2))
  return undefined
}
