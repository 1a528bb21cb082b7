import { findPreApproval } from './evaluations.ts'
import { contains, type Db, iso, newId } from './store.ts'
import type { LoanRequestRow, LoanRow, PreApprovalRow, WidgetSessionRow } from './tables.ts'

/** Opens a payment session. Returns its id, which is the token's `jti`. */
export function addWidgetSession(
  db: Db,
  opened: Pick<WidgetSessionRow, 'partnerId' | 'externalTrxId' | 'amount' | 'preApproveId'>,
  now: number,
  lifeMs: number,
): string {
  const id = newId(now)
  const times = { createdAt: iso(now), expiresAt: iso(now + lifeMs), endedAt: null }
  const progress = { outcome: null, step: null, installments: null, reason: null, wrongCodes: 0 }
  db.insert('widgetSessions', { ...opened, id, ...times, ...progress })
  return id
}

/** Gives a session its evaluation. Its time starts again. `expiresAt` is in ms since 1970. */
export function identifySession(db: Db, id: string, preApproveId: string, expiresAt: number): void {
  db.run(
    'update widgetSessions set preApproveId = ?, expiresAt = ? where id = ? and endedAt is null',
    preApproveId,
    iso(expiresAt),
    id,
  )
}

/** Notes the step at which the page asks the customer, and the number of installments that the customer chose. */
export function moveSession(
  db: Db,
  id: string,
  step: NonNullable<WidgetSessionRow['step']>,
  installments: number,
): void {
  db.run(
    'update widgetSessions set step = ?, installments = ? where id = ? and endedAt is null',
    step,
    installments,
    id,
  )
}

export function countWrongCode(db: Db, id: string): void {
  db.run('update widgetSessions set wrongCodes = wrongCodes + 1 where id = ? and endedAt is null', id)
}

/** Whether an account has a loan of this customer. */
export function hasLoanOf(db: Db, partnerId: string, idNumber: string): boolean {
  const found = db.get(
    `select loans.id from loans join preApprovals on preApprovals.id = loans.preApproveId
      where loans.partnerId = ? and preApprovals.idNumber = ? limit 1`,
    partnerId,
    idNumber,
  )
  return found !== undefined
}

export function findWidgetSession(db: Db, id: string): WidgetSessionRow | undefined {
  return db.get('select * from widgetSessions where id = ?', id)
}

/** Returns the latest session of a transaction, in any state. @param partnerId the account; undefined for any account */
export function latestWidgetSession(db: Db, externalTrxId: string, partnerId?: string): WidgetSessionRow | undefined {
  return db.get(
    `select * from widgetSessions where externalTrxId = :externalTrxId and (:partnerId is null or partnerId = :partnerId)
      order by createdAt desc, id desc limit 1`,
    { externalTrxId, partnerId: partnerId ?? null },
  )
}

/** Returns a transaction's latest session that has neither ended nor expired. */
export function openWidgetSession(
  db: Db,
  partnerId: string,
  externalTrxId: string,
  now: number,
): WidgetSessionRow | undefined {
  return db.get(
    `select * from widgetSessions where partnerId = ? and externalTrxId = ? and endedAt is null and expiresAt >= ?
      order by createdAt desc, id desc limit 1`,
    partnerId,
    externalTrxId,
    iso(now),
  )
}

/** Ends a session. Returns false if another caller has already ended it. @param reason why the payment was rejected */
export function endWidgetSession(
  db: Db,
  id: string,
  outcome: NonNullable<WidgetSessionRow['outcome']>,
  now: number,
  reason: string | null = null,
): boolean {
  const ended = 'update widgetSessions set endedAt = ?, outcome = ?, reason = ? where id = ? and endedAt is null'
  return db.run(ended, iso(now), outcome, reason, id) === 1
}

/** Changes the time at which an open session expires. `at` is in ms since 1970. */
export function expireWidgetSession(db: Db, id: string, at: number): void {
  db.run('update widgetSessions set expiresAt = ? where id = ? and endedAt is null', iso(at), id)
}

/**
 * Returns a session of another transaction of the same account: the latest paid session or, if no session is paid, the latest session.
 */
export function anotherWidgetSession(db: Db, externalTrxId: string): WidgetSessionRow | undefined {
  return db.get(
    `select * from widgetSessions where externalTrxId != :id
      and partnerId in (select partnerId from widgetSessions where externalTrxId = :id)
      order by outcome is 'paid' desc, createdAt desc, id desc limit 1`,
    { id: externalTrxId },
  )
}

type NewLoan = Omit<LoanRow, 'id' | 'createdAt' | 'verifiedAt' | 'cancelledAt' | 'paidInstallments'>

/** Creates the loan of a transaction. Returns false when the transaction already has a loan. */
export function addLoan(db: Db, loan: NewLoan, now: number): boolean {
  if (findLoan(db, loan.partnerId, loan.externalTrxId) !== undefined) return false
  db.insert('loans', {
    ...loan,
    id: newId(now),
    createdAt: iso(now),
    verifiedAt: null,
    cancelledAt: null,
    paidInstallments: 0,
  })
  return true
}

