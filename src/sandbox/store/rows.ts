import type { Db, Tables } from './tables.ts'

/** How many rows a table has. */
export async function countRowsOf(db: Db, table: keyof Tables): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select((select) => select.fn.countAll().as('rows'))
    .executeTakeFirst()
  return Number(row?.rows ?? 0)
}
