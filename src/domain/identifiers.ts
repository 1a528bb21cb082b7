import { isRawNumber } from '../text/json-text.ts'
import { HIDDEN_INSIDE } from '../text/visible.ts'
import { dayInChile } from './clock.ts'

const MAX_ID_BYTES = 10_240

/** Returns why an id cannot be sent in a path or a form; undefined when it can. */
export function identifierProblem(value: string): string | undefined {
  if (value === '') return 'it is empty'
  if (value === '.' || value === '..') return `"${value}" would change the address of the call`
  if (/[\u0000-\u001f\u007f-\u009f]/.test(value)) return 'it contains a control character'
  if (!value.isWellFormed()) return 'it is not valid Unicode'
  if (value.length > MAX_ID_BYTES / 3 && Buffer.byteLength(value) > MAX_ID_BYTES) return 'it is longer than 10 kB'
  return undefined
}

/** What spreadsheets write in place of a long number. JSON numbers with an exponent have the same form. */
const SCIENTIFIC = /^[+-]?(\d+[.,]\d+e[+-]?|\d+e[+-]|\de)\d{1,3}$/i
/** The errors of spreadsheets in English and Spanish. An id such as `#1001` is not one of them. */
const SHEET_ERROR = /^#(n\/[ad]|[¡¿]?[\p{L}/0]+[!?]|#*|getting_data|desbordamiento|error)$/iu
const NO_VALUE =
  /^([(<[]?(null|undefined|none|nil|nan|nat|n\/?a|n\/d|s\/n|empty|blank|vac[ií]o|nulo|ninguno)[)>\]]?|\\n|-+|\?+|[+-]?inf(inity)?|true|false|verdadero|falso|\[object object\]|\$?\{+\s*\w+\s*\}+)$/i

/**
 * Returns why an id of a file is probably not an id, but what a spreadsheet or a program wrote in its place; undefined for every other
 * id. The caller has removed the blanks at its ends.
 */
