import type { InstallmentOption } from '../../domain/installments.ts'
import type { KindOfSort } from '../../domain/sandbox-faults.ts'
import type {
  ClosedPayment,
  PaymentEnd,
  PaymentSession,
  Payments,
  Progress,
  StepAnswer,
  TokenProblem,
} from '../service/payments.ts'

export interface Ended {
  session: PaymentSession
  /** The option that the customer chose; undefined when the customer chose to cancel. */
  option: InstallmentOption | undefined
  end: Extract<PaymentEnd, { ok: true }>
  /** The parameters with which the customer returns to the merchant; undefined when the customer does not return. */
  back: ClosedPayment | undefined
  /** When the result was first shown, in ms by the sandbox's clock; undefined before. */
  shownAt: number | undefined
}

export type Found =
  | { kind: 'payment'; session: PaymentSession }
  | { kind: 'ended'; ended: Ended; sinceShownMs: number }
  | { kind: 'problem'; problem: TokenProblem; closed: ClosedPayment | undefined; sinceShownMs: number }

/** What the customer did on the page. With `isAutomatic`, the customer answers every later question at once. */
export type CustomerAction =
  | { kind: 'cancel' }
  | { kind: 'confirm'; installments: number | undefined; isAutomatic?: boolean }
  | { kind: 'identify'; idNumber?: string }
  | StepAnswer

/** `refreshed`: the session has a new token. The other kinds with a session ask the same question again. */
type Acted =
  | { kind: 'done' }
  | { kind: 'refreshed'; widgetToken: string }
  | { kind: 'bad-option' | 'unavailable' | 'wrong-code'; session: PaymentSession }

interface Checkout {
  /** Finds the payment of a token, and notes when its result was first shown. */
  open(widgetToken: string, publicKey: string): Promise<Found>
  /** Like `open`, but the result does not count as shown. */
  peek(widgetToken: string, publicKey: string): Promise<Found>
  /**
   * Carries out an action of the customer. A simulated fault can change how the payment ends.
   * @param comeBack opens the merchant's return address; only called for some faults, such as `return-twice`
   */
  act(widgetToken: string, publicKey: string, action: CustomerAction, comeBack?: ComeBack): Promise<Acted>
}

/** Opens a return address of the merchant, as the customer's browser would. */
export type ComeBack = (to: 'success' | 'error', back: ClosedPayment) => Promise<void>

/** Only the newest 1000 results are stored. For an older result, the page only says that the token was used. */
const REMEMBERED = 1000

/**
 * Creates a checkout, which remembers the results of ended payments, so that their pages can show the result.
 * Two clicks at the same time make only one call to the service.
 */
