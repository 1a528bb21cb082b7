import type { ControlResult } from '../service/controls/controls.ts'
import type { CallFact, DeliveryFact } from './facts.ts'

/** What a sandbox lists of its deliveries, oldest first. */
type Listed = ControlResult<'deliveries'>

/** What the service itself would send: everything but the strays of a fault, of which only this one is a copy. */
const GENUINE: readonly (string | null)[] = [null, 'twice']

/** No shop was there. */
const NOBODY: readonly (string | null)[] = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH']

/** The deliveries that reached the shop, or should have. */
export function deliveryFacts(listed: Listed): DeliveryFact[] {
  return listed.map(({ subject, state, attempts }) => ({
    subject,
    isUnderWay: state === 'sending',
    answers: attempts
      .filter(({ chaos, error }) => GENUINE.includes(chaos) && !NOBODY.includes(error))
      .map(({ status }) => status ?? 0),
  }))
}

/** The transactions of which a shop could know the loan: by a whole and true verification, or a genuine delivery. */
export function provenLoans(calls: readonly CallFact[], deliveries: readonly DeliveryFact[]): Set<string> {
  return new Set([
    ...calls
      .filter(({ name, status, isTrue }) => name === 'verifyLoan' && status === 200 && isTrue)
      .flatMap(({ externalTrxId }) => externalTrxId ?? []),
    ...deliveries.filter(({ answers, isUnderWay }) => isUnderWay || answers.length > 0).map(({ subject }) => subject),
  ])
}
