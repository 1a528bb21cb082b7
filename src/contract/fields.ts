import { maskWords } from '../text/masking.ts'

/** The kind of a field, which decides how its value is recorded. */
export type FieldKind =
  | 'secret'
  | 'rut'
  | 'email'
  /** Telephones, accounts, cards. The digits are replaced. */
  | 'digits'
  /** Names and addresses of people. The words are replaced. */
  | 'words'
  | 'birth'
  /** A person's name or id, in a field such as `usuario` or `ownerId`. Only a UUID is kept. */
  | 'person'
  /** An id of an object. It is kept, except for personal data in it. If it may contain a name, the whole id is replaced. */
  | 'id'
  /** A word of the service, such as a state or a type. Only a known word is kept (`isCode`), because an unknown word may be a name. */
  | 'code'
  | 'url'
  /** Amounts, rates, counts. Numbers are kept. */
  | 'number'
  | 'moment'
  | 'flag'
  | 'unknown'

/** The fields that the contract names. A test compares this list with the contract. */
export const CONTRACT_FIELDS: Readonly<Record<string, FieldKind>> = {
  data: 'unknown',
  idNumber: 'rut',
  rut: 'rut',
  email: 'email',
  amount: 'number',
  total: 'number',
  installments: 'number',
  installmentOption: 'number',
  installmentOptions: 'number',
  loanAmount: 'number',
  refundAmount: 'number',
  interestRate: 'number',
  periods: 'number',
  installmentAmount: 'number',
  lastInstallmentAmount: 'number',
  period: 'number',
  entityId: 'id',
  externalTrxId: 'id',
  preApproveId: 'id',
  idPreAprobacion: 'id',
  preLoanRequestId: 'id',
  loanRequestId: 'id',
  leadId: 'id',
  eventId: 'id',
  id: 'id',
  step: 'code',
  state: 'code',
  verificationScheme: 'code',
  eventTypes: 'code',
  filters: 'code',
  outcome: 'code',
  accepted: 'flag',
  isActive: 'flag',
  externalEntityId: 'id',
  label: 'words',
  name: 'words',
  code: 'code',
  description: 'unknown',
  validUntil: 'moment',
  transferDate: 'moment',
  expirationDate: 'moment',
  url: 'url',
  urlInforme: 'url',
  successReturnUrl: 'url',
  errorReturnUrl: 'url',
  widgetToken: 'secret',
  publicKey: 'secret',
  signature: 'secret',
}

/**
 * The fields whose values are shown of an event: those of a loan, and the ids. A test compares this list with the loan of the contract. Not by
 * their kind, because an event has data of a customer, in which `amount`, `step` or `code` may be about her.
 */
const SHOWN_IN_EVENTS: ReadonlySet<string> = new Set([
  'eventId',
  'externalTrxId',
  'preApproveId',
  'idPreAprobacion',
  'preLoanRequestId',
  'leadId',
  'loanAmount',
  'interestRate',
  'periods',
  'installmentAmount',
  'lastInstallmentAmount',
  'state',
  'transferDate',
  'installments',
  'period',
  'expirationDate',
])

const HIDDEN = '••••'

/**
 * Returns an event's `data` for display: the names of all fields, and the values of the fields that contain no personal data. A RUT or an
 * e-mail address in a name or in such a value is masked.
 */
export function redactEvent(value: unknown, name?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => redactEvent(item, name))
  if (typeof value === 'object' && value !== null && !JSON.isRawJSON(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [maskWords(key), redactEvent(item, key)]))
  if (value !== null && (name === undefined || !SHOWN_IN_EVENTS.has(name))) return HIDDEN
  return typeof value === 'string' ? maskWords(value) : value
}
