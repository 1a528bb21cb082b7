export interface Confirmation {
  agrees: boolean
  /** Names of the fields that differ between the event and the service's answer. Also empty when the service does not know the loan or lead. */
  differences: readonly string[]
  /** Milliseconds since 1970. */
  at: number
}

/** Whether it is certain that the service sent an event: the event's body is signed, or an answer of the service confirmed the event. */
export const isConfirmed = (event: { scheme: 'hmac' | 'token'; confirmation: Confirmation | null }): boolean =>
  event.scheme === 'hmac' || event.confirmation?.agrees === true

export type Question =
  | { read: 'verifyLoan'; params: { externalTrxId: string } }
  | { read: 'evaluationByLead' | 'getLead'; params: { leadId: string } }
  | { read: 'evaluationByRut'; params: { rut: string } }

/** Returns the call that can confirm an event; undefined when the event does not contain the id for the call. */
export function questionOf(event: string | null, data: unknown): Question | undefined {
  const field = (name: string): string | undefined => {
    const value = isRecord(data) ? data[name] : undefined
    // The specification does not show the type of ids in events. If an id is a number, its digits are sent.
    if (Number.isSafeInteger(value) || JSON.isRawJSON(value)) return JSON.stringify(value)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const [externalTrxId, leadId, rut] = [field('externalTrxId'), field('leadId'), field('rut')]
  if (event === 'loan_approved') return externalTrxId ? { read: 'verifyLoan', params: { externalTrxId } } : undefined
  if (event === 'new_lead') return leadId ? { read: 'getLead', params: { leadId } } : undefined
  if (event !== 'pre_approve') return undefined
  if (leadId) return { read: 'evaluationByLead', params: { leadId } }
  return rut ? { read: 'evaluationByRut', params: { rut } } : undefined
}

/** Fields that may change after the event, because the link to the report is created again, or the state of the loan changes. */
const CHANGING = new Set(['urlInforme', 'state', 'estado'])

/** Returns the names of fields with different values in an event and in the service's answer. Lists and objects are not compared. */
export function differencesOf(event: unknown, read: unknown): string[] {
  if (!isRecord(event) || !isRecord(read)) return []
  return Object.keys(event).filter(
    (name) =>
      !CHANGING.has(name) && isPlain(event[name]) && isPlain(read[name]) && String(event[name]) !== String(read[name]),
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
