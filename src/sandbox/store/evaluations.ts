import type { InstallmentOption } from '../../domain/installments.ts'
import { fromJsonColumn, toJsonColumn } from './json-column.ts'
import { iso, newId } from './stamps.ts'
import type { Db } from './store.ts'
import type { LoanRequestRow, PartnerRow, PreApprovalRow } from './tables.ts'

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
export function addPreApproval(db: Db, evaluated: NewPreApproval, now: number): string {
  const id = newId(now)
  const { externalTrxId = null, leadId = null, options, details, ...rest } = evaluated
  db.insert('preApprovals', {
    ...rest,
    id,
    preLoanRequestId: newId(now),
    externalTrxId,
    leadId,
    options: toJsonColumn(options),
    details: toJsonColumn(details),
    createdAt: iso(now),
  })
  return id
}

/** Returns an evaluation by its preApproveId. */
export function findPreApproval(db: Db, id: string): PreApproval | undefined {
  return read(db.get('select * from preApprovals where id = ?', id))
}

/** Returns an evaluation by its preApproveId, if an account of this environment made it. Another environment does not know the id. */
export function findPreApprovalIn(db: Db, environment: PartnerRow['environment'], id: string): PreApproval | undefined {
  return read(
    db.get(
      `select preApprovals.* from preApprovals join partners on partners.id = preApprovals.partnerId
        where preApprovals.id = ? and partners.environment = ?`,
      id,
      environment,
    ),
  )
}

/** Returns a transaction's latest evaluation that has the given outcome. */
export function latestForTransaction(
  db: Db,
  partnerId: string,
  externalTrxId: string,
  outcome: PreApproval['outcome'],
): PreApproval | undefined {
  return read(
    db.get(
      `select * from preApprovals where partnerId = ? and externalTrxId = ? and outcome = ?
        order by createdAt desc, id desc limit 1`,
      partnerId,
      externalTrxId,
      outcome,
    ),
  )
}

/** Returns a person's latest evaluation that was approved or rejected. */
export function latestForPerson(db: Db, partnerId: string, idNumber: string): PreApproval | undefined {
  return read(
    db.get(
      `select * from preApprovals where partnerId = ? and idNumber = ? and outcome != 'limited'
        order by createdAt desc, id desc limit 1`,
      partnerId,
      idNumber,
    ),
  )
}

/** Stores the option that a customer chose, and returns the loanRequestId. */
export function addLoanRequest(db: Db, chosen: Omit<LoanRequestRow, 'id' | 'createdAt'>, now: number): string {
  const id = newId(now)
  db.insert('loanRequests', { ...chosen, id, createdAt: iso(now) })
  return id
}

/** Returns the option that a customer chose last for a pre-approval. */
export function latestLoanRequest(db: Db, preApproveId: string): LoanRequestRow | undefined {
  return db.get(
    'select * from loanRequests where preApproveId = ? order by createdAt desc, id desc limit 1',
    preApproveId,
  )
}

function read(row: PreApprovalRow | undefined): PreApproval | undefined {
  return row && { ...row, options: fromJsonColumn(row.options), details: fromJsonColumn(row.details) }
}
