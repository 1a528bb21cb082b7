/** Fields that the specification names and that contain no personal data. The content of all other fields is unknown (gap 11). */
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

/** Returns an event's `data` for display: the names of all fields, and the values of the fields that contain no personal data. */
export function redactEvent(value: unknown, name?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => redactEvent(item, name))
  if (typeof value === 'object' && value !== null && !JSON.isRawJSON(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactEvent(item, key)]))
  return value === null || (name !== undefined && SHOWN.has(name)) ? value : HIDDEN
}
