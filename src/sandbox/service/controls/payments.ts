import { WIDGET_TOKEN_LIFE_MS } from '../../../contract/time-limits.ts'
import { parseRut, rutCheckCharacter } from '../../../domain/identifiers.ts'
import { CLOCK_LIMIT, LEAD_EVALUATION_MS } from '../../conventions.ts'
import { customerFate } from '../../records/customers.ts'
import { causedBy, writeCause } from '../../store/changes.ts'
import { findLead, latestForTransaction } from '../../store/evaluations.ts'
import { listPartners } from '../../store/partners.ts'
import {
  addWidgetSession,
  findLoan,
  findWidgetSession,
  latestWidgetSession,
  openWidgetSession,
} from '../../store/payments.ts'
import { type Db, iso } from '../../store/store.ts'
import type { PartnerRow, WidgetSessionRow } from '../../store/tables.ts'
import { createLead, finishDueEvaluations } from '../leads.ts'
import { offersOf, settle } from '../payments.ts'
import { malformed, Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import {
  type ControlActions,
  controlAction,
  flagInput,
  integerInput,
  noSuchAccount,
  textInput,
  timeInput,
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

/**
 * `lead {rut?, outcome?, projectId?, partner?, evaluateInMs?, now?}`: creates a lead of a real-estate account. Its evaluation finishes
 * after `evaluateInMs` of the sandbox's time, or at once with `now`.
 */
const lead = controlAction(async (input, service) => {
  const rut = readRut(textInput(input, 'rut'), service.random)
  const outcome = textInput(input, 'outcome') ?? (customerFate(rut) === 'rejected' ? 'rejected' : 'approved')
  if (outcome !== 'approved' && outcome !== 'rejected') throw malformed('outcome must be approved or rejected')
  const partner = await receiver(service, textInput(input, 'partner'))
  const projectId = textInput(input, 'projectId')
  const evaluateInMs = flagInput(input, 'now')
    ? 0
    : (timeInput(input, 'evaluateInMs', CLOCK_LIMIT) ?? LEAD_EVALUATION_MS)
  const now = service.clock.now()
  const asked = { rut, outcome, evaluateInMs, ...(projectId === undefined ? {} : { projectId }) } as const
  const created = await createLead(service, partner, asked, now)
  await finishDueEvaluations(service, now)
  const known = findLead(service.store.db, partner.id, created.id)
  return {
    leadId: created.id,
    partner: partner.name,
    outcome,
    createdAt: iso(now),
    evaluateAt: created.evaluateAt,
    preApproveId: known?.preApproveId ?? null,
  }
})

async function receiver({ store }: Service, name: string | undefined): Promise<PartnerRow> {
  const partners = listPartners(store.db)
  const partner = partners.find((each) =>
    name === undefined ? each.product === 'real-estate' && each.evaluationModule === 1 : each.name === name,
  )
  if (partner === undefined) throw noSuchAccount()
  if (partner.product === 'real-estate') return partner
  throw new Refusal(
    422,
    'ERR_PARTNER_HAS_NO_LEADS',
    `${partner.name} is a BNPL account, but only real-estate accounts have leads`,
  )
}

function readRut(text: string | undefined, random: () => number): string {
  if (text === undefined) {
    const digits = String(5_000_000 + Math.floor(random() * 20_000_000))
    return `${digits}-${rutCheckCharacter(digits)}`
  }
  const parsed = parseRut(text)
  if (parsed.ok) return parsed.rut
  throw new Refusal(
    400,
    'ERR_INVALID_ID_NUMBER',
    parsed.problem === 'check'
      ? `the check digit of rut is wrong: for this number it is ${parsed.expected}`
      : 'rut is not a RUT such as 12345678-5',
  )
}

export const leadControls = { lead } satisfies ControlActions
