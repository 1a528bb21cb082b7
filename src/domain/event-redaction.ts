/** Fields that the specification names and that hold no personal data. Any other field may hold some (gap 11). */
const SHOWN = new Set([
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

/** `data` of an event for display: the names of all fields, and the values of fields without personal data. */
export function redactEvent(value: unknown, name?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => redactEvent(item, name))
  if (typeof value === 'object' && value !== null && !JSON.isRawJSON(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactEvent(item, key)]))
  return value === null || (name !== undefined && SHOWN.has(name)) ? value : HIDDEN
}
