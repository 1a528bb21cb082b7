import type { InstallmentOption } from '../../domain/installments.ts'
import { type Db, iso, newId } from './store.ts'
import {
  fromJsonColumn,
  type LeadRow,
  type LoanRequestRow,
  type PartnerRow,
  type PreApprovalRow,
  type ReportRow,
  toJsonColumn,
} from './tables.ts'

export interface PreApproval extends Omit<PreApprovalRow, 'options' | 'details'> {
  options: readonly InstallmentOption[]
  details: Readonly<Record<string, unknown>>
}

interface NewPreApproval
  extends Pick<PreApproval, 'partnerId' | 'idNumber' | 'amount' | 'outcome' | 'options' | 'details'> {
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

export function findLead(db: Db, partnerId: string, id: string): LeadRow | undefined {
  return db.get('select * from leads where id = ? and partnerId = ?', id, partnerId)
}

/** Returns the leads of an account, newest first. */
export function leadsOf(db: Db, partnerId: string): LeadRow[] {
  return db.all('select * from leads where partnerId = ? order by createdAt desc, id desc', partnerId)
}

/** Returns the leads whose evaluation is due but not finished, oldest first. `at` is the sandbox's time in ISO 8601. */
export function dueLeads(db: Db, at: string): LeadRow[] {
  return db.all('select * from leads where preApproveId is null and evaluateAt <= ? order by evaluateAt, id', at)
}

/** Records that the evaluation of a lead is finished. Returns false when another process has already recorded this. */
export function finishLead(db: Db, id: string, preApproveId: string): boolean {
  return db.run('update leads set preApproveId = ? where id = ? and preApproveId is null', preApproveId, id) === 1
}

/** A lead of any account, with the name of the account and the amount of its finished evaluation. */
type LeadWithOutcome = LeadRow & { partner: string; amount: number | null }

const WITH_OUTCOME = `select leads.*, partners.name as partner, preApprovals.amount as amount
  from leads join partners on partners.id = leads.partnerId left join preApprovals on preApprovals.id = leads.preApproveId`

/** Returns the leads of every account, newest first, with the amounts of their finished evaluations. */
export function listAllLeads(db: Db, offset: number, limit: number): LeadWithOutcome[] {
  const newest = 'order by leads.createdAt desc, leads.id desc limit ? offset ?'
  return db.all(`${WITH_OUTCOME} ${newest}`, limit, offset)
}

/** Returns a lead of any account by its id, with the amount of its evaluation. */
export function findAnyLead(db: Db, id: string): LeadWithOutcome | undefined {
  return db.get(`${WITH_OUTCOME} where leads.id = ?`, id)
}

/** Returns the fingerprint of the stored report, without reading its PDF. */
export function findFingerprint(db: Db, preApproveId: string): string | undefined {
  return db.get<ReportRow>('select fingerprint from reports where id = ?', preApproveId)?.fingerprint
}

/** Returns the stored report of a pre-approval. */
export function findReport(db: Db, preApproveId: string) {
  const row = db.get<ReportRow>('select * from reports where id = ?', preApproveId)
  return row && { ...row, pdf: Buffer.from(row.pdf, 'base64') }
}

/** Stores a rendered report in place of the earlier one. `now` is in ms since 1970. */
export function keepDrawnReport(
  db: Db,
  preApproveId: string,
  { fingerprint, pdf }: { fingerprint: string; pdf: Uint8Array },
  now: number,
): void {
  db.run(
    `insert into reports (id, fingerprint, renderedAt, pdf) values (?, ?, ?, ?)
      on conflict (id) do update set fingerprint = excluded.fingerprint, renderedAt = excluded.renderedAt, pdf = excluded.pdf`,
    preApproveId,
    fingerprint,
    iso(now),
    Buffer.from(pdf).toString('base64'),
  )
}
