import type { Db } from './store.ts'
import type { LeadRow } from './tables.ts'

/** Returns a lead of an account by its id. */
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
