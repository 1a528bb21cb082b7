import { countRowsOf } from './rows.ts'
import { writeSetting } from './settings.ts'
import type { Store } from './store.ts'
import type { Db, Tables } from './tables.ts'

/** What a reset forgets: everything but the accounts and what the sandbox keeps of itself. */
const DATA = [
  'preApprovals',
  'loanRequests',
  'widgetSessions',
  'loans',
  'webhooks',
  'leads',
  'events',
  'deliveries',
  'deliveryAttempts',
  'requests',
  'faults',
  'reports',
] as const satisfies readonly (keyof Tables)[]

export async function wipe(store: Store): Promise<void> {
  await store.transaction(async (db) => {
    for (const table of DATA) await db.deleteFrom(table).execute()
    await db.deleteFrom('rateLimits').execute()
    await writeSetting(db, 'clockOffsetMs', '0')
  })
}

/** Rows of each table of data. */
export async function countRows(db: Db): Promise<Record<(typeof DATA)[number], number>> {
  const counts: Partial<Record<(typeof DATA)[number], number>> = {}
  for (const table of DATA) counts[table] = await countRowsOf(db, table)
  return counts as Record<(typeof DATA)[number], number>
}
