import type { InstallmentOption } from '../../domain/installments.ts'
import { fromJsonColumn, toJsonColumn } from './json-column.ts'
import { iso, newId } from './stamps.ts'
import type { Db, LoanRequestRow, PartnerRow, PreApprovalRow } from './tables.ts'

export interface PreApproval extends Omit<PreApprovalRow, 'options' | 'details'> {
  options: readonly InstallmentOption[]
  details: Readonly<Record<string, unknown>>
}

interface NewPreApproval {
  partnerId: string
  idNumber: string
  amount: number
  outcome: PreApproval['outcome']
  options: readonly InstallmentOption[]
  details: Readonly<Record<string, unknown>>
  externalTrxId?: string
  leadId?: string
}

/** Stores an evaluation, and returns the new preApproveId. `now` is in ms since 1970. */
export async function addPreApproval(db: Db, evaluated: NewPreApproval, now: number): Promise<string> {
  const id = newId(now)
  const { externalTrxId = null, leadId = null, options, details, ...rest } = evaluated
  await db
    .insertInto('preApprovals')
    .values({
      ...rest,
      id,
      preLoanRequestId: newId(now),
      externalTrxId,
      leadId,
      options: toJsonColumn(options),
      details: toJsonColumn(details),
      createdAt: iso(now),
    })
    .execute()
  return id
}

/** Returns an evaluation by its preApproveId. */
export async function findPreApproval(db: Db, id: string): Promise<PreApproval | undefined> {
  return read(await db.selectFrom('preApprovals').selectAll().where('id', '=', id).executeTakeFirst())
}

/** Returns an evaluation by its preApproveId, if an account of this environment made it. Another environment does not know the id. */
export async function findPreApprovalIn(
  db: Db,
  environment: PartnerRow['environment'],
  id: string,
): Promise<PreApproval | undefined> {
  return read(
    await db
      .selectFrom('preApprovals')
      .innerJoin('partners', 'partners.id', 'preApprovals.partnerId')
      .selectAll('preApprovals')
      .where('preApprovals.id', '=', id)
      .where('partners.environment', '=', environment)
      .executeTakeFirst(),
  )
}

/** Returns a transaction's latest evaluation that has the given outcome. */
export async function latestForTransaction(
  db: Db,
  partnerId: string,
  externalTrxId: string,
  outcome: PreApproval['outcome'],
): Promise<PreApproval | undefined> {
  return read(
    await db
      .selectFrom('preApprovals')
      .selectAll()
      .where('partnerId', '=', partnerId)
      .where('externalTrxId', '=', externalTrxId)
      .where('outcome', '=', outcome)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirst(),
  )
}

/** Returns a person's latest evaluation that was approved or rejected. */
export async function latestForPerson(db: Db, partnerId: string, idNumber: string): Promise<PreApproval | undefined> {
  return read(
    await db
      .selectFrom('preApprovals')
      .selectAll()
      .where('partnerId', '=', partnerId)
      .where('idNumber', '=', idNumber)
      .where('outcome', '!=', 'limited')
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirst(),
  )
}

/** Stores the option that a customer chose, and returns the loanRequestId. */
export async function addLoanRequest(
  db: Db,
  chosen: Omit<LoanRequestRow, 'id' | 'createdAt'>,
  now: number,
): Promise<string> {
  const id = newId(now)
  await db
    .insertInto('loanRequests')
    .values({ ...chosen, id, createdAt: iso(now) })
    .execute()
  return id
}

/** Returns the option that a customer chose last for a pre-approval. */
export async function latestLoanRequest(db: Db, preApproveId: string): Promise<LoanRequestRow | undefined> {
  return db
    .selectFrom('loanRequests')
    .selectAll()
    .where('preApproveId', '=', preApproveId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

function read(row: PreApprovalRow | undefined): PreApproval | undefined {
  return row && { ...row, options: fromJsonColumn(row.options), details: fromJsonColumn(row.details) }
}
