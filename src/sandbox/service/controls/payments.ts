import { WIDGET_TOKEN_LIFE_MS } from '../../../contract/time-limits.ts'
import { parseRut, rutCheckCharacter } from '../../../domain/identifiers.ts'
import { CLOCK_LIMIT, LEAD_EVALUATION_MS } from '../../conventions.ts'
import { customerFate } from '../../records/customers.ts'
import { loanRecord, paidSoFar } from '../../records/records.ts'
import { causedBy, writeCause } from '../../store/changes.ts'
import { findLead, findPreApproval, latestForTransaction } from '../../store/evaluations.ts'
import { listPartners } from '../../store/partners.ts'
import {
  addWidgetSession,
  findLoan,
  findWidgetSession,
  identifySession,
  latestWidgetSession,
  openWidgetSession,
  payInstallments,
} from '../../store/payments.ts'
import { type Db, iso } from '../../store/store.ts'
import type { PartnerRow, WidgetSessionRow } from '../../store/tables.ts'
import { createLead, finishDueEvaluations } from '../leads.ts'
import { type Decision, identify, offersOf, type Progress, settle, stepOf } from '../payments.ts'
import { malformed, Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import {
  type ControlActions,
  type ControlInput,
  controlAction,
  flagInput,
  integerInput,
  noSuchAccount,
  textInput,
  timeInput,
} from './control-action.ts'

/**
 * `pay {externalTrxId, reject?, installments?, partner?, rut?}`: pays a transaction as its customer would, who answers every question of the
 * page at once. If the transaction has no open payment session, a session is opened for its latest approved evaluation. Without
 * `installments`, the customer takes the option that the shop reported, otherwise the first option. `rut` is the national id that the
 * customer types if the transaction has no evaluation.
 */
const pay = controlAction(async (input, service) => {
  const externalTrxId = trxInput(input)
  const decision = { reject: flagInput(input, 'reject'), isAutomatic: true }
  const installments = integerInput(input, 'installments', 1)
  const rut = textInput(input, 'rut')
  const idNumber = rut === undefined ? undefined : readRut(rut, service.random)
  const now = service.clock.now()
  return causedBy(writeCause('customer', now, undefined, externalTrxId), () =>
    service.store.transaction((db) => {
      const partners = accountsInput(input, db)
      const session = findPayable(db, partners, externalTrxId, now)
      const early = evaluatedNow(service, db, session, idNumber, now)
      const at = findWidgetSession(db, session.id) ?? session
      const offer = offersOf(db, at, service.description)
      const end = early ?? pays(service, db, at, offer, installments, now, decision)
      if (!end.ok) {
        if (end.problem === 'unavailable')
          throw new Refusal(503, 'ERR_SERVICE_UNAVAILABLE', 'the evaluation is not available')
        throw alreadyPaid(externalTrxId)
      }
      const after = findWidgetSession(db, session.id) ?? at
      return {
        externalTrxId,
        outcome: end.outcome,
        preApproveId: after.preApproveId,
        installments: end.outcome === 'paid' ? (findLoan(db, at.partnerId, externalTrxId)?.periods ?? null) : null,
        step: stepOf(after, offer.fate, now),
        reason: after.reason,
      }
    }),
  )
})

function trxInput(input: ControlInput): string {
  const externalTrxId = textInput(input, 'externalTrxId')
  if (externalTrxId === undefined) throw malformed('externalTrxId is missing')
  return externalTrxId
}

/** Returns the account that the input names; every account if it names none. */
function accountsInput(input: ControlInput, db: Db): PartnerRow[] {
  const named = textInput(input, 'partner')
  const partners = listPartners(db).filter(({ name }) => named === undefined || name === named)
  if (named !== undefined && partners.length === 0) throw noSuchAccount()
  return partners
}

/** Evaluates the customer of a session that has no evaluation. Returns how the payment ended if it ended with that. */
function evaluatedNow(
  service: Service,
  db: Db,
  session: WidgetSessionRow,
  idNumber: string | undefined,
  now: number,
): Progress | undefined {
  if (offersOf(db, session, service.description).asks !== 'id-number') {
    if (idNumber === undefined || idNumber === customerOf(db, session)) return undefined
    throw new Refusal(
      422,
      'ERR_ID_NUMBER_MISMATCH',
      'the transaction was evaluated for another customer, so the payment page does not ask for a national id',
    )
  }
  // An evaluation that was made after the session began.
  const { partnerId, externalTrxId, amount, id } = session
  const approved = latestForTransaction(db, partnerId, externalTrxId, 'approved')
  if (approved?.amount === amount && (idNumber ?? approved.idNumber) === approved.idNumber) {
    identifySession(db, id, approved.id, now + WIDGET_TOKEN_LIFE_MS)
    return undefined
  }
  if (idNumber === undefined)
    throw new Refusal(
      422,
      'ERR_ID_NUMBER_NEEDED',
      'the transaction has no evaluation, so the payment page asks for the national id of the customer',
    )
  const progress = identify(service, db, session, idNumber, now)
  return progress.ok && progress.outcome === 'open' ? undefined : progress
}

const customerOf = (db: Db, { preApproveId }: WidgetSessionRow): string | undefined =>
  preApproveId === null ? undefined : findPreApproval(db, preApproveId)?.idNumber

function pays(
  service: Service,
  db: Db,
  session: WidgetSessionRow,
  offer: ReturnType<typeof offersOf>,
  installments: number | undefined,
  now: number,
  decision: Decision,
): Progress {
  const { options, selected, chosen, asks } = offer
  const wanted = installments ?? chosen?.installments ?? selected?.installments ?? options[0]?.installments
  const option = options.find((offered) => offered.installments === wanted)
  if (option === undefined) {
    const offered = options.map((each) => each.installments).join(', ')
    throw new Refusal(422, 'ERR_INSTALLMENT_OPTION_NOT_OFFERED', `installments must be one of: ${offered}`)
  }
  return settle(service, db, { session, ...offer }, option, asks, now, decision)
}

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
 * `payment {externalTrxId}`: the state and the step of the latest payment session of a transaction, whether this session has a pre-approval
 * (gap 30), and why the payment was rejected.
 */
const payment = controlAction(async (input, { store, clock }) => {
  const externalTrxId = trxInput(input)
  const session = latestWidgetSession(store.db, externalTrxId)
  if (session === undefined)
    return { externalTrxId, state: 'none', expiresAt: null, evaluated: false, step: null, reason: null } as const
  const now = clock.now()
  const alive = iso(now) > session.expiresAt ? 'expired' : 'open'
  return {
    externalTrxId,
    state: session.outcome ?? alive,
    expiresAt: session.expiresAt,
    evaluated: session.preApproveId !== null,
    step: stepOf(session, customerFate(customerOf(store.db, session) ?? ''), now),
    reason: session.reason,
  } as const
})

/**
 * `installment {externalTrxId, period, partner?}`: the customer pays an installment of a loan, and every earlier one that is open. Paid
 * installments stay paid.
 */
const installment = controlAction(async (input, { store }) => {
  const externalTrxId = trxInput(input)
  const period = integerInput(input, 'period', 1)
  if (period === undefined) throw malformed('period is missing')
  return store.transaction((db) => {
    const partners = accountsInput(input, db)
    const find = () => partners.flatMap(({ id }) => findLoan(db, id, externalTrxId) ?? [])[0]
    const loan = find()
    if (loan === undefined) throw new Refusal(404, 'ERR_LOAN_NOT_FOUND', 'no loan for this transaction')
    if (loan.cancelledAt !== null)
      throw new Refusal(409, 'ERR_LOAN_ALREADY_CANCELLED', 'the loan of this transaction is already cancelled')
    if (period > loan.periods)
      throw new Refusal(422, 'ERR_INSTALLMENT_NOT_FOUND', `the loan has only ${loan.periods} installments`)
    payInstallments(db, loan.id, period)
    const paid = find() ?? loan
    const { state, periods } = loanRecord(paid)
    return { externalTrxId, state, periods, paidInstallments: paid.paidInstallments, paidAmount: paidSoFar(paid) }
  })
})

export const paymentControls = { pay, payment, installment } satisfies ControlActions

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
