import type { Db, LeadRow } from './tables.ts'

/** Stores a lead. */
export async function addLead(db: Db, row: LeadRow): Promise<void> {
  await db.insertInto('leads').values(row).execute()
}

/** Returns a lead of an account by its id. */
export function findLead(db: Db, partnerId: string, id: string): Promise<LeadRow | undefined> {
  return db.selectFrom('leads').selectAll().where('id', '=', id).where('partnerId', '=', partnerId).executeTakeFirst()
}

/** Returns the leads of an account, newest first. */
export function leadsOf(db: Db, partnerId: string): Promise<LeadRow[]> {
  return db
    .selectFrom('leads')
    .selectAll()
    .where('partnerId', '=', partnerId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Returns the leads whose evaluation is due but not finished, oldest first. `at` is the sandbox's time in ISO 8601. */
export function dueLeads(db: Db, at: string): Promise<LeadRow[]> {
  return db
    .selectFrom('leads')
    .selectAll()
    .where('preApproveId', 'is', null)
    .where('evaluateAt', '<=', at)
    .orderBy('evaluateAt')
    .orderBy('id')
    .execute()
}

/** Records that the evaluation of a lead is finished. Returns false when another process has already recorded this. */
export async function finishLead(db: Db, id: string, preApproveId: string): Promise<boolean> {
  const finished = await db
    .updateTable('leads')
    .set({ preApproveId })
    .where('id', '=', id)
    .where('preApproveId', 'is', null)
    .executeTakeFirst()
  return finished.numUpdatedRows === 1n
}

/** Returns the leads of every account, newest first, with the amounts of their finished evaluations. */
export function listAllLeads(db: Db, offset: number, limit: number) {
  return withOutcome(db)
    .orderBy('leads.createdAt', 'desc')
    .orderBy('leads.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** Returns a lead of any account by its id, with the amount of its evaluation. */
export function findAnyLead(db: Db, id: string) {
  return withOutcome(db).where('leads.id', '=', id).executeTakeFirst()
}

function withOutcome(db: Db) {
  return db
    .selectFrom('leads')
    .innerJoin('partners', 'partners.id', 'leads.partnerId')
    .leftJoin('preApprovals', 'preApprovals.id', 'leads.preApproveId')
    .selectAll('leads')
    .select(['partners.name as partner', 'preApprovals.amount as amount'])
}
