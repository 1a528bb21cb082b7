import type { HarmKind } from '../domain/sandbox-faults.ts'
import type { ControlResult } from '../sandbox/service/controls/controls.ts'
import type { CallFact, DeliveryFact } from './facts.ts'

type Listed = ControlResult<'deliveries'>

/** The faults (`chaos`) that do not change a message: null for no fault, and `twice` for an identical copy. */
const GENUINE: readonly (string | null)[] = [null, 'twice']

/** The fault with which a message is sent with a wrong signature. */
const FORGED = 'wrong-signature'

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

/** Whether a fault of deliveries happened, and a shop was there to receive what the fault sends. */
export const faultReached = (listed: Listed, kind: HarmKind): boolean =>
  listed.some(({ fault, state, attempts }) => {
    if (fault !== kind) return false
    if (kind === 'never') return state === 'lost'
    const sent = attempts.filter(({ chaos }) => chaos === (SENDS_MORE.includes(kind) ? kind : null))
    return sent.some(({ status }) => status !== null)
  })

/** The faults that send another message beside the genuine one. */
const SENDS_MORE: readonly HarmKind[] = ['twice', 'wrong-signature', 'other-body', 'redirected', 'of-another']

/** Whether the shop answered 2xx to a delivery of the sandbox whose signature was wrong. */
export const acceptsForgeries = (listed: Listed): boolean =>
  listed.some(({ attempts }) => attempts.some(({ chaos, status }) => chaos === FORGED && isAccepted(status)))

/** Whether a status means that the shop accepted a delivery. */
export const isAccepted = (status: number | null): boolean => status !== null && status >= 200 && status < 300

/** Returns the transactions whose loan the shop could know, from a complete and true verification or from a genuine delivery. */
export function provenLoans(calls: readonly CallFact[], deliveries: readonly DeliveryFact[]): Set<string> {
  return new Set([
    ...calls
      .filter(({ name, status, isTrue }) => name === 'verifyLoan' && status === 200 && isTrue)
      .flatMap(({ externalTrxId }) => externalTrxId ?? []),
    ...deliveries.filter(({ answers, isUnderWay }) => isUnderWay || answers.length > 0).map(({ subject }) => subject),
  ])
}
