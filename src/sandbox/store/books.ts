import type { Db } from './tables.ts'

/**
 * The evaluations, ended payments and loans of a sandbox, each list with the oldest first, and the signing secrets of its destinations.
 * Evaluations of leads are left out. Amounts are whole currency units.
 */
export interface Books {
  evaluations: readonly { externalTrxId: string; idNumber: string; amount: number }[]
  payments: readonly { externalTrxId: string; outcome: string }[]
  loans: readonly { externalTrxId: string; amount: number; installments: number }[]
  secrets: readonly string[]
}

/** Reads the evaluations, payments, loans and secrets of all accounts. */
export async function readBooks(db: Db): Promise<Books> {
  const evaluations = await db
    .selectFrom('preApprovals')
    .select(['externalTrxId', 'idNumber', 'amount'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  const payments = await db
    .selectFrom('widgetSessions')
    .select(['externalTrxId', 'outcome'])
    .where('outcome', 'is not', null)
    .orderBy('endedAt')
    .orderBy('id')
    .execute()
  const loans = await db
    .selectFrom('loans')
    .select(['externalTrxId', 'loanAmount as amount', 'periods as installments'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  const webhooks = await db.selectFrom('webhooks').select('secret').execute()
  return {
    evaluations: evaluations.flatMap(({ externalTrxId, ...evaluation }) =>
      externalTrxId === null ? [] : [{ externalTrxId, ...evaluation }],
    ),
    payments: payments.map(({ externalTrxId, outcome }) => ({ externalTrxId, outcome: outcome ?? '' })),
    loans,
    secrets: webhooks.map(({ secret }) => secret),
  }
}
