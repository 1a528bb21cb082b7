import type { Db } from './tables.ts'

/** A transaction of a partner, and when something last began in it. */
export interface TransactionKey {
  partnerId: string
  externalTrxId: string
}

/** Transactions, the one in which something began last first. */
export function listTransactions(db: Db, offset: number, limit: number): Promise<TransactionKey[]> {
  return touched(db)
    .select(['partnerId', 'externalTrxId'])
    .groupBy(['partnerId', 'externalTrxId'])
    .orderBy((order) => order.fn.max('createdAt'), 'desc')
    .orderBy('externalTrxId', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export async function countTransactions(db: Db): Promise<number> {
  const row = await db
    .selectFrom(touched(db).select(['partnerId', 'externalTrxId']).distinct().as('each'))
    .select((select) => select.fn.countAll().as('rows'))
    .executeTakeFirst()
  return Number(row?.rows ?? 0)
}

/** What is kept of these transactions, each kind in the order it was made. */
export async function historyOf(db: Db, ids: readonly string[]) {
  const wanted = ids.length === 0 ? [''] : [...ids]
  const [evaluations, choices, sessions, loans] = [
    await db
      .selectFrom('preApprovals')
      .selectAll()
      .where('externalTrxId', 'in', wanted)
      .orderBy('createdAt')
      .orderBy('id')
      .execute(),
    await db
      .selectFrom('loanRequests')
      .selectAll()
      .where('externalTrxId', 'in', wanted)
      .orderBy('createdAt')
      .orderBy('id')
      .execute(),
    await db
      .selectFrom('widgetSessions')
      .selectAll()
      .where('externalTrxId', 'in', wanted)
      .orderBy('createdAt')
      .orderBy('id')
      .execute(),
    await db.selectFrom('loans').selectAll().where('externalTrxId', 'in', wanted).execute(),
  ]
  return { evaluations, choices, sessions, loans }
}

function touched(db: Db) {
  const evaluated = db
    .selectFrom('preApprovals')
    .where('externalTrxId', 'is not', null)
    .select(['partnerId', (select) => select.ref('externalTrxId').$castTo<string>().as('externalTrxId'), 'createdAt'])
  const opened = db.selectFrom('widgetSessions').select(['partnerId', 'externalTrxId', 'createdAt'])
  return db.selectFrom(evaluated.unionAll(opened).as('touched'))
}