export function damagedId(id: string): string | undefined {
  if (SCIENTIFIC.test(id)) return 'this is a rounded number, as spreadsheets write a long one, and not the id'
  if (SHEET_ERROR.test(id)) return 'this is an error of a spreadsheet, and not an id'
  if (NO_VALUE.test(id)) return 'this word means that there is no value'
  if (/^\d+[.,]0+$/.test(id)) return 'this is an id that a program read as a number and wrote with decimals'
  if (/^=.*[("]/s.test(id)) return 'this is a formula of a spreadsheet, and not its result'
  if (HIDDEN_INSIDE.test(id)) return 'this id contains a character that nobody can see'
  return undefined
}

const USUAL = /^(?:[a-z]+[-_][\w-]*\d[\w-]*|\d+)$/i

/**
 * Whether an id certainly has no problem, is not damaged, and is not a word for a total: letters, `-` or `_`, and digits, as in `order-1001`;
 * or only digits. Files of a million rows have such ids, and this is quicker than the questions one by one.
 */
export const isUsualId = (id: string): boolean => id.length <= 200 && USUAL.test(id)

/** Whether a cell is what a row of totals has in place of an id. */
export function isTotalWord(text: string): boolean {
  return /^((gran|grand|sub)[\s-]?)?total(es|s)?(\s?(general|final|a pagar))?\s*[:=]?$|^sumas?\s*[:=]?$/i.test(text)
}

/**
 * Returns a new externalTrxId, such as `trx-20260131-0k3…`. It consists of the day in Chile and 50 random bits.
 * @param now ms since 1970
 */
export function newTransactionId(now: number, random: () => number): string {
  const day = dayInChile(now).replaceAll('-', '')
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
  const tail = Array.from({ length: 10 }, () => alphabet[Math.floor(random() * 32)]).join('')
  return `trx-${day}-${tail}`
}

/** Returns a pre-approval id, or undefined if it is missing, empty, or the word `undefined`, which the payment page can send (gap 22). */
export function presentPreApproveId(value: string | null | undefined): string | undefined {
  return value === undefined || value === null || value === '' || value === 'undefined' ? undefined : value
}

/** Whether an id looks like what a script writes in place of a variable without a value, such as `undefined` or `$ID`. */
export function looksUnset(id: string): boolean {
  return /^(undefined|null|none|nan|\[object object\]|\$?\{?\{\w+\}\}?|[$:]\w+)$/i.test(id)
}

/**
 * Finds the pre-approval id in an evaluation's `data`. The specification does not show its field (gap 1), so two likely names are tried,
 * then `profileField`.
 * @returns the id. If no id was found, the id is null, `seen` has the names of all fields of `data`, and `unusable` is the name of a likely
 * field that is present, but contains no id
 */
export function findPreApproveId(
  data: Record<string, unknown>,
  profileField?: string,
): { preApproveId: string } | { preApproveId: null; seen: string[]; unusable: string | undefined } {
  const names = ['preApproveId', 'idPreAprobacion', ...(profileField === undefined ? [] : [profileField])]
  for (const name of names) {
    const value = Object.hasOwn(data, name) ? data[name] : undefined
    const isNumber = typeof value === 'number' || isRawNumber(value)
    const id = presentPreApproveId(isNumber ? JSON.stringify(value) : typeof value === 'string' ? value : undefined)
    if (id !== undefined) return { preApproveId: id }
  }
  return { preApproveId: null, seen: Object.keys(data), unusable: names.find((name) => Object.hasOwn(data, name)) }
}

/** Whether an id has the form of a UUID, which is the form of every preApproveId (specification: "Loan request"). */
export function looksLikeUuid(id: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
}

const EMAIL = /^[^\s@,;<>()[\]\\"]+@[^\s@,;<>()[\]\\"]+\.[^\s@,;<>()[\]\\".]+$/

/** Whether a text has the form of an e-mail address. */
export function looksLikeEmail(value: string): boolean {
  return value.length <= 254 && EMAIL.test(value)
}

type RutProblem = 'shape' | 'check'

type RutResult = { ok: true; rut: string } | { ok: false; problem: RutProblem; expected?: string }

const SHAPE = /^(\d{1,9})-?([\dK])$/

/** Returns the check digit of a RUT by modulus 11: `0`–`9` or `K`. */
export function rutCheckCharacter(digits: string): string {
  let sum = 0
  let factor = 2
  for (let i = digits.length - 1; i >= 0; i--) {
    sum += Number(digits[i]) * factor
    factor = factor === 7 ? 2 : factor + 1
  }
  const rest = 11 - (sum % 11)
  return rest === 11 ? '0' : rest === 10 ? 'K' : String(rest)
}

/**
 * Reads a RUT as people type it (`12.345.678-5`, `12345678-5`, `123456785`, lower-case `k`). Returns it in the form that is sent.
 * @param checkDigit false to accept a wrong check digit (gap 24: `--skip-rut-check`)
 */
export function parseRut(text: string, checkDigit = true): RutResult {
  const match = SHAPE.exec(text.trim().replaceAll('.', '').toUpperCase())
  if (!match) return { ok: false, problem: 'shape' }
  const digits = String(match[1]).replace(/^0+(?=\d)/, '')
  const check = String(match[2])
  if (Number(digits) === 0) return { ok: false, problem: 'shape' }
  const expected = rutCheckCharacter(digits)
  if (checkDigit && check !== expected) return { ok: false, problem: 'check', expected }
  return { ok: true, rut: `${digits}-${check}` }
}

/** Reads a RUT like `parseRut`, but also accepts spaces, commas, and the dashes that word processors and chats insert. */
export function parseTypedRut(text: string, checkDigit = true): RutResult {
  return parseRut(text.replace(/[\s,]/g, '').replace(/[\p{Pd}\u2212]/gu, '-'), checkDigit)
}

/** Writes a RUT with dots, for display: `12345678-5` becomes `12.345.678-5`. */
export function formatRut(rut: string): string {
  const [digits = '', check = ''] = rut.split('-')
  return `${digits.replace(/\B(?=(\d{3})+$)/g, '.')}-${check}`
}
