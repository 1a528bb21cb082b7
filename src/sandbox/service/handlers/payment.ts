import { answerOf, type ServiceDescription } from '../../../contract/description.ts'
import { CANCEL_DAYS, WIDGET_TOKEN_LIFE_MS } from '../../../contract/time-limits.ts'
import { dayInChile } from '../../../domain/clock.ts'
import { daysBetween } from '../../../domain/dates.ts'
import { looksLikeEmail } from '../../../domain/identifiers.ts'
import { customerFate, RETRY_AFTER_SECONDS, SLOW_MS } from '../../records/customers.ts'
import { loanRecord, paidSoFar } from '../../records/records.ts'
import { findEntity } from '../../store/entities.ts'
import {
  addLoanRequest,
  addPreApproval,
  findPreApproval,
  latestForTransaction,
  type PreApproval,
} from '../../store/evaluations.ts'
import { addWidgetSession, cancelLoan, findLoan, findVerifiedLoan, noteVerified } from '../../store/payments.ts'
import type { PartnerRow } from '../../store/tables.ts'
import { checkRut } from '../body.ts'
import { evaluateCustomer, signWidgetToken, stepOfTransaction } from '../payments.ts'
import { Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { KeyedHandlers } from './handler.ts'

type Names = 'evaluate' | 'select' | 'startWidget' | 'verifyLoan' | 'cancelLoan'

export const paymentHandlers: Pick<KeyedHandlers, Names> = {
  evaluate: {
    async answer({ body, partner, now, wait }, service) {
      const { amount, externalTrxId } = body
      // For a paid transaction, no other values of the body would help.
      refusePaid(service, partner, externalTrxId)
      const rut = checkRut(body.idNumber)
      checkAmount(amount, service.description)
      checkEntity(service, body.entityId, partner)
      const fate = customerFate(rut)
      if (fate === 'service-error') throw new Refusal(503, 'ERR_SERVICE_UNAVAILABLE', 'the evaluation is not available')
      if (fate === 'slow') await wait(SLOW_MS)
      if (fate === 'rate-limited') limitOnce(service, partner, { idNumber: rut, amount, externalTrxId }, now)
      const asked = { partnerId: partner.id, idNumber: rut, amount, externalTrxId }
      const { id, outcome, options } = evaluateCustomer(service, service.store.db, asked, now)
      if (outcome === 'rejected') throw new Refusal(422, 'ERR_CUSTOMER_NOT_APPROVED', 'the customer is not approved')
      return { preApproveId: id, installmentOptions: options.map((option) => ({ ...option })) }
    },
  },

  select: {
    async answer({ body, partner, now }, service) {
      const { preApproveId, installmentOption, externalTrxId, amount } = body
      refusePaid(service, partner, externalTrxId)
      const approved = preApprovalOf(service, partner, { preApproveId, externalTrxId, amount })
      if (!approved.options.some((option) => option.installments === installmentOption)) {
        const offered = approved.options.map((option) => option.installments).join(', ')
        throw new Refusal(422, 'ERR_INSTALLMENT_OPTION_NOT_OFFERED', `installmentOption must be one of: ${offered}`)
      }
      const chosen = { partnerId: partner.id, preApproveId, externalTrxId, installments: installmentOption }
      const loanRequestId = addLoanRequest(service.store.db, chosen, now)
      return { loanRequestId, step: 'AUTHORIZATION', preApproveId }
    },
  },

  /** Without an evaluation, the payment page asks for the national id (gap 30). */
  startWidget: {
    async answer({ body, partner, now }, service) {
      const { amount, externalTrxId } = body
      const { db } = service.store
      // A transaction that is already paid gets no token (gap 31), whatever else the body says.
      if (findLoan(db, partner.id, externalTrxId)) return { accepted: false, widgetToken: null }
      checkAmount(amount, service.description)
      checkEntity(service, body.entityId, partner)
      if (!looksLikeEmail(body.email)) throw new Refusal(422, 'ERR_INVALID_EMAIL', 'email is not an e-mail address')
      const { preApproveId } = body
      const approved =
        preApproveId === undefined
          ? latestForTransaction(db, partner.id, externalTrxId, 'approved')
          : preApprovalOf(service, partner, { preApproveId, externalTrxId, amount })
      if (approved) checkSameAmount(amount, approved.amount)
      const opened = { partnerId: partner.id, externalTrxId, amount, preApproveId: approved?.id ?? null }
      const id = addWidgetSession(db, opened, now, WIDGET_TOKEN_LIFE_MS)
      return { accepted: true, widgetToken: await signWidgetToken(service.signingSecret, id, externalTrxId, now) }
    },
  },

  verifyLoan: {
    async answer({ params, partner, now }, { store }) {
      const { externalTrxId } = params
      const loan = findVerifiedLoan(store.db, partner.id, externalTrxId)
      if (loan !== undefined) return loanRecord(loan)
      // The step is shown as banca.me says for a customer who has given a national id. That the answer is a 404 is a convention (gap 21).
      const lead = stepOfTransaction(store.db, externalTrxId, now, partner.id)
      throw new Refusal(404, 'ERR_LOAN_NOT_FOUND', 'no loan for this transaction', {}, lead)
    },
    // The verification is not noted if the connection broke before the whole answer was sent, because the merchant does not know of the loan.
    afterwards: ({ params, partner, now }, { store }) => noteVerified(store.db, partner.id, params.externalTrxId, now),
  },

  /** The specification does not have this call (gap 50). The refusals and the new state are conventions. */
  cancelLoan: {
    async answer({ params, partner, now }, { store, description }) {
      const loan = findLoan(store.db, partner.id, params.externalTrxId)
      if (loan === undefined) throw new Refusal(404, 'ERR_LOAN_NOT_FOUND', 'no loan for this transaction')
      if (daysBetween(loan.transferDate, dayInChile(now)) > CANCEL_DAYS && loan.cancelledAt === null)
        throw new Refusal(
          422,
          'ERR_LOAN_CANCEL_PERIOD_OVER',
          `a loan can be cancelled for ${CANCEL_DAYS} days after its transferDate ${loan.transferDate}`,
        )
      if (!cancelLoan(store.db, loan.id, answerOf(description, 'cancelledState'), now))
        throw new Refusal(409, 'ERR_LOAN_ALREADY_CANCELLED', 'the loan of this transaction is already cancelled')
      return { externalTrxId: loan.externalTrxId, refundAmount: paidSoFar(loan) }
    },
  },
}

/** Returns the approved evaluation of a transaction with this id. Throws a `Refusal` for any other id, and for another amount. */
function preApprovalOf(
  { store }: Service,
  partner: PartnerRow,
  { preApproveId, externalTrxId, amount }: { preApproveId: string; externalTrxId: string; amount: number },
): PreApproval {
  const approved = findPreApproval(store.db, preApproveId)
  if (approved?.partnerId !== partner.id || approved.outcome !== 'approved' || approved.externalTrxId === null) {
    throw new Refusal(404, 'ERR_PRE_APPROVAL_NOT_FOUND', 'no pre-approval with this preApproveId')
  }
  if (approved.externalTrxId !== externalTrxId) {
    throw new Refusal(
      422,
      'ERR_TRANSACTION_MISMATCH',
      'the pre-approval was made for another externalTrxId; evaluate this transaction first',
    )
  }
  checkSameAmount(amount, approved.amount)
  return approved
}

function checkAmount(amount: number, description: ServiceDescription): void {
  const { min, max } = answerOf(description, 'amounts')
  if (amount >= min && amount <= max) return
  throw new Refusal(422, 'ERR_AMOUNT_OUT_OF_BOUNDS', `amount must be between ${min} and ${max}`)
}

function checkSameAmount(amount: number, evaluated: number): void {
  if (amount === evaluated) return
  throw new Refusal(
    422,
    'ERR_AMOUNT_MISMATCH',
    `amount must be ${evaluated}, the amount for which the transaction was evaluated`,
  )
}

function checkEntity({ store }: Service, entityId: string, partner: PartnerRow): void {
  if (entityId === partner.entityId) return
  const entity = findEntity(store.db, partner.id, entityId)
  if (entity?.isActive === 1) return
  if (entity !== undefined) throw new Refusal(422, 'ERR_ENTITY_INACTIVE', 'the entity with this entityId is inactive')
  throw new Refusal(422, 'ERR_ENTITY_NOT_FOUND', 'this account has no entity with this entityId')
}

function refusePaid(service: Service, partner: PartnerRow, externalTrxId: string): void {
  if (findLoan(service.store.db, partner.id, externalTrxId) === undefined) return
  throw new Refusal(409, 'ERR_TRANSACTION_ALREADY_PAID', 'this externalTrxId already has a loan')
}

function limitOnce(
  { store }: Service,
  partner: PartnerRow,
  asked: { idNumber: string; amount: number; externalTrxId: string },
  now: number,
): void {
  const limited = store.transaction((db) => {
    if (latestForTransaction(db, partner.id, asked.externalTrxId, 'limited')) return false
    addPreApproval(db, { ...asked, partnerId: partner.id, outcome: 'limited', options: [], details: {} }, now)
    return true
  })
  if (!limited) return
  throw new Refusal(429, 'ERR_RATE_LIMIT_EXCEEDED', `too many calls; wait ${RETRY_AFTER_SECONDS} s`, {
    'retry-after': String(RETRY_AFTER_SECONDS),
  })
}
