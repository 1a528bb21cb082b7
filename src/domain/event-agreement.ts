/** What reading the service came to. */
export interface Confirmation {
  agrees: boolean
  /** Names of the fields that differ; with none, the service does not know what the event tells of. */
  differences: readonly string[]
  /** Milliseconds since 1970. */
  at: number
}

/** Whether an event is known to be the service's: its body is signed, or the service was asked and says the same. */
export const isConfirmed = (event: { scheme: 'hmac' | 'token'; confirmation: Confirmation | null }): boolean =>
  event.scheme === 'hmac' || event.confirmation?.agrees === true

/** What the service is asked to confirm an event, each a read of what the event tells of. */
export type Question =
  | { read: 'verifyLoan'; params: { externalTrxId: string } }
  | { read: 'evaluationByLead' | 'getLead'; params: { leadId: string } }
  | { read: 'evaluationByRut'; params: { rut: string } }

/** Which read tells whether an event is true; undefined when it names nothing to ask by. @param data of the event */
export function questionOf(event: string | null, data: unknown): Question | undefined {
  const field = (name: string): string | undefined => {
    const value = isRecord(data) ? data[name] : undefined
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const [externalTrxId, leadId, rut] = [field('externalTrxId'), field('leadId'), field('rut')]
  if (event === 'loan_approved') return externalTrxId ? { read: 'verifyLoan', params: { externalTrxId } } : undefined
  if (event === 'new_lead') return leadId ? { read: 'getLead', params: { leadId } } : undefined
  if (event !== 'pre_approve') return undefined
  if (leadId) return { read: 'evaluationByLead', params: { leadId } }
  return rut ? { read: 'evaluationByRut', params: { rut } } : undefined
}

/** Fields that are another value each time, or later: a link is made anew, a loan is paid off. */
const CHANGING = new Set(['urlInforme', 'state', 'estado'])

/** Names of the fields that an event and the service's own answer both have and that differ; lists and objects are not compared. */
export function differencesOf(told: unknown, read: unknown): string[] {
  if (!isRecord(told) || !isRecord(read)) return []
  return Object.keys(told).filter(
    (name) =>
      !CHANGING.has(name) && isPlain(told[name]) && isPlain(read[name]) && String(told[name]) !== String(read[name]),
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
