/** Where a sandbox's state is, for people. */
export function stateWords({ dataFile, database }: { dataFile: string | null; database: string | null }): string {
  if (database !== null) return `PostgreSQL ${database}`
  return dataFile ?? 'in memory, gone when it stops'
}

/** A sandbox as somebody is asked about it who is to change it: others may use it too. */
export function shared({ database }: { database: string | null }): string {
  return database === null ? 'the sandbox' : `the sandbox in PostgreSQL ${database}, for everybody who uses it`
}
