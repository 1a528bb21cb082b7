import type { ControlResult } from '../service/controls/controls.ts'
import type { CallFact, DeliveryFact } from './facts.ts'

type Listed = ControlResult<'deliveries'>

/** The faults (`chaos`) that do not change a message: null for no fault, and `twice` for an identical copy. */
const GENUINE: readonly (string | null)[] = [null, 'twice']

/** Errors that mean that no shop was listening. */
const NOBODY: readonly (string | null)[] = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH']

/** Returns the deliveries with the shop's answers to genuine messages. */
export function deliveryFacts(listed: Listed): DeliveryFact[] {
  return listed.map(({ subject, state, attempts }) => ({
    subject,
    isUnderWay: state === 'sending',
    answers: attempts
      .filter(({ chaos, error }) => GENUINE.includes(chaos) && !NOBODY.includes(error))
      .map(({ status }) => status ?? 0),
  }))
}

/** Returns the transactions whose loan the shop could know, from a complete and true verification or from a genuine delivery. */
export function provenLoans(calls: readonly CallFact[], deliveries: readonly DeliveryFact[]): Set<string> {
  return new Set([
    ...calls
      .filter(({ name, status, isTrue }) => name === 'verifyLoan' && status === 200 && isTrue)
      .flatMap(({ externalTrxId }) => externalTrxId ?? []),
    ...deliveries.filter(({ answers, isUnderWay }) => isUnderWay || answers.length > 0).map(({ subject }) => subject),
  ])
}
