import { answerOf, type ServiceDescription } from '../../contract/description.ts'
import { WIDGET_TOKEN_LIFE_MS } from '../../contract/time-limits.ts'
import type { InstallmentOption } from '../../domain/installments.ts'
import { isOfSort, type KindOfSort } from '../../domain/sandbox-faults.ts'
import type { Environment } from '../conventions.ts'
import {
  ASKED_AT,
  CODE_ATTEMPTS,
  type CustomerFate,
  customerFate,
  FAILING_CODE,
  LEAVES_AT,
  newRiskDetails,
  offersFor,
  type PaymentStep,
  SLOW_MS,
  USUAL_CUSTOMER,
} from '../records/customers.ts'
import { dueDate, loanApprovedRecord, termsOf, transferDateOf } from '../records/records.ts'
import { causedBy, writeCause } from '../store/changes.ts'
import { addEvent } from '../store/deliveries.ts'
import { addPreApproval, findPreApproval, latestLoanRequest, type PreApproval } from '../store/evaluations.ts'
import { PAGE_VISIT } from '../store/fault-effect.ts'
import { takeFault } from '../store/faults.ts'
import { findPartner } from '../store/partners.ts'
import {
  addLoan,
  anotherWidgetSession,
  countWrongCode,
  endWidgetSession,
  expireWidgetSession,
  findLoan,
  findWidgetSession,
  hasLoanOf,
  identifySession,
  latestWidgetSession,
  moveSession,
} from '../store/payments.ts'
import { type Db, iso, newId } from '../store/store.ts'
import type { PartnerRow, WidgetSessionRow } from '../store/tables.ts'
import { newEventId } from './described.ts'
import type { Service } from './service.ts'

/**
 * Returns a signed widget token, a JWT with HS256 (gap 25). Its `jti` is the id of the session. Its `exp` is 10 minutes after `now`, in
 * whole seconds.
 * @param now ms since 1970
 * @param preApproveId the evaluation, in a token that was refreshed after the customer was evaluated
 */
