import { answerOf, type ServiceDescription } from '../../contract/description.ts'
import { WIDGET_TOKEN_LIFE_MS } from '../../contract/time-limits.ts'
import type { InstallmentOption } from '../../domain/installments.ts'
import { isOfSort, type KindOfSort } from '../../domain/sandbox-faults.ts'
import type { Environment } from '../conventions.ts'
import { customerFate, offersFor } from '../records/customers.ts'
import { dueDate, loanApprovedRecord, termsOf, transferDateOf } from '../records/records.ts'
import { causedBy, writeCause } from '../store/changes.ts'
import { addEvent } from '../store/deliveries.ts'
import { findPreApproval, latestLoanRequest, type PreApproval } from '../store/evaluations.ts'
import { PAGE_VISIT } from '../store/fault-effect.ts'
import { takeFault } from '../store/faults.ts'
import { findPartner } from '../store/partners.ts'
import {
  addLoan,
  anotherWidgetSession,
  endWidgetSession,
  expireWidgetSession,
  findLoan,
  findWidgetSession,
} from '../store/payments.ts'
import { type Db, newId } from '../store/store.ts'
import type { PartnerRow, WidgetSessionRow } from '../store/tables.ts'
import type { Service } from './service.ts'

/**
 * Returns a signed widget token, a JWT with HS256 (gap 25). Its `jti` is the id of the session. Its `exp` is 10 minutes after `now`, in
 * whole seconds.
 * @param now ms since 1970
 */
export async function signWidgetToken(
  signingSecret: string,
  sessionId: string,
  externalTrxId: string,
  now: number,
): Promise<string> {
  const { SignJWT } = await import('jose')
  const issued = Math.floor(now / 1000)
  return new SignJWT({ externalTrxId })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setJti(sessionId)
    .setIssuedAt(issued)
    .setExpirationTime(issued + WIDGET_TOKEN_LIFE_MS / 1000)
    .sign(Buffer.from(signingSecret))
}

/** Returns the session id in a token that the sandbox signed, even if the session has ended; undefined for any other token. */
export async function readWidgetToken(signingSecret: string, token: string): Promise<string | undefined> {
  const { compactVerify, decodeJwt } = await import('jose')
  try {
    // Check only the signature. The caller checks the stored `expiresAt` of the session, which is exact to the ms. `exp` has whole seconds.
    await compactVerify(token, Buffer.from(signingSecret), { algorithms: ['HS256'] })
    return decodeJwt(token).jti
  } catch {
    return undefined
  }
}

/** The payment of a widget token, as the payment page shows it. Amounts are integers in currency units. */
export interface PaymentSession {
  externalTrxId: string
  merchantName: string
  amount: number
  options: readonly InstallmentOption[]
  /** The option that the shop reported in the selection step. If it is set, the page offers only this option. */
  selected: InstallmentOption | undefined
  preApproveId: string | undefined
  /** When the first installment is due if the customer pays now (YYYY-MM-DD). */
  firstDueDate: string
  /** ISO 8601. */
  expiresAt: string
  /** The time until the token expires, in ms of the sandbox's clock. */
  remainingMs: number
}

export type TokenProblem = 'missing' | 'forged' | 'expired' | 'used' | 'wrong-key'

export type ClosedPayment = Pick<PaymentSession, 'externalTrxId' | 'preApproveId'>

type SessionResult =
  | { ok: true; session: PaymentSession }
  | { ok: false; problem: TokenProblem; closed?: ClosedPayment }

/** How a payment ended. `preApproveId` is undefined if the payment has no pre-approval (gap 22). */
export type PaymentEnd =
  | {
      ok: true
      outcome: 'paid' | 'rejected' | 'cancelled'
      externalTrxId: string
      preApproveId: string | undefined
      /** When the first installment of the new loan is due (YYYY-MM-DD). Only for the outcome `paid`. */
      firstDueDate?: string
    }
  | { ok: false; problem: TokenProblem | 'bad-option' }

/** What the payment page does with payments. A token allows only one payment, even if two requests confirm the payment at the same time. */
export interface Payments {
  session(widgetToken: string, publicKey: string): Promise<SessionResult>
  /** @param reject whether the payment is rejected, whoever the customer is */
  confirm(widgetToken: string, publicKey: string, installments: number, reject?: boolean): Promise<PaymentEnd>
  cancel(widgetToken: string, publicKey: string): Promise<PaymentEnd>
  expire(widgetToken: string, publicKey: string): Promise<void>
  takeFault(): Promise<KindOfSort<'page'> | undefined>
  /** Returns another transaction of this transaction's merchant, preferably a paid one. Invents one if the merchant has no other. */
  another(externalTrxId: string): Promise<ClosedPayment>
}

