import type { ControlResult } from '../service/controls/controls.ts'
import type { CallFact, DeliveryFact } from './facts.ts'

/** The sandbox's list of its deliveries, oldest first. */
type Listed = ControlResult<'deliveries'>

/** The marks of deliveries that the service itself would send. All other messages of a fault are false; only `twice` is a true copy. */
const GENUINE: readonly (string | null)[] = [null, 'twice']

/** Errors that mean that no shop was listening. */
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

/** The transactions whose loan the shop could know, by a complete and true verification or by a genuine delivery. */
export function provenLoans(calls: readonly CallFact[], deliveries: readonly DeliveryFact[]): Set<string> {
  return new Set([
    ...calls
      .filter(({ name, status, isTrue }) => name === 'verifyLoan' && status === 200 && isTrue)
      .flatMap(({ externalTrxId }) => externalTrxId ?? []),
    ...deliveries.filter(({ answers, isUnderWay }) => isUnderWay || answers.length > 0).map(({ subject }) => subject),
  ])
}