export async function signWidgetToken(
  signingSecret: string,
  sessionId: string,
  externalTrxId: string,
  now: number,
  preApproveId?: string,
): Promise<string> {
  const { SignJWT } = await import('jose')
  const issued = Math.floor(now / 1000)
  return new SignJWT({ externalTrxId, ...(preApproveId && { preApproveId }) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setJti(sessionId)
    .setIssuedAt(issued)
    .setExpirationTime(issued + WIDGET_TOKEN_LIFE_MS / 1000)
    .sign(Buffer.from(signingSecret))
}

interface SignedToken {
  sessionId: string
  externalTrxId: string
  /** When the token itself expires, in ms since 1970. A token that was refreshed expires before its session. */
  expiresAt: number
}

/** Returns what a token of the sandbox says, even if its session has ended; undefined for any other token. */
export async function readWidgetToken(signingSecret: string, token: string): Promise<SignedToken | undefined> {
  const { compactVerify, decodeJwt } = await import('jose')
  try {
    // Check only the signature. The caller checks the stored `expiresAt` of the session, which is exact to the ms. `exp` has whole seconds.
    await compactVerify(token, Buffer.from(signingSecret), { algorithms: ['HS256'] })
    const { jti, exp, externalTrxId } = decodeJwt(token)
    if (jti === undefined || exp === undefined) return undefined
    return { sessionId: jti, externalTrxId: String(externalTrxId), expiresAt: (exp + 1) * 1000 }
  } catch {
    return undefined
  }
}

/**
 * What the payment page asks the customer next: the national id (only without an evaluation), an installment option, automatic payment, a
 * signature (first purchase) or a code (returning customer).
 */
export type Question = 'id-number' | 'option' | 'subscription' | 'signature' | 'code'

/** The payment of a widget token, as the payment page shows it. Amounts are integers in currency units. */
export interface PaymentSession {
  externalTrxId: string
  merchantName: string
  amount: number
  options: readonly InstallmentOption[]
  /** The option that the shop reported in the selection step. If it is set, the page offers only this option. */
  selected: InstallmentOption | undefined
  asks: Question
  /** The option that the customer chose on the page, at a step after the options. */
  chosen: InstallmentOption | undefined
  /** Whether this test customer leaves the page at this step, if nobody answers in a browser. */
  leaves: boolean
  /** Whether this test customer is asked for the code without the steps before it. */
  isDirect: boolean
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
      /** How the customer proved to agree: a returning customer with a code. Only for the outcome `paid`. */
      proof?: 'signature' | 'code'
      /** Why the payment was rejected. Only for the outcome `rejected`. */
      reason?: RejectReason
    }
  | { ok: false; problem: TokenProblem | 'bad-option' | 'wrong-code' | 'unavailable' }

/** The payment is not ended: the page asks the customer something else. */
type Open = { ok: true; outcome: 'open' }

const OPEN: Open = { ok: true, outcome: 'open' }

export type Progress = PaymentEnd | Open

/** Why a payment was rejected. The service banca.me publishes the first two; the others are the sandbox's own. */
type RejectReason = 'RISK_REJECTED' | 'USER_HAS_ACTIVE_LOAN' | 'SIGNATURE_FAILED' | 'AUTH_FACTOR_FAILED'

/** How the customer answers a question after the options. */
export type StepAnswer = { kind: 'subscribe' } | { kind: 'sign' } | { kind: 'code'; code: string }

/** How the sandbox decides about a payment beside the customer. */
export interface Decision {
  /** Whether the payment is rejected, whoever the customer is. */
  reject?: boolean
  /** Whether the customer answers every question at once, so that a test needs no browser. */
  isAutomatic?: boolean
}

/** What the payment page does with payments. A token allows only one payment, even if two requests confirm the payment at the same time. */
export interface Payments {
  session(widgetToken: string, publicKey: string): Promise<SessionResult>
  /**
   * Evaluates the customer with this national id, which must be valid. Returns a new token, and the time of the session starts again.
   * Without a national id, it is the customer of a test (`--customer`).
   */
  identify(
    widgetToken: string,
    publicKey: string,
    idNumber?: string,
  ): Promise<PaymentEnd | (Open & { widgetToken: string })>
  confirm(widgetToken: string, publicKey: string, installments: number, decision?: Decision): Promise<Progress>
  answer(widgetToken: string, publicKey: string, answer: StepAnswer, decision?: Decision): Promise<Progress>
  cancel(widgetToken: string, publicKey: string): Promise<PaymentEnd>
  expire(widgetToken: string, publicKey: string): Promise<void>
  takeFault(): Promise<KindOfSort<'page'> | undefined>
  /** Returns another transaction of this transaction's merchant, preferably a paid one. Invents one if the merchant has no other. */
  another(externalTrxId: string): Promise<ClosedPayment>
}

/** Returns the functions with which the payment page of an environment shows and ends payments. */
export function createPayments(service: Service, environment: Environment): Payments {
  const { store, clock, description } = service
  const tokenOf = async (token: string): Promise<SignedToken | TokenProblem> => {
    if (token === '') return 'missing'
    return (await readWidgetToken(service.signingSecret, token)) ?? 'forged'
  }
  const end = async <Result>(
    token: string,
    publicKey: string,
    how: (db: Db, opened: Opened, now: number) => Result,
  ): Promise<Result | Extract<SessionResult, { ok: false }>> => {
    const signed = await tokenOf(token)
    const now = clock.now()
    return causedBy(writeCause('customer', now, typeof signed === 'string' ? signed : signed.sessionId), () =>
      store.transaction((db) => {
        const opened = open(db, signed, { publicKey, environment, description }, now)
        return opened.ok ? how(db, opened, now) : opened
      }),
    )
  }
  return {
    async session(token, publicKey) {
      const now = clock.now()
      const opened = open(store.db, await tokenOf(token), { publicKey, environment, description }, now)
      if (!opened.ok) return opened
      const { session, merchantName, options, selected, asks, chosen, fate } = opened
      return {
        ok: true,
        session: {
          externalTrxId: session.externalTrxId,
          merchantName,
          amount: session.amount,
          options,
          selected,
          asks,
          chosen,
          leaves: LEAVES_AT[fate] !== undefined && LEAVES_AT[fate] === stepOf(session, fate, now),
          isDirect: fate === 'factors-only',
          preApproveId: session.preApproveId ?? undefined,
          firstDueDate: dueDate(transferDateOf(now), 1),
          expiresAt: session.expiresAt,
          remainingMs: Date.parse(session.expiresAt) - now,
        },
      }
    },
    async identify(token, publicKey, idNumber = USUAL_CUSTOMER) {
      if (customerFate(idNumber) === 'slow') await clock.sleep(SLOW_MS)
      const progress = await end(token, publicKey, (db, { session, asks }, now): Progress => {
        return asks === 'id-number' ? identify(service, db, session, idNumber, now) : OPEN
      })
      if (!progress.ok || progress.outcome !== 'open') return progress
      const signed = await tokenOf(token)
      if (typeof signed === 'string') return { ok: false, problem: signed }
      const { sessionId, externalTrxId } = signed
      const preApproveId = findWidgetSession(store.db, sessionId)?.preApproveId ?? undefined
      const { signingSecret } = service
      const refreshed = await signWidgetToken(signingSecret, sessionId, externalTrxId, clock.now(), preApproveId)
      return { ...progress, widgetToken: refreshed }
    },
    confirm: (token, publicKey, installments, decision = {}) =>
      end(token, publicKey, (db, opened, now): Progress => {
        const options = opened.selected ? [opened.selected] : opened.options
        const option = options.find((offered) => offered.installments === installments)
        if (option === undefined) return { ok: false, problem: 'bad-option' }
        return settle(service, db, opened, option, 'option', now, decision)
      }),
    answer: (token, publicKey, answer, decision = {}) =>
      end(token, publicKey, (db, opened, now): Progress => answerStep(service, db, opened, answer, now, decision)),
    cancel: (token, publicKey) =>
      end(token, publicKey, (db, { session }, now): PaymentEnd => {
        endWidgetSession(db, session.id, 'cancelled', now)
        return ended(session, 'cancelled')
      }),
    async expire(token, publicKey) {
      await end(token, publicKey, (db, { session }, now) => {
        expireWidgetSession(db, session.id, now - 1)
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
} & Offer

interface Offer {
  approved: PreApproval | undefined
  fate: CustomerFate
  options: readonly InstallmentOption[]
  selected: InstallmentOption | undefined
  chosen: InstallmentOption | undefined
  asks: Question
}

function open(
  db: Db,
  signed: SignedToken | TokenProblem,
  { publicKey, environment, description }: Pick<PartnerRow, 'publicKey' | 'environment'> & Pick<Service, 'description'>,
  now: number,
): Opened | { ok: false; problem: TokenProblem; closed?: ClosedPayment } {
  if (typeof signed === 'string') return { ok: false, problem: signed }
  const session = findWidgetSession(db, signed.sessionId)
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
  if (now > Math.min(Date.parse(session.expiresAt), signed.expiresAt)) return { ok: false, problem: 'expired', closed }
  return { ok: true, session, merchantName: partner.name, ...offersOf(db, session, description) }
}

/** Returns a session's evaluation, the installment options, the options that the shop and the customer chose, and what the page asks. */
export function offersOf(db: Db, session: WidgetSessionRow, description: ServiceDescription): Offer {
  const id = session.preApproveId
  const approved = id === null ? undefined : findPreApproval(db, id)
  const fate = approved === undefined ? 'approved' : customerFate(approved.idNumber)
  const options = approved?.options ?? offersFor(undefined, session.amount, answerOf(description, 'installmentOptions'))
  const chosenBefore = id === null ? undefined : latestLoanRequest(db, id)?.installments
  const optionOf = (count: number | null | undefined) => options.find((option) => option.installments === count)
  const selected = optionOf(chosenBefore)
  const asks = questionOf(db, session, approved, fate, description)
  const isAfterOptions = asks !== 'id-number' && asks !== 'option'
  const chosen = isAfterOptions ? (optionOf(session.installments) ?? selected ?? options[0]) : undefined
  return { approved, fate, options, selected, chosen, asks }
}

function questionOf(
  db: Db,
  { step, partnerId }: WidgetSessionRow,
  approved: PreApproval | undefined,
  fate: CustomerFate,
  description: ServiceDescription,
): Question {
  // A service that needs an evaluation shows its options without one, and rejects the payment.
  if (approved === undefined) return answerOf(description, 'needsEvaluation') ? 'option' : 'id-number'
  if (step === 'PAYMENT_SUBSCRIPTION') return 'subscription'
  if (fate === 'factors-only') return 'code'
  if (step !== 'AUTHORIZATION') return 'option'
  return proofOf(db, partnerId, approved.idNumber, fate)
}

/** Returns how a customer proves to agree: with a signature at the first purchase, and with a code after that. */
function proofOf(db: Db, partnerId: string, idNumber: string, fate: CustomerFate): 'signature' | 'code' {
  if (fate === 'factors-only') return 'code'
  return fate !== 'signature-fails' && hasLoanOf(db, partnerId, idNumber) ? 'code' : 'signature'
}

/** Returns the step of a payment; null before the national id is known, and after the payment succeeded. @param now ms since 1970 */
export function stepOf(session: WidgetSessionRow, fate: CustomerFate, now: number): PaymentStep | null {
  const { outcome, preApproveId, step, expiresAt } = session
  if (outcome === 'paid' || preApproveId === null) return null
  if (outcome !== null || iso(now) > expiresAt) return 'ARCHIVED_FAIL'
  return step ?? (fate === 'factors-only' ? 'AUTHORIZATION' : 'READY_FOR_LOAN')
}

/**
 * Returns the step of the latest session of a transaction, and its pre-approval. Undefined while the customer has not given a national id.
 * @param now ms since 1970
 */
export function stepOfTransaction(
  db: Db,
  externalTrxId: string,
  now: number,
  partnerId: string,
): { step: PaymentStep; preApproveId: string } | undefined {
  const session = latestWidgetSession(db, externalTrxId, partnerId)
  const approved = session?.preApproveId ? findPreApproval(db, session.preApproveId) : undefined
  const step = session && approved && stepOf(session, customerFate(approved.idNumber), now)
  return step ? { step, preApproveId: approved.id } : undefined
}

interface Asked {
  partnerId: string
  idNumber: string
  amount: number
  externalTrxId: string
}

/** Evaluates a customer for a payment, and stores the evaluation. Returns its id, its outcome and its options. */
export function evaluateCustomer(
  { random, description }: Service,
  db: Db,
  asked: Asked,
  now: number,
): Pick<PreApproval, 'id' | 'outcome' | 'options'> {
  const { idNumber, amount } = asked
  const outcome = customerFate(idNumber) === 'rejected' ? 'rejected' : 'approved'
  const options = outcome === 'rejected' ? [] : offersFor(idNumber, amount, answerOf(description, 'installmentOptions'))
  const details = newRiskDetails(outcome, amount, random)
  return { id: addPreApproval(db, { ...asked, outcome, options, details }, now), outcome, options }
}

/**
 * Evaluates the customer of a session without an evaluation. The time of the session starts again. The payment is rejected at once if the
 * customer is not approved or has an active loan.
 * @param db a transaction of the database
 */
export function identify(service: Service, db: Db, session: WidgetSessionRow, idNumber: string, now: number): Progress {
  const fate = customerFate(idNumber)
  if (fate === 'service-error') return { ok: false, problem: 'unavailable' }
  const { partnerId, amount, externalTrxId } = session
  const { id, outcome } = evaluateCustomer(service, db, { partnerId, idNumber, amount, externalTrxId }, now)
  identifySession(db, session.id, id, now + WIDGET_TOKEN_LIFE_MS)
  const identified = { ...session, preApproveId: id }
  if (outcome === 'rejected') return reject(db, identified, 'RISK_REJECTED', now)
  return fate === 'active-loan' ? reject(db, identified, 'USER_HAS_ACTIVE_LOAN', now) : OPEN
}

/**
 * Goes on with a payment after the customer answered a question. Either the page asks the next question, or the payment ends, and with it
 * the session. A merchant's transaction gets at most one loan. The loan and its event loan_approved are stored together.
 * @param db a transaction of the database
 * @param option the installment option that the customer chose
 * @param answered the question that the customer answered
 */
export function settle(
  { description }: Service,
  db: Db,
  { session, approved, fate }: Pick<Opened, 'session' | 'approved' | 'fate'>,
  option: InstallmentOption,
  answered: Question,
  now: number,
  decision: Decision = {},
): Progress {
  if (decision.reject || approved === undefined || fate === 'payment-rejected')
    return reject(db, session, 'RISK_REJECTED', now)
  if (fate === 'active-loan') return reject(db, session, 'USER_HAS_ACTIVE_LOAN', now)
  const leavesAt = decision.isAutomatic ? LEAVES_AT[fate] : undefined
  if (leavesAt === 'READY_FOR_LOAN') return OPEN
  const asked = decision.isAutomatic ? leavesAt : ASKED_AT[fate]
  const isBeforeAsked = answered === 'option' || (answered === 'subscription' && asked === 'AUTHORIZATION')
  if (isBeforeAsked && (asked === 'PAYMENT_SUBSCRIPTION' || asked === 'AUTHORIZATION')) {
    moveSession(db, session.id, asked, option.installments)
    return OPEN
  }
  if (fate === 'signature-fails') return reject(db, session, 'SIGNATURE_FAILED', now)
  const proof = proofOf(db, session.partnerId, approved.idNumber, fate)
  if (!endWidgetSession(db, session.id, 'paid', now)) return { ok: false, problem: 'used' }
  const loan = {
    partnerId: session.partnerId,
    externalTrxId: session.externalTrxId,
    preApproveId: approved.id,
    ...termsOf(session.amount, option, now),
  }
  if (!addLoan(db, loan, now)) return { ok: false, problem: 'used' }
  const id = newEventId(description, now)
  const event = { id, partnerId: loan.partnerId, type: 'loan_approved', subject: loan.externalTrxId } as const
  addEvent(db, event, loanApprovedRecord(loan), now)
  return { ...ended(session, 'paid'), firstDueDate: dueDate(loan.transferDate, 1), proof }
}

const ANSWERS: Readonly<Record<StepAnswer['kind'], Question>> = {
  subscribe: 'subscription',
  sign: 'signature',
  code: 'code',
}

/** Takes an answer to a question after the options. An answer to another question than the present one changes nothing. */
function answerStep(
  service: Service,
  db: Db,
  opened: Opened,
  answer: StepAnswer,
  now: number,
  decision: Decision,
): Progress {
  const { session, asks, chosen } = opened
  if (asks !== ANSWERS[answer.kind] || chosen === undefined) return OPEN
  if (answer.kind === 'code') {
    if (!/^\d{6}$/.test(answer.code)) return { ok: false, problem: 'wrong-code' }
    if (answer.code === FAILING_CODE) {
      countWrongCode(db, session.id)
      if (session.wrongCodes + 1 < CODE_ATTEMPTS) return { ok: false, problem: 'wrong-code' }
      return reject(db, session, 'AUTH_FACTOR_FAILED', now)
    }
  }
  return settle(service, db, opened, chosen, asks, now, decision)
}

function reject(db: Db, session: WidgetSessionRow, reason: RejectReason, now: number): PaymentEnd {
  if (!endWidgetSession(db, session.id, 'rejected', now, reason)) return { ok: false, problem: 'used' }
  return { ...ended(session, 'rejected'), reason }
}

function ended(
  session: WidgetSessionRow,
  outcome: 'paid' | 'rejected' | 'cancelled',
): Extract<PaymentEnd, { ok: true }> {
  return { ok: true, outcome, externalTrxId: session.externalTrxId, preApproveId: session.preApproveId ?? undefined }
}