/** Returns the functions with which the payment page of an environment shows and ends payments. */
export function createPayments(service: Service, environment: Environment): Payments {
  const { store, clock, description } = service
  const sessionOf = async (token: string): Promise<string | TokenProblem> => {
    if (token === '') return 'missing'
    return (await readWidgetToken(service.signingSecret, token)) ?? 'forged'
  }
  const end = async (
    token: string,
    publicKey: string,
    how: (db: Db, opened: Opened, now: number) => PaymentEnd,
  ): Promise<PaymentEnd> => {
    const id = await sessionOf(token)
    const now = clock.now()
    return causedBy(writeCause('customer', now, id), () =>
      store.transaction((db) => {
        const opened = open(db, id, { publicKey, environment, description }, now)
        return opened.ok ? how(db, opened, now) : opened
      }),
    )
  }
  return {
    async session(token, publicKey) {
      const now = clock.now()
      const opened = open(store.db, await sessionOf(token), { publicKey, environment, description }, now)
      if (!opened.ok) return opened
      const { session, merchantName, options, selected } = opened
      return {
        ok: true,
        session: {
          externalTrxId: session.externalTrxId,
          merchantName,
          amount: session.amount,
          options,
          selected,
          preApproveId: session.preApproveId ?? undefined,
          firstDueDate: dueDate(transferDateOf(now), 1),
          expiresAt: session.expiresAt,
          remainingMs: Date.parse(session.expiresAt) - now,
        },
      }
    },
    confirm: (token, publicKey, installments, reject = false) =>
      end(token, publicKey, (db, opened, now) => {
        const options = opened.selected ? [opened.selected] : opened.options
        const option = options.find((offered) => offered.installments === installments)
        if (option === undefined) return { ok: false, problem: 'bad-option' }
        return settle(db, opened.session, option, opened.approved, now, reject)
      }),
    cancel: (token, publicKey) =>
      end(token, publicKey, (db, { session }, now) => {
        endWidgetSession(db, session.id, 'cancelled', now)
        return ended(session, 'cancelled')
      }),
    async expire(token, publicKey) {
      await end(token, publicKey, (db, { session }, now) => {
        expireWidgetSession(db, session.id, now - 1)
        return { ok: false, problem: 'expired' }
      })
    },
    async takeFault() {
      const kind = causedBy(writeCause('customer', clock.now()), () => takeFault(store, PAGE_VISIT))?.kind ?? null
      return kind !== null && isOfSort(kind, 'page') ? kind : undefined
    },
    async another(externalTrxId) {
      const other = anotherWidgetSession(store.db, externalTrxId)
      if (other === undefined) return { externalTrxId: `another-${externalTrxId}`, preApproveId: newId(clock.now()) }
      return { externalTrxId: other.externalTrxId, preApproveId: other.preApproveId ?? undefined }
    },
  }
}

type Opened = {
  ok: true
  session: WidgetSessionRow
  merchantName: string
  approved: PreApproval | undefined
  options: readonly InstallmentOption[]
  selected: InstallmentOption | undefined
}

function open(
  db: Db,
  id: string | TokenProblem,
  { publicKey, environment, description }: Pick<PartnerRow, 'publicKey' | 'environment'> & Pick<Service, 'description'>,
  now: number,
): Opened | { ok: false; problem: TokenProblem; closed?: ClosedPayment } {
  if (id === 'missing' || id === 'forged') return { ok: false, problem: id }
  const session = findWidgetSession(db, id)
  // The sandbox signed the token, but a reset or a loaded snapshot has deleted its session.
  if (session === undefined) return { ok: false, problem: 'expired' }
  const partner = findPartner(db, 'id', session.partnerId)
  if (partner?.publicKey !== publicKey || partner.environment !== environment)
    return { ok: false, problem: 'wrong-key' }
  const { externalTrxId } = session
  const closed = { externalTrxId, preApproveId: session.preApproveId ?? undefined }
  if (session.endedAt !== null || findLoan(db, session.partnerId, externalTrxId)) {
    return { ok: false, problem: 'used', closed }
  }
  if (now > Date.parse(session.expiresAt)) return { ok: false, problem: 'expired', closed }
  return { ok: true, session, merchantName: partner.name, ...offersOf(db, session, description) }
}

/** Returns a session's evaluation, the installment options, and the option that the shop reported. */
export function offersOf(
  db: Db,
  session: Pick<WidgetSessionRow, 'preApproveId' | 'amount'>,
  description: ServiceDescription,
): Pick<Opened, 'approved' | 'options' | 'selected'> {
  const id = session.preApproveId
  const approved = id === null ? undefined : findPreApproval(db, id)
  const options = approved?.options ?? offersFor(undefined, session.amount, answerOf(description, 'installmentOptions'))
  const chosen = id === null ? undefined : latestLoanRequest(db, id)?.installments
  return { approved, options, selected: options.find((option) => option.installments === chosen) }
}

/**
 * Makes the payment of a session, which ends the session. A merchant's transaction gets at most one loan. The loan and its event
 * loan_approved are stored together.
 * The payment is rejected if the customer has no pre-approval, or is the test customer for rejected payments.
 * @param db a transaction of the database
 * @param reject whether the payment is rejected, whoever the customer is
 */
export function settle(
  db: Db,
  session: WidgetSessionRow,
  option: InstallmentOption,
  approved: PreApproval | undefined,
  now: number,
  reject = false,
): PaymentEnd {
  const rejected = reject || approved === undefined || customerFate(approved.idNumber) === 'payment-rejected'
  if (!endWidgetSession(db, session.id, rejected ? 'rejected' : 'paid', now)) return { ok: false, problem: 'used' }
  if (rejected) return ended(session, 'rejected')
  const loan = {
    partnerId: session.partnerId,
    externalTrxId: session.externalTrxId,
    preApproveId: approved.id,
    ...termsOf(session.amount, option, now),
  }
  if (!addLoan(db, loan, now)) return { ok: false, problem: 'used' }
  const event = { partnerId: loan.partnerId, type: 'loan_approved', subject: loan.externalTrxId } as const
  addEvent(db, event, loanApprovedRecord(loan), now)
  return { ...ended(session, 'paid'), firstDueDate: dueDate(loan.transferDate, 1) }
}

function ended(
  session: WidgetSessionRow,
  outcome: 'paid' | 'rejected' | 'cancelled',
): Extract<PaymentEnd, { ok: true }> {
  return { ok: true, outcome, externalTrxId: session.externalTrxId, preApproveId: session.preApproveId ?? undefined }
}
