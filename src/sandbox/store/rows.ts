import { writeSetting } from './settings.ts'
import type { Store } from './store.ts'
import type { Db, Tables } from './tables.ts'

/** The data tables, each with its number of rows in an empty sandbox. Accounts, settings and rate limits are not data. */
const NO_DATA = {
  preApprovals: 0,
  loanRequests: 0,
  widgetSessions: 0,
  loans: 0,
  webhooks: 0,
  leads: 0,
  events: 0,
  deliveries: 0,
  deliveryAttempts: 0,
  requests: 0,
  faults: 0,
  reports: 0,
} as const satisfies Partial<Record<keyof Tables, 0>>

type DataTable = keyof typeof NO_DATA

/** Every table, and whether writes to it are reported to listeners such as the window. */
export const TABLES: Readonly<Record<keyof Tables, { isWatched: boolean }>> = {
  settings: { isWatched: true },
  partners: { isWatched: true },
  preApprovals: { isWatched: true },
  loanRequests: { isWatched: true },
  widgetSessions: { isWatched: true },
  loans: { isWatched: true },
  webhooks: { isWatched: true },
  leads: { isWatched: true },
  events: { isWatched: true },
  deliveries: { isWatched: true },
  deliveryAttempts: { isWatched: true },
  requests: { isWatched: true },
  faults: { isWatched: true },
  reports: { isWatched: true },
  // Almost every request writes to this table, and no row of it is shown in the window.
  rateLimits: { isWatched: false },
}

/** Whether a name is that of a table. */
export function isTable(name: string): name is keyof Tables {
  return Object.hasOwn(TABLES, name)
}

export const TABLE_NAMES: readonly (keyof Tables)[] = Object.keys(TABLES).filter(isTable)

const DATA_TABLES = TABLE_NAMES.filter((table): table is DataTable => table in NO_DATA)

/** Deletes all data except the accounts and settings, and sets the sandbox's clock to the present time. */
export async function wipe(store: Store): Promise<void> {
  await store.transaction(async (db) => {
    for (const table of DATA_TABLES) await db.deleteFrom(table).execute()
    await db.deleteFrom('rateLimits').execute()
    await writeSetting(db, 'clockOffsetMs', '0')
  })
}

/** Returns the number of rows in each data table. */
export async function countRows(db: Db): Promise<Record<DataTable, number>> {
  const counts: Record<DataTable, number> = { ...NO_DATA }
  for (const table of DATA_TABLES) counts[table] = await countRowsOf(db, table)
  return counts
}

/** Returns the number of rows in a table. */
export async function countRowsOf(db: Db, table: keyof Tables): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select((select) => select.fn.countAll().as('rows'))
    .executeTakeFirst()
  return Number(row?.rows ?? 0)
}
