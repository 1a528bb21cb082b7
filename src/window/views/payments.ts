import { answerOf } from '../../contract/description.ts'
import { customerFate } from '../../sandbox/records/customers.ts'
import { loanRecord, paidSoFar } from '../../sandbox/records/records.ts'
import { textInput } from '../../sandbox/service/controls/control-action.ts'
import { stepOf } from '../../sandbox/service/payments.ts'
import type { Service } from '../../sandbox/service/service.ts'
import { findAnyLead, listAllLeads } from '../../sandbox/store/evaluations.ts'
import { listPartners } from '../../sandbox/store/partners.ts'
import { countTransactions, historyOf, listTransactions, type TransactionKey } from '../../sandbox/store/payments.ts'
import { countRowsOf, iso } from '../../sandbox/store/store.ts'
import {
  fromJsonColumn,
  type LoanRequestRow,
  type LoanRow,
  type PreApprovalRow,
  type WidgetSessionRow,
} from '../../sandbox/store/tables.ts'
import { maskRut } from '../../text/masking.ts'
import type { LeadView, PaymentState, PaymentView } from './rows.ts'
import { PAGE_ROWS, pageInput, profileFor, reportOf, type ViewsByName } from './view.ts'

export const paymentViews: Pick<ViewsByName, 'payments' | 'payment'> = {
  /** `payments {page, search?}`: transactions, newest first. With `search`, only those whose id contains the text. */
  async payments(input, service) {
    const { db } = service.store
    const { page, offset } = pageInput(input)
    const search = textInput(input, 'search')
    const keys = listTransactions(db, offset, PAGE_ROWS, search)
    const rows = await describe(service, keys)
    return { page, pageRows: PAGE_ROWS, total: countTransactions(db, search), rows }
  },

  async payment(input, service) {
    const externalTrxId = textInput(input, 'externalTrxId') ?? ''
    const partner = listPartners(service.store.db).find(({ name }) => name === textInput(input, 'partner'))
    if (partner === undefined) return null
    const [row] = await describe(service, [{ partnerId: partner.id, externalTrxId }])
    if (!row?.evaluated && !row?.token) return null
    const profile = await profileFor(service.store.db, row.partner)
    return {
      ...row,
      profile,
      report: row.evaluated ? await reportOf(service, row.evaluated.preApproveId, row.partner) : null,
    }
  },
}

async function describe(service: Service, keys: readonly TransactionKey[]): Promise<PaymentView[]> {
  const { db } = service.store
  const names = new Map(listPartners(db).map(({ id, name }) => [id, name]))
  const history = historyOf(db, [...new Set(keys.map(({ externalTrxId }) => externalTrxId))])
  const now = iso(service.clock.now())
  return keys.map((key) => {
    const mine = <T extends { partnerId: string; externalTrxId: string | null }>(rows: readonly T[]) =>
      rows.filter((row) => row.partnerId === key.partnerId && row.externalTrxId === key.externalTrxId)
    const evaluations = mine(history.evaluations)
    const evaluation = evaluations.at(-1)
    const ofSession = ({ preApproveId }: WidgetSessionRow) => evaluations.find(({ id }) => id === preApproveId)
    const loan = mine(history.loans)[0]
    const session = mine(history.sessions).at(-1)
    const choice = mine(history.choices).at(-1)
    return {
      partner: names.get(key.partnerId) ?? '',
      externalTrxId: key.externalTrxId,
      amount: loan?.loanAmount ?? session?.amount ?? evaluation?.amount ?? 0,
      state: stateOf(evaluation, choice, session, loan, now, answerOf(service.description, 'needsEvaluation')),
      evaluated: evaluation ? evaluated(evaluation) : null,
      selected: choice ? { at: choice.createdAt, installments: choice.installments } : null,
      token: session ? tokenOf(session, ofSession(session), service.clock.now()) : null,
      loan: loan ? loanOf(loan) : null,
      verified: loan?.verifiedAt ? { at: loan.verifiedAt } : null,
    }
  })
}

function evaluated(row: PreApprovalRow): PaymentView['evaluated'] {
  return {
    at: row.createdAt,
    outcome: row.outcome,
    preApproveId: row.id,
    customer: maskRut(row.idNumber),
    fate: customerFate(row.idNumber),
    options: fromJsonColumn(row.options),
  }
}

function tokenOf(session: WidgetSessionRow, evaluation: PreApprovalRow | undefined, now: number): PaymentView['token'] {
  const { createdAt, expiresAt, endedAt, outcome, reason } = session
  const step = stepOf(session, customerFate(evaluation?.idNumber ?? ''), now)
  return { at: createdAt, expiresAt, endedAt, outcome, reason, step }
}

function loanOf(loan: LoanRow): PaymentView['loan'] {
  const { createdAt, paidInstallments, cancelledAt } = loan
  return { at: createdAt, ...loanRecord(loan), paidInstallments, paidAmount: paidSoFar(loan), cancelledAt }
}

function stateOf(
  evaluation: PreApprovalRow | undefined,
  choice: LoanRequestRow | undefined,
  session: WidgetSessionRow | undefined,
  loan: LoanRow | undefined,
  now: string,
  needsEvaluation: boolean,
): PaymentState {
  if (loan) return loan.cancelledAt === null ? 'paid' : 'refunded'
  if (session?.outcome) return session.outcome
  if (session && now > session.expiresAt) return 'expired'
  if (session) return session.preApproveId === null && !needsEvaluation ? 'waiting' : 'open'
  if (evaluation && evaluation.outcome !== 'approved') return evaluation.outcome === 'limited' ? 'limited' : 'refused'
  return choice ? 'selected' : 'evaluated'
}

export const leadViews: Pick<ViewsByName, 'leads' | 'lead'> = {
  async leads(input, service) {
    const { db } = service.store
    const { page, offset } = pageInput(input)
    const rows = listAllLeads(db, offset, PAGE_ROWS).map(asView)
    return { page, pageRows: PAGE_ROWS, total: countRowsOf(db, 'leads'), rows }
  },

  async lead(input, service) {
    const row = findAnyLead(service.store.db, textInput(input, 'leadId') ?? '')
    if (row === undefined) return null
    const report = row.preApproveId === null ? null : await reportOf(service, row.preApproveId, row.partner)
    return { ...asView(row), profile: await profileFor(service.store.db, row.partner), report }
  },
}

/** Returns the first name and the surname of a lead. */
export function nameOfLead({ contact }: Pick<Awaited<ReturnType<typeof listAllLeads>>[number], 'contact'>): string {
  const { nombres, apellidoPaterno } = fromJsonColumn(contact)
  return `${nombres} ${apellidoPaterno}`
}

function asView(row: Awaited<ReturnType<typeof listAllLeads>>[number]): LeadView {
  return {
    leadId: row.id,
    partner: row.partner,
    name: nameOfLead(row),
    place: fromJsonColumn(row.contact).comuna,
    customer: maskRut(row.idNumber),
    projectId: row.projectId,
    createdAt: row.createdAt,
    evaluateAt: row.evaluateAt,
    outcome: row.preApproveId === null ? null : row.outcome,
    amount: row.amount,
    preApproveId: row.preApproveId,
  }
}
