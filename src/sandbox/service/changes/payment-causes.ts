import type { EndpointName } from '../../../contract/endpoints.ts'
import type { Contents } from '../../store/contents.ts'
import type { FoundCause } from './cause.ts'
import { changeOf, revisedChange } from './change.ts'
import { CAME, type Work } from './work.ts'

type Token = Contents['tokens'][number]

/** Finds the causes for evaluations, selections, tokens and loans. */
export function addPayments(work: Work): void {
  const { diff, describe, nameOf } = work
  for (const row of diff.evaluations.came) {
    if (row.leadId === null) makerOf(work, 'evaluate', row).changes.push(() => describe.evaluation(row, CAME))
  }
  for (const { before, after } of diff.evaluations.changed) {
    const account = nameOf(after.partnerId)
    work
      .cause('control', `revise ${after.id}`, { account, about: after.externalTrxId ?? after.leadId })
      .changes.push(() => revisedChange(before, after, account))
  }
  for (const row of diff.selections.came) {
    makerOf(work, 'select', row).changes.push(() => describe.selection(row, CAME))
  }
  for (const row of diff.tokens.came) {
    // If a transaction has no token, `bnpl sandbox pay` creates a token, and the payment ends the token at once.
    const without = row.createdAt === row.endedAt ? decision(work, row) : undefined
    makerOf(work, 'startWidget', row, without).changes.push(() => describe.token(row, CAME))
    if (row.outcome !== null) addEnd(work, row, null)
  }
  for (const { before, after } of diff.tokens.changed) {
    if (after.outcome !== before.outcome) addEnd(work, after, before.outcome)
    else
      work
        .cause('customer', `expiry ${after.id}`, { account: nameOf(after.partnerId), about: after.externalTrxId })
        .changes.push(() =>
          changeOf(thingOf(work, after), { expiresAt: before.expiresAt }, { expiresAt: after.expiresAt }),
        )
  }
  addLoans(work)
}

function addLoans(work: Work): void {
  const { diff, describe, after } = work
  const paid = new Map(
    after.tokens
      .filter(({ outcome }) => outcome === 'paid')
      .map((row) => [`${row.partnerId} ${row.externalTrxId} ${row.endedAt}`, row]),
  )
  for (const row of diff.loans.came) {
    // A payment ends its token and creates its loan at the same time.
    const token = paid.get(`${row.partnerId} ${row.externalTrxId} ${row.createdAt}`)
    const cause = token === undefined ? work.unknown() : decision(work, token)
    work.loanCauses.set(`${row.partnerId} ${row.externalTrxId}`, cause)
    cause.changes.push(() => describe.loan(row, CAME))
    if (row.verifiedAt !== null) addVerification(work, row, row.verifiedAt)
  }
  for (const { after: row } of diff.loans.changed) {
    if (row.verifiedAt !== null) addVerification(work, row, row.verifiedAt)
  }
}

/** Finds the causes for leads and their evaluations. */
export function addLeads({ diff, describe, nameOf, cause }: Work): void {
  for (const row of diff.leads.came) {
    cause('control', `lead ${row.id}`, {
      at: row.createdAt,
      account: nameOf(row.partnerId),
      about: row.id,
    }).changes.push(() => describe.lead(row, CAME))
  }
  for (const row of diff.evaluations.came) {
    if (row.leadId === null) continue
    cause('time', row.leadId, {
      at: row.createdAt,
      account: nameOf(row.partnerId),
      about: row.leadId,
    }).changes.push(() => describe.evaluation(row, CAME))
  }
}

/** Finds the causes for events. An event is created together with its loan, lead or evaluation. */
export function addEvents(work: Work): void {
  const { diff, describe, eventCauses, loanCauses } = work
  const all = new Map(work.all().map((cause) => [cause.id, cause]))
  for (const row of diff.events.came) {
    const made = {
      loan_approved: () => loanCauses.get(`${row.partnerId} ${row.subject}`),
      new_lead: () => all.get(`control:lead ${row.subject}`),
      pre_approve: () => all.get(`time:${row.subject}`),
    }[row.type]()
    const cause = made ?? work.unknown()
    cause.changes.push(() => describe.event(row, CAME))
    eventCauses.set(row.id, cause)
  }
}

/**
 * Returns the cause of a row, which is the request that made it.
 * @param without the cause to return if the log does not show that request; by default, an unknown cause
 */
function makerOf(
  { requests, namesOf, unknown }: Work,
  endpoint: EndpointName,
  row: { partnerId: string; createdAt: string; externalTrxId: string | null },
  without?: FoundCause,
): FoundCause {
  const trace = { endpoints: [endpoint], at: row.createdAt, accounts: namesOf(row.partnerId) }
  return requests.maker({ ...trace, abouts: [row.externalTrxId] }) ?? without ?? unknown()
}

function decision({ cause, nameOf }: Work, row: Token): FoundCause {
  return cause('customer', row.id, { at: row.endedAt, account: nameOf(row.partnerId), about: row.externalTrxId })
}

const thingOf = ({ nameOf }: Work, row: Token) =>
  ({ kind: 'token', id: row.id, about: row.externalTrxId, account: nameOf(row.partnerId) }) as const

function addEnd(work: Work, row: Token, before: Token['outcome']): void {
  decision(work, row).changes.push(() => changeOf(thingOf(work, row), { outcome: before }, { outcome: row.outcome }))
}

function addVerification(work: Work, row: Contents['loans'][number], verifiedAt: string): void {
  const { requests, namesOf, nameOf, unknown } = work
  const found = requests.of({
    endpoints: ['verifyLoan'],
    at: verifiedAt,
    accounts: namesOf(row.partnerId),
    abouts: [row.externalTrxId, row.preApproveId],
  })
  const loan = { kind: 'loan', id: row.id, about: row.externalTrxId, account: nameOf(row.partnerId) } as const
  ;(found ?? unknown()).changes.push(() => changeOf(loan, { verifiedAt: null }, { verifiedAt }))
}
