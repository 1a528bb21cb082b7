import { looksLikeEmail, looksLikeUuid } from '../../domain/identifiers.ts'

export type Form =
  | 'nothing'
  | 'flag'
  | 'count'
  | 'amount'
  | 'fraction'
  | 'uuid'
  | 'date'
  | 'moment'
  | 'address'
  | 'email'
  | 'rut'
  | 'word'
  | 'digits'
  | 'secret'
  | 'text'
  | 'list'
  | 'record'

/** A larger number is more likely an amount than a count. */
const LARGEST_COUNT = 400

/** Returns the form of a JSON value, such as `date` or `amount`. */
export function formOf(value: unknown): Form {
  if (value === null || value === undefined) return 'nothing'
  if (typeof value === 'boolean') return 'flag'
  if (typeof value === 'number')
    return Number.isInteger(value) ? (Math.abs(value) <= LARGEST_COUNT ? 'count' : 'amount') : 'fraction'
  if (typeof value === 'string') return formOfText(value)
  return Array.isArray(value) ? 'list' : 'record'
}

function formOfText(text: string): Form {
  if (text === '(secret)') return 'secret'
  if (looksLikeUuid(text)) return 'uuid'
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return 'date'
  if (/^\d{4}-\d{2}-\d{2}T/.test(text)) return 'moment'
  if (/^https?:\/\//.test(text)) return 'address'
  if (looksLikeEmail(text)) return 'email'
  if (/^\d{7,8}-[\dkK]$/.test(text)) return 'rut'
  if (/^-?\d+([.,]\d+)?$/.test(text)) return 'digits'
  if (/^[A-Z][A-Z_]*[A-Z]$/.test(text)) return 'word'
  return 'text'
}

/** Returns the JSON type of a value, in the words of `Manner`. */
export function typeOf(value: unknown): 'text' | 'number' | 'boolean' | 'null' | 'list' | 'object' {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return 'number'
  return typeof value === 'boolean' ? 'boolean' : 'object'
}

/** Words that mean the same in names of fields, in English and Spanish, in lower case without accents. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['installment', 'installments', 'cuota', 'cuotas', 'instalments', 'payments', 'pagos'],
  ['amount', 'monto', 'value', 'valor', 'importe'],
  ['state', 'status', 'estado'],
  ['id', 'uuid', 'identifier', 'identificador', 'ref', 'code', 'codigo'],
  ['url', 'link', 'href', 'address', 'enlace', 'uri'],
  ['loan', 'credit', 'prestamo', 'credito'],
  ['rate', 'tasa'],
  ['interest', 'interes'],
  ['period', 'periods', 'periodo', 'periodos', 'number', 'numero', 'term', 'plazo', 'index'],
  ['date', 'fecha', 'at', 'on', 'time', 'timestamp'],
  ['expiration', 'expires', 'due', 'vencimiento', 'expiry'],
  ['transfer', 'transferencia', 'disbursement'],
  ['token', 'ticket'],
  ['accepted', 'aceptado', 'ok', 'success', 'approved'],
  ['option', 'options', 'opcion', 'opciones', 'offers', 'offer', 'plans'],
  ['trx', 'transaction', 'transaccion', 'order', 'orden'],
  ['external', 'merchant', 'externo'],
  ['step', 'paso', 'stage', 'etapa'],
  ['event', 'events', 'evento', 'eventos'],
  ['type', 'types', 'tipo', 'tipos'],
  ['scheme', 'method', 'esquema', 'verification', 'auth'],
  ['created', 'creado', 'creation'],
  ['project', 'proyecto'],
  ['filter', 'filters', 'filtro', 'filtros'],
  ['last', 'final', 'ultima', 'ultimo'],
  ['report', 'informe'],
  ['approve', 'approval', 'aprobacion', 'approved'],
  ['first', 'nombres', 'nombre', 'name', 'names'],
  ['secret', 'clave', 'key'],
  ['email', 'mail', 'correo'],
]

const MEANINGS = new Map(SYNONYMS.flatMap((words, i) => words.map((word) => [word, `~${i}`] as const)))

interface ReadName {
  /** The words of the name. Words with the same meaning are replaced with the same placeholder. */
  words: readonly string[]
  pairs: readonly string[]
}

/** Names come from outside, so the number of remembered names must be limited. */
const MOST_NAMES = 5000
const READ = new Map<string, ReadName>()

function readName(name: string): ReadName {
  const known = READ.get(name)
  if (known !== undefined) return known
  const plain = wordsIn(name)
  const text = plain.join('')
  const words = plain.map((word) => MEANINGS.get(word) ?? word)
  const pairs = Array.from({ length: Math.max(text.length - 1, 0) }, (_, i) => text.slice(i, i + 2))
  const read = { words, pairs }
  if (READ.size < MOST_NAMES) READ.set(name, read)
  return read
}

function wordsIn(name: string): string[] {
  return name
    .slice(0, 128)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean)
}

/** Returns how similar two names of fields are, from 0 to 1. */
export function likeness(a: string, b: string): number {
  const [left, right] = [readName(a), readName(b)]
  if (left.words.length === 0 || right.words.length === 0) return 0
  return Math.max(dice(left.words, right.words), dice(left.pairs, right.pairs))
}

/** Returns the Dice coefficient: twice the number of shared items, divided by the number of all items. */
function dice(a: readonly string[], b: readonly string[]): number {
  const rest = new Map<string, number>()
  for (const item of b) rest.set(item, (rest.get(item) ?? 0) + 1)
  let both = 0
  for (const item of a) {
    const left = rest.get(item) ?? 0
    if (left === 0) continue
    rest.set(item, left - 1)
    both++
  }
  return a.length + b.length === 0 ? 0 : (2 * both) / (a.length + b.length)
}