/** Returns the loan of a transaction. */
export function findLoan(db: Db, partnerId: string, externalTrxId: string): LoanRow | undefined {
  return db.get('select * from loans where partnerId = ? and externalTrxId = ?', partnerId, externalTrxId)
}

/** Returns the loan whose externalTrxId is `id`, or whose transaction has an evaluation with the preApproveId `id` (gap 43). */
export function findVerifiedLoan(db: Db, partnerId: string, id: string): LoanRow | undefined {
  const loan = findLoan(db, partnerId, id)
  if (loan !== undefined) return loan
  const evaluated = findPreApproval(db, id)
  if (evaluated?.partnerId !== partnerId || evaluated.externalTrxId === null) return undefined
  return findLoan(db, partnerId, evaluated.externalTrxId)
}

/** Cancels a loan, which then has the given state. Returns false if it is already cancelled. `now` is in ms since 1970. */
export function cancelLoan(db: Db, id: string, state: string, now: number): boolean {
  return (
    db.run('update loans set cancelledAt = ?, state = ? where id = ? and cancelledAt is null', iso(now), state, id) ===
    1
  )
}

/** Stores how many installments of a loan the customer has paid. Paid installments stay paid, and a cancelled loan is not changed. */
export function payInstallments(db: Db, id: string, count: number): void {
  db.run(
    'update loans set paidInstallments = ? where id = ? and paidInstallments < ? and cancelledAt is null',
    count,
    id,
    count,
  )
}

/** Returns the loans with open installments, of every account, that are not cancelled. */
export function loansToPay(db: Db): LoanRow[] {
  return db.all('select * from loans where cancelledAt is null and paidInstallments < periods order by createdAt, id')
}

/** Stores when a verification of `id` first returned the loan (see `findVerifiedLoan`). `now` is in ms since 1970. */
export function noteVerified(db: Db, partnerId: string, id: string, now: number): void {
  const loan = findVerifiedLoan(db, partnerId, id)
  if (loan?.verifiedAt === null) db.run('update loans set verifiedAt = ? where id = ?', iso(now), loan.id)
}

export interface TransactionKey {
  partnerId: string
  externalTrxId: string
}

/** The transactions with each evaluation and each session. A condition may follow. */
const TOUCHED = `from (
    select partnerId, externalTrxId, createdAt from preApprovals where externalTrxId is not null
    union all select partnerId, externalTrxId, createdAt from widgetSessions
  ) where ${contains('externalTrxId')}`

/** Returns transactions whose id contains `part`, sorted by their latest evaluation or payment session, newest first. */
export function listTransactions(db: Db, offset: number, limit: number, part?: string): TransactionKey[] {
  return db.all(
    `select partnerId, externalTrxId ${TOUCHED} group by partnerId, externalTrxId
      order by max(createdAt) desc, externalTrxId desc limit :limit offset :offset`,
    { part: part ?? null, limit, offset },
  )
}

/** Returns the number of transactions whose id contains `part`. */
export function countTransactions(db: Db, part?: string): number {
  const counted = `select count(*) as rows from (select distinct partnerId, externalTrxId ${TOUCHED})`
  return db.get<{ rows: number }>(counted, { part: part ?? null })?.rows ?? 0
}

/** Returns the evaluations, choices, sessions and loans of the given transactions. Each of these lists has the oldest row first. */
export function historyOf(db: Db, ids: readonly string[]) {
  const of = <Row>(table: string) =>
    db.all<Row>(
      `select * from ${table} where externalTrxId in (select value from json_each(?)) order by createdAt, id`,
      JSON.stringify(ids),
    )
  return {
    evaluations: of<PreApprovalRow>('preApprovals'),
    choices: of<LoanRequestRow>('loanRequests'),
    sessions: of<WidgetSessionRow>('widgetSessions'),
    loans: of<LoanRow>('loans'),
  }
}

/**
 * The evaluations, ended payments and loans of a sandbox, each list with the oldest first, and the signing secrets of its destinations.
 * Evaluations of leads are left out. Amounts are whole currency units.
 */
export interface Books {
  evaluations: readonly { externalTrxId: string; idNumber: string; amount: number }[]
  payments: readonly { externalTrxId: string; outcome: string }[]
  loans: readonly { externalTrxId: string; amount: number; installments: number; cancelledAt: string | null }[]
  secrets: readonly string[]
}

/** Reads the evaluations, payments, loans and secrets of all accounts. */
export function readBooks(db: Db): Books {
  return {
    evaluations: db.all(
      `select externalTrxId, idNumber, amount from preApprovals where externalTrxId is not null order by createdAt, id`,
    ),
    payments: db.all(
      `select externalTrxId, outcome from widgetSessions where outcome is not null order by endedAt, id`,
    ),
    loans: db.all(
      `select externalTrxId, loanAmount as amount, periods as installments, cancelledAt from loans order by createdAt, id`,
    ),
    secrets: db.all<{ secret: string }>('select secret from webhooks').map(({ secret }) => secret),
  }
}
