import type { PaymentSession, TokenProblem } from '../service/payments.ts'
import type { Ended } from './checkout.ts'

/** The events of the published widget, in the usual order. `check_condtions` is spelled as it is published. */
export type WidgetEvent =
  | 'idNumber_form'
  | 'loading_conditions'
  | 'installment_options'
  | 'check_condtions'
  | 'payment_subscription'
  | 'auth_factor'
  | 'signature'
  | 'success'
  | 'reject'

/**
 * How a payment ended, as the page tells it to `widget.js`. `reason` is what the published `onReject` receives: RISK_REJECTED and
 * USER_HAS_ACTIVE_LOAN are published, and every other reason is the sandbox's own.
 */
export interface WidgetEnd {
  outcome: 'rejected' | 'cancelled' | 'expired' | 'error'
  reason: string
  externalTrxId?: string
  preApproveId?: string | undefined
  problem?: TokenProblem
}

/**
 * Returns the events until the page asks its present question. If the shop has chosen the plan, its conditions are shown instead of the
 * plans.
 */
export function eventsBefore({
  selected,
  asks,
  isDirect,
}: Pick<PaymentSession, 'selected' | 'asks' | 'isDirect'>): WidgetEvent[] {
  if (asks === 'id-number') return ['idNumber_form']
  const plans: WidgetEvent[] = selected === undefined ? ['installment_options'] : ['check_condtions']
  if (asks === 'option') return ['loading_conditions', ...plans]
  if (isDirect) return ['loading_conditions', 'auth_factor']
  return ['loading_conditions', 'check_condtions', ...LATER[asks]]
}

const LATER: Readonly<Record<'subscription' | 'signature' | 'code', readonly WidgetEvent[]>> = {
  subscription: ['payment_subscription'],
  signature: ['payment_subscription', 'signature'],
  code: ['payment_subscription', 'auth_factor'],
}

/**
 * Returns the events up to the end of a payment, including those of steps that the sandbox passes without a page. The widget calls `onEvent`
 * for those that it has not reported yet.
 */
export function eventsUntil({ session, option, end }: Pick<Ended, 'session' | 'option' | 'end'>): WidgetEvent[] {
  const before = eventsBefore(session)
  if (end.outcome === 'paid') {
    if (session.isDirect) return [...before, 'success']
    const last = end.proof === 'code' ? 'auth_factor' : 'signature'
    return [...before, 'check_condtions', 'payment_subscription', last, 'success']
  }
  if (session.asks === 'id-number') return [...before, 'loading_conditions', 'reject']
  return option === undefined ? [...before, 'reject'] : [...before, 'check_condtions', 'reject']
}

/** Returns the end of a payment that was not paid. */
export function unpaidEnd({ outcome, preApproveId, externalTrxId, reason }: Ended['end']): WidgetEnd | undefined {
  if (outcome === 'paid') return undefined
  return {
    outcome,
    reason: outcome === 'rejected' ? (reason ?? 'RISK_REJECTED') : 'USER_CANCELLED',
    preApproveId,
    externalTrxId,
  }
}

/** Returns the end of a payment whose time is over. */
export const expiredEnd = ({
  preApproveId,
  externalTrxId,
}: Pick<PaymentSession, 'preApproveId' | 'externalTrxId'>): WidgetEnd => ({
  outcome: 'expired',
  reason: 'WIDGET_TOKEN_EXPIRED',
  preApproveId,
  externalTrxId,
})

const REASONS: Readonly<Record<TokenProblem, string>> = {
  missing: 'WIDGET_TOKEN_INVALID',
  forged: 'WIDGET_TOKEN_INVALID',
  'wrong-key': 'PUBLIC_KEY_INVALID',
  used: 'WIDGET_TOKEN_USED',
  expired: 'WIDGET_TOKEN_EXPIRED',
}

/** Returns the end for a token with which no payment can be opened. */
export const problemEnd = (problem: TokenProblem): WidgetEnd => ({
  outcome: 'error',
  problem,
  reason: REASONS[problem],
})