export function createCheckout(payments: Payments, now: () => number): Checkout {
  const ends = new Map<string, Ended>()
  /** When the page of an expired payment was first shown, in ms by the sandbox's clock. */
  const expiries = new Map<string, number>()
  const running = new Map<string, Promise<Acted>>()
  /** The faults of payments that are at a later step than the options. */
  const faults = new Map<string, KindOfSort<'page'> | undefined>()
  const keyOf = (widgetToken: string, publicKey: string): string => `${publicKey}\n${widgetToken}`

  async function find(widgetToken: string, publicKey: string, isShown: boolean): Promise<Found> {
    if (widgetToken === '') return { kind: 'problem', problem: 'missing', closed: undefined, sinceShownMs: 0 }
    const result = await payments.session(widgetToken, publicKey)
    if (result.ok) return { kind: 'payment', session: result.session }
    const { problem, closed } = result
    const key = keyOf(widgetToken, publicKey)
    const moment = now()
    // A stored result counts only if the service says that the token was used, because the sandbox may have been reset.
    const ended = problem === 'used' ? ends.get(key) : undefined
    if (ended === undefined) {
      const shownAt = expiries.get(key) ?? moment
      if (isShown && problem === 'expired') remember(expiries, key, shownAt)
      return { kind: 'problem', problem, closed, sinceShownMs: Math.max(0, moment - shownAt) }
    }
    if (isShown) ended.shownAt ??= moment
    return { kind: 'ended', ended, sinceShownMs: Math.max(0, moment - (ended.shownAt ?? moment)) }
  }

  async function carryOut(
    widgetToken: string,
    publicKey: string,
    action: CustomerAction,
    comeBack: ComeBack,
  ): Promise<Acted> {
    const found = await payments.session(widgetToken, publicKey)
    if (!found.ok) return { kind: 'done' }
    const { session } = found
    const key = keyOf(widgetToken, publicKey)
    if (action.kind === 'identify') return identify(key, session, { widgetToken, publicKey, idNumber: action.idNumber })
    const offered = session.selected === undefined ? session.options : [session.selected]
    const chosen = action.kind === 'confirm' && offered.find((one) => one.installments === action.installments)
    if (chosen === undefined) return { kind: 'bad-option', session }
    const option = chosen === false ? session.chosen : chosen
    const fault = faults.has(key) ? faults.get(key) : await payments.takeFault()
    if (fault === 'expired') {
      await payments.expire(widgetToken, publicKey)
      return { kind: 'done' }
    }
    if (fault === 'second-attempt') await comeBack('error', session)
    const reject = fault === 'rejected'
    const end: Progress =
      action.kind === 'cancel' || fault === 'cancelled'
        ? await payments.cancel(widgetToken, publicKey)
        : action.kind === 'confirm'
          ? await payments.confirm(widgetToken, publicKey, action.installments ?? Number.NaN, {
              reject,
              isAutomatic: action.isAutomatic ?? false,
            })
          : await payments.answer(widgetToken, publicKey, action, { reject })
    if (!end.ok || end.outcome === 'open') {
      // The fault applies to the end of this payment. The customer has already come back with `second-attempt`.
      remember(faults, key, fault === 'second-attempt' ? undefined : fault)
      if (end.ok) return { kind: 'done' }
      return end.problem === 'bad-option' || end.problem === 'wrong-code'
        ? { kind: end.problem, session }
        : { kind: 'done' }
    }
    if (fault === 'return-twice') await comeBack(end.outcome === 'paid' ? 'success' : 'error', end)
    const back = await backWith(fault, end)
    remember(ends, key, { session, option, end, back, shownAt: undefined })
    return { kind: 'done' }
  }

  async function identify(
    key: string,
    session: PaymentSession,
    { widgetToken, publicKey, idNumber }: { widgetToken: string; publicKey: string; idNumber: string | undefined },
  ): Promise<Acted> {
    const end = await payments.identify(widgetToken, publicKey, idNumber)
    if (!end.ok) return end.problem === 'unavailable' ? { kind: end.problem, session } : { kind: 'done' }
    if (end.outcome === 'open') return { kind: 'refreshed', widgetToken: end.widgetToken }
    remember(ends, key, { session, option: undefined, end, back: end, shownAt: undefined })
    return { kind: 'done' }
  }

  async function backWith(
    fault: KindOfSort<'page'> | undefined,
    end: Ended['end'],
  ): Promise<ClosedPayment | undefined> {
    if (fault === 'no-return') return undefined
    if (fault === 'return-of-another') return payments.another(end.externalTrxId)
    // Imitates a page that writes undefined variables into the address.
    if (fault === 'return-undefined') return { preApproveId: undefined, externalTrxId: 'undefined' }
    return end
  }

  function act(
    widgetToken: string,
    publicKey: string,
    action: CustomerAction,
    comeBack: ComeBack = async () => {},
  ): Promise<Acted> {
    const key = keyOf(widgetToken, publicKey)
    const before = running.get(key)
    if (before !== undefined) return before
    const work = carryOut(widgetToken, publicKey, action, comeBack).finally(() => running.delete(key))
    running.set(key, work)
    return work
  }

  return {
    open: (widgetToken, publicKey) => find(widgetToken, publicKey, true),
    peek: (widgetToken, publicKey) => find(widgetToken, publicKey, false),
    act,
  }
}

function remember<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  kept.set(key, value)
  const oldest = kept.keys().next().value
  if (kept.size > REMEMBERED && oldest !== undefined) kept.delete(oldest)
}
