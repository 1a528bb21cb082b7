import { WIDGET_TOKEN_LIFE_MS } from '../../../contract/time-limits.ts'
import { causedBy, writeCause } from '../../store/changes.ts'
import { latestForTransaction } from '../../store/evaluations.ts'
import { listPartners } from '../../store/partners.ts'
import {
  addWidgetSession,
  findLoan,
  findWidgetSession,
  latestWidgetSession,
  openWidgetSession,
} from '../../store/payments.ts'
import { iso } from '../../store/stamps.ts'
import type { Db } from '../../store/store.ts'
import type { PartnerRow, WidgetSessionRow } from '../../store/tables.ts'
import { offersOf, settle } from '../payments.ts'
import { malformed, Refusal } from '../refusal.ts'
import {
  type ControlActions,
  controlAction,
  flagInput,
  integerInput,
  noSuchAccount,
  textInput,
} from './control-action.ts'

/**
 * `pay {externalTrxId, reject?, installments?, partner?}`: pays a transaction as its customer would. If the transaction has no open payment
 * session, a session is opened for its latest approved evaluation. Without `installments`, the customer takes the option that the shop
 * reported, otherwise the first option.
 */
const pay = controlAction(async (input, service) => {
  const externalTrxId = textInput(input, 'externalTrxId')
  if (externalTrxId === undefined) throw malformed('externalTrxId is missing')
  const reject = flagInput(input, 'reject')
  const installments = integerInput(input, 'installments', 1)
  const named = textInput(input, 'partner')
  const now = service.clock.now()
  return causedBy(writeCause('customer', now, undefined, externalTrxId), () =>
    service.store.transaction((db) => {
      const partners = listPartners(db).filter((partner) => named === undefined || partner.name === named)
      if (named !== undefined && partners.length === 0) throw noSuchAccount()
      const session = findPayable(db, partners, externalTrxId, now)
      const { approved, options, selected } = offersOf(db, session, service.description)
      const wanted = installments ?? selected?.installments ?? options[0]?.installments
      const option = options.find((offered) => offered.installments === wanted)
      if (option === undefined) {
        const offered = options.map((each) => each.installments).join(', ')
        throw new Refusal(422, 'ERR_INSTALLMENT_OPTION_NOT_OFFERED', `installments must be one of: ${offered}`)
      }
      const end = settle(db, session, option, approved, now, reject)
      if (!end.ok) throw alreadyPaid(externalTrxId)
      return {
        externalTrxId,
        outcome: end.outcome,
        preApproveId: end.preApproveId ?? null,
        installments: end.outcome === 'paid' ? option.installments : null,
      }
    }),
  )
})

function findPayable(db: Db, partners: readonly PartnerRow[], externalTrxId: string, now: number): WidgetSessionRow {
  let paid = false
  for (const { id: partnerId } of partners) {
    if (findLoan(db, partnerId, externalTrxId)) {
      // Continue, because another account may have a transaction with the same id.
      paid = true
      continue
    }
    const opened = openWidgetSession(db, partnerId, externalTrxId, now)
    if (opened) return opened
    const approved = latestForTransaction(db, partnerId, externalTrxId, 'approved')
    if (approved === undefined) continue
    const made = { partnerId, externalTrxId, amount: approved.amount, preApproveId: approved.id }
    const session = findWidgetSession(db, addWidgetSession(db, made, now, WIDGET_TOKEN_LIFE_MS))
    if (session) return session
  }
  throw paid ? alreadyPaid(externalTrxId) : nothingToPay(db, partners, externalTrxId)
}

function nothingToPay(db: Db, partners: readonly PartnerRow[], externalTrxId: string): Refusal {
  for (const { id } of partners) {
    if (latestForTransaction(db, id, externalTrxId, 'rejected')) {
      return new Refusal(422, 'ERR_CUSTOMER_NOT_APPROVED', 'the customer of this transaction was not approved')
    }
  }
  return new Refusal(
    404,
    'ERR_TRANSACTION_NOT_FOUND',
    'no transaction with this id can be paid yet; evaluate the transaction, or create a widget token for it',
  )
}

const alreadyPaid = (externalTrxId: string) =>
  new Refusal(409, 'ERR_TRANSACTION_ALREADY_PAID', `transaction ${externalTrxId} is already paid`)

/**
 * `payment {externalTrxId}`: the state of the latest payment session of a transaction, and whether this session has a pre-approval
 * (gap 30).
 */
const payment = controlAction(async (input, { store, clock }) => {
  const externalTrxId = textInput(input, 'externalTrxId')
  if (externalTrxId === undefined) throw malformed('externalTrxId is missing')
  const session = latestWidgetSession(store.db, externalTrxId)
  if (session === undefined) return { externalTrxId, state: 'none', expiresAt: null, evaluated: false } as const
  const alive = iso(clock.now()) > session.expiresAt ? 'expired' : 'open'
  const evaluated = session.preApproveId !== null
  return { externalTrxId, state: session.outcome ?? alive, expiresAt: session.expiresAt, evaluated } as const
})

export const paymentControls = { pay, payment } satisfies ControlActions
