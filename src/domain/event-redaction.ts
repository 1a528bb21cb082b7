/** Fields that the specification names and that say nothing of a person; of every other field (gap 11) nobody knows what it holds. */
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

/** `data` of an event as it may be shown: every field by its name, and values of those alone that the specification shows. */
export function redactEvent(value: unknown, name?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => redactEvent(item, name))
  if (typeof value === 'object' && value !== null && !JSON.isRawJSON(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactEvent(item, key)]))
  return value === null || (name !== undefined && SHOWN.has(name)) ? value : HIDDEN
}
