import { contains } from './contains.ts'
import type { Db, Tables } from './tables.ts'

export interface TransactionKey {
  partnerId: string
  externalTrxId: string
}

/** Returns transactions whose id contains `part`, sorted by their latest evaluation or payment session, newest first. */
export function listTransactions(db: Db, offset: number, limit: number, part?: string): Promise<TransactionKey[]> {
  return touched(db, part)
    .select(['partnerId', 'externalTrxId'])
    .groupBy(['partnerId', 'externalTrxId'])
    .orderBy((order) => order.fn.max('createdAt'), 'desc')
    .orderBy('externalTrxId', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** Returns the number of transactions whose id contains `part`. */
export async function countTransactions(db: Db, part?: string): Promise<number> {
  const row = await db
    .selectFrom(touched(db, part).select(['partnerId', 'externalTrxId']).distinct().as('each'))
    .select((select) => select.fn.countAll().as('rows'))
    .executeTakeFirst()
  return Number(row?.rows ?? 0)
}

/** Returns the evaluations, choices, sessions and loans of the given transactions. Each of these lists has the oldest row first. */
export async function historyOf(db: Db, ids: readonly string[]) {
  return {
    evaluations: await keptOf(db, 'preApprovals', ids),
    choices: await keptOf(db, 'loanRequests', ids),
    sessions: await keptOf(db, 'widgetSessions', ids),
    loans: await keptOf(db, 'loans', ids),
  }
}

type Steps = 'preApprovals' | 'loanRequests' | 'widgetSessions' | 'loans'

async function keptOf<T extends Steps>(db: Db, table: T, ids: readonly string[]): Promise<Tables[T][]> {
  if (ids.length === 0) return []
  const rows: unknown[] = await db
    .selectFrom<Steps>(table)
    .selectAll()
    .where('externalTrxId', 'in', [...ids])
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows as Tables[T][]
}

function touched(db: Db, part?: string) {
  const evaluated = db
    .selectFrom('preApprovals')
    .where('externalTrxId', 'is not', null)
    .select(['partnerId', (select) => select.ref('externalTrxId').$castTo<string>().as('externalTrxId'), 'createdAt'])
  const opened = db.selectFrom('widgetSessions').select(['partnerId', 'externalTrxId', 'createdAt'])
  const query = db.selectFrom(evaluated.unionAll(opened).as('touched'))
  return part === undefined ? query : query.where(contains('externalTrxId', part))
}
