import { findPreApproval } from './evaluations.ts'
import { iso, newId } from './stamps.ts'
import type { Db, LoanRow, WidgetSessionRow } from './tables.ts'

/** Opens a payment session. Returns its id, which is the token's `jti`. */
export async function addWidgetSession(
  db: Db,
  opened: Pick<WidgetSessionRow, 'partnerId' | 'externalTrxId' | 'amount' | 'preApproveId'>,
  now: number,
  lifeMs: number,
): Promise<string> {
  const id = newId(now)
  await db
    .insertInto('widgetSessions')
    .values({ ...opened, id, createdAt: iso(now), expiresAt: iso(now + lifeMs), endedAt: null, outcome: null })
    .execute()
  return id
}

/** Returns a payment session by its id. */
export async function findWidgetSession(db: Db, id: string): Promise<WidgetSessionRow | undefined> {
  return db.selectFrom('widgetSessions').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns the latest session of a transaction, in any state. */
export async function latestWidgetSession(db: Db, externalTrxId: string): Promise<WidgetSessionRow | undefined> {
  return db
    .selectFrom('widgetSessions')
    .selectAll()
    .where('externalTrxId', '=', externalTrxId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

/** Returns a transaction's latest session that has neither ended nor expired. */
export async function openWidgetSession(
  db: Db,
  partnerId: string,
  externalTrxId: string,
  now: number,
): Promise<WidgetSessionRow | undefined> {
  return db
    .selectFrom('widgetSessions')
    .selectAll()
    .where('partnerId', '=', partnerId)
    .where('externalTrxId', '=', externalTrxId)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>=', iso(now))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

/** Ends a session. Returns false if another caller has already ended it. */
export async function endWidgetSession(
  db: Db,
  id: string,
  outcome: NonNullable<WidgetSessionRow['outcome']>,
  now: number,
): Promise<boolean> {
  const ended = await db
    .updateTable('widgetSessions')
    .set({ endedAt: iso(now), outcome })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return ended.numUpdatedRows === 1n
}

/** Changes the time at which an open session expires. `at` is in ms since 1970. */
export async function expireWidgetSession(db: Db, id: string, at: number): Promise<void> {
  await db
    .updateTable('widgetSessions')
    .set({ expiresAt: iso(at) })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .execute()
}

/**
 * Returns a session of another transaction of the same account: the latest paid session or, if no session is paid, the latest session.
 */
export async function anotherWidgetSession(db: Db, externalTrxId: string): Promise<WidgetSessionRow | undefined> {
  const others = db
    .selectFrom('widgetSessions')
    .selectAll()
    .where('externalTrxId', '!=', externalTrxId)
    .where('partnerId', 'in', (from) =>
      from.selectFrom('widgetSessions').select('partnerId').where('externalTrxId', '=', externalTrxId),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
  return (await others.where('outcome', '=', 'paid').limit(1).executeTakeFirst()) ?? others.limit(1).executeTakeFirst()
}

/** Creates the loan of a transaction. Returns false when the transaction already has a loan. */
export async function addLoan(
  db: Db,
  loan: Omit<LoanRow, 'id' | 'createdAt' | 'verifiedAt'>,
  now: number,
): Promise<boolean> {
  const added = await db
    .insertInto('loans')
    .values({ ...loan, id: newId(now), createdAt: iso(now), verifiedAt: null })
    .onConflict((conflict) => conflict.columns(['partnerId', 'externalTrxId']).doNothing())
    .executeTakeFirst()
  return added.numInsertedOrUpdatedRows === 1n
}

/** Returns the loan of a transaction. */
export async function findLoan(db: Db, partnerId: string, externalTrxId: string): Promise<LoanRow | undefined> {
  return db
    .selectFrom('loans')
    .selectAll()
    .where('partnerId', '=', partnerId)
    .where('externalTrxId', '=', externalTrxId)
    .executeTakeFirst()
}

/** Returns the loan whose externalTrxId is `id`, or whose transaction has an evaluation with the preApproveId `id` (gap 43). */
export async function findVerifiedLoan(db: Db, partnerId: string, id: string): Promise<LoanRow | undefined> {
  const loan = await findLoan(db, partnerId, id)
  if (loan !== undefined) return loan
  const evaluated = await findPreApproval(db, id)
  if (evaluated?.partnerId !== partnerId || evaluated.externalTrxId === null) return undefined
  return findLoan(db, partnerId, evaluated.externalTrxId)
}

/** Stores when a verification of `id` first returned the loan (see `findVerifiedLoan`). `now` is in ms since 1970. */
export async function noteVerified(db: Db, partnerId: string, id: string, now: number): Promise<void> {
  const loan = await findVerifiedLoan(db, partnerId, id)
  if (loan === undefined || loan.verifiedAt !== null) return
  await db
    .updateTable('loans')
    .set({ verifiedAt: iso(now) })
    .where('id', '=', loan.id)
    .execute()
}
