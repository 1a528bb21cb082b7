/** Where a sandbox's state is, for people. */
export function stateWords({ dataFile, database }: { dataFile: string | null; database: string | null }): string {
  if (database !== null) return `PostgreSQL ${database}`
  return dataFile ?? 'in memory, gone when it stops'
}
